import { type DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { ClockGuard } from "./ClockGuard.ts"
import { repeatedly } from "./Repeatedly.ts"

/**
 * Deletes once what has expired. Does nothing while the clock is doubtful; a failure is logged and left to the next
 * time.
 */
export type Sweep = Effect.Effect<void, never, ClockGuard | SqlClient.SqlClient>

/**
 * A sweep of the rows that the log calls `what`, with a span of its own. The statements get the moment from which ages
 * count.
 */
export const sweepOf = (
  span: string,
  what: string,
  statements: (sql: SqlClient.SqlClient, at: DateTime.Utc) => Effect.Effect<unknown, SqlError.SqlError>
): Sweep =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const guard = yield* ClockGuard
    yield* guard.sweep(what, (at) => statements(sql, at))
  }).pipe(
    Effect.withSpan(span),
    Effect.catchCause((cause) => Effect.logError(`Expired ${what} were not deleted`, cause))
  )

/** Sweeps one after the other, at the start and then every hour. Any number of processes may do so. */
export const sweeperLayer = (sweeps: ReadonlyArray<Sweep>) =>
  Layer.effectDiscard(repeatedly(Effect.all(sweeps, { discard: true }), {
    every: Duration.hours(1),
    onFailure: "Expired rows were not deleted"
  }))
