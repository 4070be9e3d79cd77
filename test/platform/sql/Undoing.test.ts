import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { onRollback } from "../../../src/platform/sql/Undoing.ts"
import { EmptyPostgresLayer } from "../../harness/Postgres.ts"

/** Does numbered work, and knows which numbers a rollback has undone. */
const doing = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const done: Array<number> = []
  const undone: Array<number> = []
  const put = (n: number) =>
    Effect.withFiber((fiber) => {
      done.push(n)
      onRollback(sql, fiber, () => {
        done.splice(done.indexOf(n), 1)
        undone.push(n)
      })
      return Effect.asVoid(sql`select ${n}::int as n`)
    })
  const failing = <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.exit(sql.withTransaction(Effect.andThen(work, Effect.fail("no"))))
  return { sql, put, failing, done, undone }
})

layer(EmptyPostgresLayer)("What is done in a transaction", (it) => {
  it.effect("stays done once that is committed, and outside of any at once", () =>
    Effect.gen(function*() {
      const { done, failing, put, sql, undone } = yield* doing
      yield* put(1)
      yield* sql.withTransaction(Effect.andThen(put(2), sql.withTransaction(put(3))))
      yield* failing(sql`select 1`)
      assert.deepStrictEqual([done, undone], [[1, 2, 3], []])
    }))

  it.effect("is taken back when that is rolled back, the last first", () =>
    Effect.gen(function*() {
      const { done, failing, put, sql, undone } = yield* doing
      yield* failing(Effect.andThen(put(1), sql.withTransaction(put(2))))
      yield* Effect.exit(sql.withTransaction(Effect.andThen(put(3), Effect.interrupt)))
      assert.deepStrictEqual([done, undone], [[], [2, 1, 3]])
    }))

  it.effect("is taken back with its savepoint alone, and with the savepoint around one that was released", () =>
    Effect.gen(function*() {
      const { done, failing, put, sql, undone } = yield* doing
      yield* sql.withTransaction(Effect.gen(function*() {
        yield* put(1)
        yield* failing(put(2))
        yield* sql.withTransaction(put(3))
        yield* failing(sql.withTransaction(put(4)))
      }))
      assert.deepStrictEqual([done, undone], [[1, 3], [2, 4]])
    }))

  it.effect("is taken back when the database refuses to commit", () =>
    Effect.gen(function*() {
      const { done, put, sql, undone } = yield* doing
      yield* Effect.exit(sql.withTransaction(Effect.andThen(put(1), Effect.exit(sql`select 1 / 0`))))
      assert.deepStrictEqual([done, undone], [[], [1]])
    }))
})
