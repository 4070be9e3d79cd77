import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { bothAtOnce } from "../../../src/platform/sql/AtOnce.ts"
import { AlongFirstWrite, isWrite, joined, rowAlong } from "../../../src/platform/sql/WrittenAlong.ts"
import { EmptyPostgresLayer } from "../../harness/Postgres.ts"

const insert = (first: number) => `insert into notes (id, word) values ($${first}::int, $${first + 1}::text)`

describe("A statement", () => {
  it("writes if it begins so, behind spaces and comments, or if something of it does", () => {
    for (
      const text of [
        "insert into things values ($1)",
        "\n  update things set n = 1",
        "-- why: it is over\ndelete from things",
        "/* select */ MERGE into things using others on true when matched then delete",
        "with old as (select 1) update things set n = 1",
        "with gone as (delete from things returning n) select n from gone",
        "with held as (select n from things for update), new as (insert into things values (1)) select 1"
      ]
    ) assert.isTrue(isWrite(text), text)
    for (
      const text of [
        "select 1",
        "select n from things for update",
        "with held as (select n from things for no key update) select n from held",
        "select updated_at, inserted from deletes",
        "begin",
        "commit",
        "savepoint effect_sql_1",
        "set local lock_timeout = 1",
        "select pg_notify('things', 'update')",
        "-- update things\nselect 1"
      ]
    ) assert.isFalse(isWrite(text), text)
  })

  it("gets the row in front of it, with parameters behind its own", () => {
    const row = "written_along as (insert into notes (id, word) values ($3::int, $4::text))"
    assert.strictEqual(
      joined("update things set n = $1, m = $2::int", 2, insert),
      `with ${row}\nupdate things set n = $1, m = $2::int`
    )
    assert.strictEqual(
      joined("\n  with old as (select $1::int), more as (select $2::int) delete from things", 2, insert),
      `with ${row}, old as (select $1::int), more as (select $2::int) delete from things`
    )
    assert.strictEqual(
      joined("with recursive old as (select $1), more as (select $2) insert into things select 1", 2, insert),
      `with recursive ${row},  old as (select $1), more as (select $2) insert into things select 1`
    )
    assert.strictEqual(
      joined("-- with old as (select '$9')\nupdate things set n = '$8' || $1 || $2", 2, insert),
      `with ${row}\n-- with old as (select '$9')\nupdate things set n = '$8' || $1 || $2`
    )
    assert.strictEqual(
      joined("with/* all */recursive_things as (select $1 || $2) delete from things", 2, insert),
      `with ${row}, recursive_things as (select $1 || $2) delete from things`
    )
  })
})

