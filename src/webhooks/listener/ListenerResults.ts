import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { NotFound, TemporarilyUnavailable } from "../../platform/http/errors.ts"
import { ClockGuard } from "../../platform/jobs/ClockGuard.ts"
import { Partitions } from "../../platform/sql/Partitions.ts"
import { PooledRandomLayer } from "../../platform/sql/PooledRandom.ts"
import { inTransaction } from "../../platform/sql/Rows.ts"
import { normalBreaker } from "../engine/dispatch/Breaker.ts"
import { type EndAttempt, makeEndAttempt } from "../engine/dispatch/EndedAttempt.ts"
import type { Settlement } from "../engine/dispatch/Lease.ts"
import { LaneChanges, type LaneName } from "../engine/lane/LaneChanges.ts"
import { attemptsTable } from "../model/WebhookTables.ts"
import { storedText } from "../send/ResponseReader.ts"
import { leaseOf } from "./leaseOf.ts"
import { errorOf, type ListenerResult, readReceipt, type Recorded, unpolledFor } from "./Listener.ts"
import { ListenersRepo, type Owed } from "./ListenersRepo.ts"

/** A result of an attempt that is not recorded yet. */
interface Counting {
  readonly result: ListenerResult
  readonly delivery: Owed & Settlement["delivery"]
}

/** The results whose receipt names the next attempt of a delivery of the listener, the first of each. */
const countingOf = (
  results: ReadonlyArray<ListenerResult>,
  owed: ReadonlyArray<Owed>
): ReadonlyArray<Counting> => {
  const open = new Map(owed.map((delivery) => [delivery.id, delivery]))
  return results.flatMap((result) => {
    const delivery = open.get(result.delivery_id)
    const receipt = Option.getOrUndefined(readReceipt(result.receipt))
    if (delivery === undefined || receipt?.attempts_count !== delivery.attempts_count) return []
    open.delete(delivery.id)
    return [{ result, delivery: { ...delivery, trigger: receipt.trigger } }]
  })
}

const retryAfter = ({ retry_after_seconds, status_code }: ListenerResult) =>
  Option.map(
    Option.filter(Option.fromNullishOr(retry_after_seconds), () => status_code === 429 || status_code === 503),
    (seconds) => Duration.seconds(seconds)
  )

/** Fields that only the sender of an attempt knows. */
const unseen = { phases: null, connection_reused: null, peer: null }

const ended = (end: EndAttempt, { delivery, result }: Counting, ended_at: DateTime.Utc) => {
  const { duration_ms, response_body, status_code } = result
  const times = { started_at: DateTime.subtractDuration(ended_at, Duration.millis(duration_ms)), ended_at, duration_ms }
  const text = response_body ?? ""
  return end(
    delivery,
    times,
    { ...unseen, error: errorOf(result), status_code, response_body: storedText(Buffer.from(text)) },
    null,
    retryAfter(result)
  )
}

/** Records a listener's results of its deliveries. */
export class ListenerResults extends Context.Service<ListenerResults, {
  /**
   * Each counts once for its receipt, as an attempt of the sender's does: success, the next attempt or the end of the
   * schedule. Others change nothing. Failures are counted and hold nothing: nobody but who listens waits for them.
   * `NotFound`: this club has no such listener. `TemporarilyUnavailable`: the clock is doubtful.
   */
  record(
    lane: LaneName,
    results: ReadonlyArray<ListenerResult>
  ): Effect.Effect<Recorded, NotFound | TemporarilyUnavailable>
}>()("turma/webhooks/listener/ListenerResults") {
  static readonly layer = Layer.effect(
    ListenerResults,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const endAttempt = yield* makeEndAttempt
      const guard = yield* ClockGuard
      const lanes = yield* LaneChanges
      const partitions = yield* Partitions
      const repo = yield* ListenersRepo

      const settlementsOf = Effect.fnUntraced(function*(
        lane: LaneName,
        { breaker_epoch, consecutive_failures }: {
          readonly breaker_epoch: number
          readonly consecutive_failures: number
        },
        counting: ReadonlyArray<Counting>
      ) {
        const at = yield* DateTime.now
        let failures = consecutive_failures
        return yield* Effect.forEach(
          counting,
          (one) =>
            Effect.map(ended(endAttempt, one, at), (attempt): Settlement => {
              failures = attempt.attempt.error === null ? 0 : failures + 1
              const breaker = { ...normalBreaker, consecutive_failures: failures }
              return { ...attempt, lease: leaseOf(lane), breaker, breaker_epoch }
            })
        )
      })

      const recordLocked = Effect.fnUntraced(function*(lane: LaneName, results: ReadonlyArray<ListenerResult>) {
        const state = yield* repo.lockLane(lane)
        if (Option.isNone(state)) return yield* new NotFound()
        const since = DateTime.subtractDuration(yield* DateTime.now, unpolledFor)
        const ids = [...new Set(results.map(({ delivery_id }) => delivery_id))]
        const counting = countingOf(results, yield* repo.owed(lane, ids, since))
        const settlements = yield* settlementsOf(lane, state.value, counting)
        if (settlements.length > 0) yield* repo.settle(settlements)
        // A waiting poll does not know yet when the next attempt is due.
        if (settlements.some(({ after }) => after.next_attempt_at !== null)) {
          yield* lanes.wake([lane], { requested: false })
        }
        return { recorded: settlements.length, ignored: results.length - settlements.length }
      })

      const record = Effect.fn("ListenerResults.record")(function*(
        lane: LaneName,
        results: ReadonlyArray<ListenerResult>
      ) {
        if (!(yield* guard.agrees)) return yield* new TemporarilyUnavailable()
        yield* partitions.ensure([attemptsTable], yield* DateTime.now)
        return yield* inTransaction(sql)(recordLocked(lane, results))
      })

      return ListenerResults.of({ record })
    })
  ).pipe(Layer.provide([LaneChanges.layer, ListenersRepo.layer, Partitions.layer, PooledRandomLayer]))
}
