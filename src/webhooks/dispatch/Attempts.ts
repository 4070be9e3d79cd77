import { Clock, Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { PooledRandomLayer } from "../../platform/sql/PooledRandom.ts"
import { Sealing } from "../../platform/sql/Sealing.ts"
import type { EndpointId } from "../model/EndpointId.ts"
import { AttemptId } from "../model/WebhookDeliveryId.ts"
import { WebhookRules } from "../model/WebhookSettings.ts"
import { Sender, type SendResult } from "../sender/Sender.ts"
import { signatureHeader } from "../signature/Signature.ts"
import { afterAttempt } from "./AfterAttempt.ts"
import { recordAttempt } from "./DispatchMetrics.ts"
import type { LaneState, Settlement, TakenDelivery } from "./Lease.ts"
import { parseRetryAfter } from "./RetryAfter.ts"
import { makeNextWait } from "./RetrySchedule.ts"
import { type SecretCache, secretCache } from "./SecretCache.ts"

/** The product token of the contract (Events, Request). */
const userAgent = "Turma-webhooks/1"

/** An attempt that has ended: all of its settlement but the breaker's part. */
export type EndedAttempt = Omit<Settlement, "breaker" | "breaker_epoch" | "lease">

const nowOf = (context: Context.Context<never>) =>
  DateTime.makeUnsafe(Context.get(context, Clock.Clock).currentTimeMillisUnsafe())

/** Makes single attempts. */
export class Attempts extends Context.Service<Attempts, {
  /** Opened secrets of one endpoint, kept for as long as its lane is held. */
  secretsOf(endpoint_id: EndpointId): SecretCache
  /** Signs with the secrets of this moment, sends, and answers what becomes of the delivery. Never fails. */
  make(
    lane: LaneState,
    delivery: TakenDelivery,
    secretsAt: SecretCache
  ): Effect.Effect<EndedAttempt>
}>()("turma/webhooks/dispatch/Attempts") {
  static readonly layerNoDeps = Layer.effect(
    Attempts,
    Effect.gen(function*() {
      const sender = yield* Sender
      const sealing = yield* Sealing
      const random = yield* SecureRandom.SecureRandom
      const nextWait = yield* makeNextWait(yield* WebhookRules)

      const headersOf = (delivery: TakenDelivery, secrets: ReadonlyArray<Uint8Array>, at: DateTime.Utc) => {
        const timestamp = Math.floor(DateTime.toEpochMillis(at) / 1000)
        return {
          "content-type": "application/json",
          "user-agent": userAgent,
          "webhook-id": delivery.event_id,
          "webhook-timestamp": `${timestamp}`,
          "webhook-signature": signatureHeader(secrets, delivery.event_id, timestamp, delivery.body)
        }
      }

      // What comes of an attempt that has ended now.
      const end = (delivery: TakenDelivery, started_at: DateTime.Utc, result: SendResult) =>
        Effect.withFiber(({ context }) => {
          const ended_at = nowOf(context)
          const duration_ms = Math.max(0, DateTime.toEpochMillis(ended_at) - DateTime.toEpochMillis(started_at))
          recordAttempt(result, duration_ms, context)
          const accepted = result.error === null
          const retryAfter = parseRetryAfter(result.retry_after, ended_at)
          const wait = accepted ? Effect.succeedNone : nextWait({ step: delivery.step + 1, retryAfter })
          return Effect.flatMap(wait, (wait) =>
            Effect.map(random.uuidV7(), (id): EndedAttempt => ({
              delivery,
              attempt: {
                id: AttemptId.make(id),
                started_at,
                ended_at,
                duration_ms,
                status_code: result.status_code,
                error: result.error,
                response_body: result.response_body,
                retry_after_seconds: Option.getOrNull(Option.map(retryAfter, wholeSeconds))
              },
              after: afterAttempt(delivery, accepted, ended_at, wait)
            })))
        })

      // Effects that are nested and not a generator: every attempt runs them.
      const make = (lane: LaneState, delivery: TakenDelivery, secretsAt: SecretCache) =>
        Effect.withFiber(({ context }) => {
          const started_at = nowOf(context)
          const { body } = delivery
          return Effect.flatMap(secretsAt(lane, started_at), (secrets) =>
            Effect.flatMap(
              sender.send({ url: lane.url, headers: headersOf(delivery, secrets, started_at), body }),
              (result) => end(delivery, started_at, result)
            ))
        })

      return Attempts.of({ secretsOf: (endpoint_id) => secretCache(sealing, endpoint_id), make })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(PooledRandomLayer))
}

/** Fits an `integer` column. Longer waits are cut by their own limit anyway. */
const wholeSeconds = (wait: Duration.Duration) => Math.min(Math.ceil(Duration.toSeconds(wait)), 2_147_483_647)
