import { Clock, Context, DateTime, Effect, Layer } from "effect"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { PooledRandomLayer } from "../../../platform/sql/PooledRandom.ts"
import { Sealing } from "../../../platform/sql/Sealing.ts"
import type { EndpointId } from "../../model/EndpointId.ts"
import { longestTime } from "../../model/LongestTime.ts"
import { headersOf } from "../../send/AttemptHeaders.ts"
import { Sender, type SendResult } from "../../send/Sender.ts"
import type { TargetsFull } from "../../send/Targets.ts"
import { recordAttempt } from "./DispatchMetrics.ts"
import { type EndedAttempt, makeEndAttempt } from "./EndedAttempt.ts"
import { type HeaderCache, headerCache } from "./HeaderCache.ts"
import type { LaneState, TakenDelivery } from "./Lease.ts"
import { parseRetryAfter } from "./RetryAfter.ts"
import { type SecretCache, secretCache } from "./SecretCache.ts"
import { traceAttempt } from "./traceAttempt.ts"

const nowOf = (context: Context.Context<never>) =>
  DateTime.makeUnsafe(Context.get(context, Clock.Clock).currentTimeMillisUnsafe())

/** Makes single attempts. */
export class Attempts extends Context.Service<Attempts, {
  /** Opened secrets of one endpoint, kept for as long as its lane is leased. */
  secretsOf(endpoint_id: EndpointId): SecretCache
  /** Opened headers of one endpoint's own. */
  headersOf(endpoint_id: EndpointId): HeaderCache
  /**
   * Signs with the current secrets, sends, and answers the delivery's new state. `TargetsFull`: the attempt did not
   * start.
   */
  make(
    lane: LaneState,
    delivery: TakenDelivery,
    secretsAt: SecretCache,
    ownHeaders: HeaderCache,
    club_id: ClubId
  ): Effect.Effect<EndedAttempt, TargetsFull>
}>()("turma/webhooks/engine/dispatch/Attempts") {
  static readonly layerNoDeps = Layer.effect(
    Attempts,
    Effect.gen(function*() {
      const sender = yield* Sender
      const sealing = yield* Sealing
      const endAttempt = yield* makeEndAttempt

      // The result of an attempt that ends now.
      const end = (delivery: TakenDelivery, started_at: DateTime.Utc, signed: string, result: SendResult) =>
        Effect.withFiber(({ context }) => {
          const ended_at = nowOf(context)
          const passed = DateTime.toEpochMillis(ended_at) - DateTime.toEpochMillis(started_at)
          const duration_ms = Math.min(Math.max(0, passed), longestTime)
          recordAttempt(result, duration_ms, context)
          const times = { started_at, ended_at, duration_ms }
          traceAttempt(context, delivery, times, result)
          const { connection_reused, handed_over = false, status_code } = result
          const signature = connection_reused === null && status_code === null && !handed_over ? null : signed
          return endAttempt(delivery, times, result, signature, parseRetryAfter(result.retry_after, ended_at))
        })

      // Effects that are nested and not a generator: every attempt runs them.
      const make = (
        lane: LaneState,
        delivery: TakenDelivery,
        secretsAt: SecretCache,
        ownHeaders: HeaderCache,
        club_id: ClubId
      ) =>
        Effect.withFiber(({ context }) => {
          const started_at = nowOf(context)
          const { body } = delivery
          return Effect.flatMap(secretsAt(lane, started_at), (signers) => {
            const headers = headersOf(delivery, signers, started_at)
            const sent = lane.headers === null
              ? sender.send({ url: lane.url, headers, body, club_id })
              : Effect.flatMap(
                ownHeaders(lane),
                (own) => sender.send({ url: lane.url, headers: { ...own, ...headers }, body, club_id })
              )
            return Effect.flatMap(sent, (result) => end(delivery, started_at, headers["webhook-signature"], result))
          })
        })

      return Attempts.of({
        secretsOf: (endpoint_id) => secretCache(sealing, endpoint_id),
        headersOf: (endpoint_id) => headerCache(sealing, endpoint_id),
        make
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(PooledRandomLayer))
}
