import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Fiber, Layer, Queue, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { connectionsLayer, Notifications } from "../../../src/platform/sql/Connections.ts"
import { startPgBouncer } from "../../harness/PgBouncer.ts"
import { freshDatabaseUrl } from "../../harness/Postgres.ts"

/** Connections through a PgBouncer that shares three connections to the server. */
const PooledLayer = Layer.unwrap(Effect.gen(function*() {
  const sessionUrl = yield* freshDatabaseUrl
  const { url } = yield* startPgBouncer({
    database: sessionUrl,
    settings: { pool_mode: "transaction", default_pool_size: "3" }
  })
  const speaking = { isPooled: true, prepare: false }
  return connectionsLayer({ url: Redacted.make(url), connections: 20, speaking, sessionUrl })
}))

layer(NodeServices.layer, { excludeTestServices: true })(
  "Connections of a pooler in transaction mode",
  (it) => {
    it.effect("keep each transaction whole, whatever others ask meanwhile", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* sql`create table things (id int primary key, made_by text not null)`
        const make = Effect.fnUntraced(function*(id: number) {
          const made_by = yield* sql.withTransaction(Effect.gen(function*() {
            // The first two statements go out with `begin`.
            const [before] = yield* sql`select pg_current_xact_id()::text as transaction`
            yield* sql`insert into things (id, made_by) values (${id}, pg_current_xact_id()::text)`
            const [after] = yield* sql`select pg_current_xact_id()::text as transaction`
            assert.strictEqual(before?.["transaction"], after?.["transaction"])
            return after?.["transaction"]
          }))
          const [own] = yield* sql`select made_by from things where id = ${id}`
          assert.strictEqual(own?.["made_by"], made_by)
        })
        yield* Effect.forEach(Array.from({ length: 500 }, (_, id) => id), make, { concurrency: 50 })
        const [counted] = yield* sql`
          select count(*)::int as things, count(distinct made_by)::int as transactions from things`
        assert.deepStrictEqual(counted, { things: 500, transactions: 500 })
      }).pipe(Effect.provide(PooledLayer)))

    it.effect("cancel what is given up, and nothing else", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const running = sql`
          select count(*)::int as count from pg_stat_activity
          where query like 'insert into slept%' and state = 'active' and datname = current_database()`
        yield* sql`create table slept (at text)`
        const others = yield* Effect
          .forkChild(Effect.forEach(Array.from({ length: 300 }), () => sql`select 1 as one`, { concurrency: 5 }))
        const sleeping = yield* Effect.forkChild(sql`insert into slept select pg_sleep(60)::text`)
        yield* Effect.repeat(running, {
          until: ([row]) => row?.["count"] === 1,
          schedule: Schedule.spaced("20 millis")
        })
        const [took] = yield* Effect.timed(Fiber.interrupt(sleeping))
        assert.isBelow(Duration.toMillis(took), 5000)
        assert.deepStrictEqual(yield* running, [{ count: 0 }])
        assert.lengthOf(yield* Fiber.join(others), 300)
      }).pipe(Effect.provide(PooledLayer)))

    it.effect("are heard past the pooler", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { listen } = yield* Notifications
        const heard = yield* listen("things")
        yield* sql`select pg_notify('things', 'one')`
        assert.strictEqual((yield* Queue.take(heard)).payload, "one")
      }).pipe(Effect.scoped, Effect.provide(PooledLayer)))
  }
)
