import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"

/** Ends once so many statements of this database wait for a lock of another transaction. */
export const untilBlocked = Effect.fnUntraced(function*(count = 1) {
  const sql = yield* SqlClient.SqlClient
  // Each transaction takes a connection and asks again.
  const blocked = sql.withTransaction(sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  while ((yield* blocked).length < count) yield* Effect.yieldNow
})

/** Locks the rows in another transaction for as long as the work lasts. */
export const whileHeld = Effect.fnUntraced(function*<A, E, R, B, E2, R2>(
  rows: Effect.Effect<B, E2, R2>,
  work: Effect.Effect<A, E, R>
) {
  const sql = yield* SqlClient.SqlClient
  const [held, done] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const holder = yield* Effect.forkChild(sql.withTransaction(Effect.gen(function*() {
    // Our bound ends a transaction that does nothing for 30 seconds.
    yield* sql`set local idle_in_transaction_session_timeout = 0`
    yield* rows
    yield* Deferred.succeed(held, undefined)
    yield* Deferred.await(done)
  })))
  yield* Deferred.await(held)
  const answer = yield* Effect.ensuring(work, Deferred.succeed(done, undefined))
  yield* Fiber.join(holder)
  return answer
})
