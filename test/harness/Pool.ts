import { Effect, Latch } from "effect"
import { SqlClient } from "effect/sql"

/** Runs `work` on each of the 8 connections of `PostgresLayer` that serve one transaction at a time. */
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
 * Opens those 8 connections of `PostgresLayer`, so work that a test starts at once really runs in parallel. A new pool
 * has one connection, and a short race would end before it opens a second.
 */
export const warmPool = Effect.flatMap(SqlClient.SqlClient, (sql) => onEveryConnection(sql`select 1`))
