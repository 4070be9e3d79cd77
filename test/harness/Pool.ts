import { Effect, Latch } from "effect"
import { SqlClient } from "effect/sql"

/** Does this on each of the 8 connections of `PostgresLayer` that are for one at a time. */
export const onEveryConnection = Effect.fnUntraced(function*<E, R>(work: Effect.Effect<unknown, E, R>) {
  const sql = yield* SqlClient.SqlClient
  const all = yield* Latch.make()
  let open = 0
  const connect = sql.withTransaction(Effect.gen(function*() {
    yield* work
    open += 1
    if (open === 8) yield* all.open
    yield* all.await
  }))
  yield* Effect.all(Array.from({ length: 8 }, () => connect), { concurrency: "unbounded", discard: true })
})

/**
 * Opens those 8 connections of `PostgresLayer`, so that what a test does at once really runs side by side: a new pool
 * has one connection, and a short race would be over before it has two.
 */
export const warmPool = Effect.flatMap(SqlClient.SqlClient, (sql) => onEveryConnection(sql`select 1`))
