import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { allAtOnce, bothAtOnce } from "../../../src/platform/sql/AtOnce.ts"
import { EmptyPostgresLayer } from "../../harness/Postgres.ts"
import { untilBlocked, whileHeld } from "../../harness/Waiting.ts"

const makeRow = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table things (id int primary key, n int not null)`
  yield* sql`insert into things values (1, 0)`
})

const hold = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select n from things for update`)
const increment = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`update things set n = n + 1`)
const read = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select n from things`)

layer(EmptyPostgresLayer, { excludeTestServices: true })("A statement that is interrupted while it waits", (it) => {
  it.effect("is canceled at the server before its connection is anybody else's", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* makeRow
      const waiting = [
        increment,
        sql.withTransaction(increment),
        sql.withTransaction(Effect.andThen(read, increment)),
        sql.withTransaction(sql.withTransaction(increment)),
        sql.withTransaction(bothAtOnce(hold, read)),
        sql.withTransaction(Effect.andThen(read, allAtOnce([increment, increment, increment])))
      ]
      for (const statement of waiting) {
        yield* whileHeld(
          hold,
          Effect.gen(function*() {
            const fiber = yield* Effect.forkChild(statement)
            yield* untilBlocked()
            const [took] = yield* Effect.timed(Fiber.interrupt(fiber))
            // Without it, the statement would give up on the lock after ten seconds.
            assert.isBelow(Duration.toMillis(took), 5_000)
            const left = yield* sql.withTransaction(sql`
              select state from pg_stat_activity
              where datname = current_database() and pid <> pg_backend_pid()
                and (wait_event_type = 'Lock' or query like 'update%' and state <> 'idle')`)
            assert.deepStrictEqual(left, [])
          })
        )
        assert.deepStrictEqual(yield* read, [{ n: 0 }])
      }
      // All connections are as they were: each carries out a transaction.
      yield* Effect.all(Array.from({ length: 16 }, () => sql.withTransaction(increment)), { concurrency: 8 })
      assert.deepStrictEqual(yield* read, [{ n: 16 }])
    }))
})
