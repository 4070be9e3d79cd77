import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { allAtOnce, bothAtOnce } from "../../../src/platform/sql/AtOnce.ts"
import { countingProxy } from "../../bench/CountingProxy.ts"
import { emptyDatabaseUrl, EmptyPostgresLayer, postgresLayerAt } from "../../harness/Postgres.ts"
import { untilBlocked, whileHeld } from "../../harness/Waiting.ts"

const makeRow = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table things (id int primary key, n int not null)`
  yield* sql`insert into things values (1, 0)`
})

const lock = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select from things where id = 1 for update`)
const increment = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`update things set n = n + 1`)
const total = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`select sum(n)::int as n, count(*)::int as rows from things`
)
const insert = (id: number) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql`insert into things values (${id}, 1)`)

layer(EmptyPostgresLayer)("Statements of a transaction that are asked at once", (it) => {
  it.effect("see what those before them have waited for, of all rows", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* makeRow
      // The holder of the lock adds another row after the request.
      const [, [found]] = yield* whileHeld(
        Effect.andThen(lock, insert(2)),
        Effect.tap(
          Effect.forkChild(sql.withTransaction(bothAtOnce(lock, total))),
          untilBlocked()
        )
      ).pipe(Effect.flatMap(Fiber.join))
      assert.deepStrictEqual(found, { n: 1, rows: 2 })
    }))

  it.effect("fail with the first that fails, and leave nothing", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const before = yield* total
      const { reason } = yield* Effect
        .flip(sql.withTransaction(allAtOnce([increment, insert(3), insert(1), insert(4)])))
      assert.strictEqual(reason._tag, "UniqueViolation")
      assert.deepStrictEqual(yield* total, before)
      const refused = yield* Effect
        .flip(sql.withTransaction(bothAtOnce(Effect.andThen(lock, Effect.fail("refused" as const)), total)))
      assert.strictEqual(refused, "refused")
    }))
})

layer(Layer.empty, { excludeTestServices: true })("Between a process and its database", (it) => {
  it.effect("they are one round trip, which the transaction begins in", () =>
    Effect.gen(function*() {
      const { database, reset, traffic } = yield* countingProxy(yield* emptyDatabaseUrl)
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* makeRow
        const change = sql
          .withTransaction(Effect.andThen(bothAtOnce(lock, total), allAtOnce([increment, increment, increment])))
        // Prepares the statements first. The same statement twice at once then has two names.
        yield* Effect.repeat(change, { times: 3 })
        yield* reset
        yield* change
        assert.deepStrictEqual(yield* traffic, { statements: 7, roundTrips: 3 })
        yield* reset
        yield* sql.withTransaction(increment)
        assert.deepStrictEqual(yield* traffic, { statements: 3, roundTrips: 3 })
        yield* reset
        yield* sql.withTransaction(Effect.void)
        assert.deepStrictEqual(yield* traffic, { statements: 0, roundTrips: 0 })
      }).pipe(Effect.provide(postgresLayerAt(database, 2)))
    }))
})