/** A row with this id, tables to write to, and what is in them. */
const written = Effect.fnUntraced(function*(id: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table if not exists notes (id int primary key, word text not null)`
  yield* sql`create table if not exists things (id int primary key, n int not null check (n < 100))`
  let word = "early"
  const row = rowAlong({ insert, values: () => [id, word] })
  const along = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.provideService(work, AlongFirstWrite, row)
  const notes = Effect.map(sql`select word from notes where id = ${id}`, (found) => found.map((one) => one["word"]))
  const things = Effect.map(
    sql`select id from things where id >= ${id * 10} and id < ${id * 10 + 10} order by id`,
    (found) => found.map((one) => Number(one["id"]) - id * 10)
  )
  const put = (n: number, value = 1) => sql`insert into things (id, n) values (${id * 10 + n}, ${value}) returning id`
  const say = (now: string) => Effect.sync(() => void (word = now))
  return { sql, row, along, notes, things, put, say }
})

layer(EmptyPostgresLayer)("A row that goes along", (it) => {
  it.effect("is written with the first statement that writes, as it is then, and once", () =>
    Effect.gen(function*() {
      const { along, notes, put, row, say, sql, things } = yield* written(1)
      yield* along(Effect.gen(function*() {
        yield* sql`select 1`
        assert.strictEqual(row.state, "owed")
        yield* say("late")
        assert.deepStrictEqual((yield* put(1)).map((one) => one["id"]), [11])
        yield* say("too late")
        yield* put(2)
        yield* sql`update things set n = n + 1 where id = 12`.raw
        yield* sql`delete from things where id = 12`.values
      }))
      assert.deepStrictEqual(yield* notes, ["late"])
      assert.deepStrictEqual(yield* things, [1])
      assert.strictEqual(row.state, "written")
    }))

  it.effect("goes along with every way of running a statement", () =>
    Effect.gen(function*() {
      for (const [n, way] of (["raw", "values", "unprepared", "withoutTransform"] as const).entries()) {
        const { along, notes, put } = yield* written(20 + n)
        yield* along(put(1)[way])
        assert.deepStrictEqual(yield* notes, ["early"], way)
      }
    }))

  it.effect("is not there if the statement fails, and goes along with the next one", () =>
    Effect.gen(function*() {
      const { along, notes, put, row, things } = yield* written(3)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(along(put(1, 100)))))
      assert.deepStrictEqual([yield* notes, row.state], [[], "owed"])
      yield* along(put(2))
      assert.deepStrictEqual([yield* notes, yield* things], [["early"], [2]])
    }))

  it.effect("fails with the statement that it is in", () =>
    Effect.gen(function*() {
      const { along, put, sql, things } = yield* written(4)
      yield* sql`insert into notes values (4, 'before')`
      assert.isTrue(Exit.isFailure(yield* Effect.exit(along(put(1)))))
      assert.deepStrictEqual(yield* things, [])
    }))

  it.effect("is rolled back with its transaction, and written by the next", () =>
    Effect.gen(function*() {
      const { along, notes, put, row, sql, things } = yield* written(5)
      const failing = sql.withTransaction(Effect.andThen(put(1), Effect.fail("no")))
      yield* Effect.exit(along(failing))
      assert.deepStrictEqual([yield* notes, yield* things, row.state, row.hasChanged], [[], [], "owed", false])
      yield* Effect.exit(along(sql.withTransaction(Effect.andThen(put(1), Effect.interrupt))))
      assert.deepStrictEqual([yield* notes, row.state], [[], "owed"])
      // The database refuses to commit what a statement has failed in.
      yield* Effect.exit(along(sql.withTransaction(Effect.andThen(put(1), Effect.exit(put(2, 100))))))
      assert.deepStrictEqual([yield* notes, row.state], [[], "owed"])
      yield* along(sql.withTransaction(put(3)))
      assert.deepStrictEqual([yield* notes, yield* things], [["early"], [3]])
    }))

  it.effect("is rolled back with its savepoint, and written by what comes after it in the transaction", () =>
    Effect.gen(function*() {
      const { along, notes, put, row, sql, things } = yield* written(6)
      const inner = (n: number) => sql.withTransaction(put(n))
      const failing = (n: number) => Effect.exit(sql.withTransaction(Effect.andThen(inner(n), Effect.fail("no"))))
      yield* along(sql.withTransaction(Effect.gen(function*() {
        yield* failing(1)
        assert.strictEqual(row.state, "owed")
        yield* inner(2)
        assert.strictEqual(row.state, "written")
        // Its savepoint is released: this one's has nothing to do with it.
        yield* failing(3)
        assert.strictEqual(row.state, "written")
      })))
      assert.deepStrictEqual([yield* notes, yield* things], [["early"], [2]])
    }))

  it.effect("goes along with one of several that are sent at once", () =>
    Effect.gen(function*() {
      const { along, notes, put, sql, things } = yield* written(7)
      yield* along(sql.withTransaction(bothAtOnce(put(1), put(2))))
      assert.deepStrictEqual([yield* notes, yield* things], [["early"], [1, 2]])
    }))

  it.effect("goes along with nothing once that is over", () =>
    Effect.gen(function*() {
      const { along, notes, put, row, things } = yield* written(8)
      row.state = "over"
      yield* along(put(1))
      assert.deepStrictEqual([yield* notes, yield* things], [[], [1]])
    }))

  it.effect("knows whether anything was changed beside it", () =>
    Effect.gen(function*() {
      const { along, notes, row, sql } = yield* written(9)
      yield* along(sql`update things set n = 2 where id = 99`)
      assert.deepStrictEqual([yield* notes, row.hasChanged], [["early"], false])
      yield* along(sql`insert into things (id, n) values (99, 1)`)
      assert.isTrue(row.hasChanged)
    }))

  it.effect("does not mix up statements of one text with more parameters", () =>
    Effect.gen(function*() {
      const one = yield* written(30)
      const other = yield* written(31)
      yield* one.along(one.sql.unsafe("insert into things (id, n) values ($1, 1)", [300]))
      yield* other.along(other.sql.unsafe("insert into things (id, n) values ($1, 1)", [310]))
      assert.deepStrictEqual([yield* one.notes, yield* other.notes], [["early"], ["early"]])
    }))
})
