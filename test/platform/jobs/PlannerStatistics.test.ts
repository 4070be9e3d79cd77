import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { TestClock } from "effect/testing"
import { makeCountGrownTables, PlannerStatisticsLayer } from "../../../src/platform/jobs/PlannerStatistics.ts"
import { one, rows } from "../../../src/platform/sql/Rows.ts"
import { eventually } from "../../harness/Eventually.ts"
import { EmptyPostgresLayer } from "../../harness/Postgres.ts"
import { SpansLayer, traced } from "../../harness/Statements.ts"

const decodePlan = one(Schema.Struct({
  "QUERY PLAN": Schema.Tuple([Schema.Struct({
    Plan: Schema.Struct({ "Plan Rows": Schema.Finite })
  })])
}))

const decodeNames = rows(Schema.Struct({ relname: Schema.String }))

const club = "0192f0c1-2a3b-7c4d-8e5f-000000000001"

/** A table like those of clubs, without PostgreSQL's own analysis. */
const madeTable = Effect.fnUntraced(function*(name: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table ${sql(name)} (club_id uuid, id int, primary key (club_id, id)) with (autovacuum_enabled = off)`
})

// A server reports its writes at most once a second, unless a flush forces it.
const fill = Effect.fnUntraced(function*(name: string, from: number, to: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`insert into ${sql(name)} select ${club}, generate_series(${from}::int, ${to}::int)`.pipe(
    Effect.andThen(sql`select pg_stat_force_next_flush()`),
    sql.withTransaction
  )
})

const countGrownTables = Effect.flatten(makeCountGrownTables)

/** The rows of the club that a plan expects. */
const expected = Effect.fnUntraced(function*(name: string) {
  const sql = yield* SqlClient.SqlClient
  const plan = yield* sql`explain (format json) select from ${sql(name)} where club_id = ${club}`.pipe(decodePlan)
  return plan["QUERY PLAN"][0].Plan["Plan Rows"]
})

const isCounted = Effect.fnUntraced(function*(name: string) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql`select relname from pg_class where relname = ${name} and reltuples >= 0`.pipe(decodeNames)
  return found.length === 1
})

layer(EmptyPostgresLayer.pipe(Layer.provideMerge(SpansLayer)))("Grown tables", (it) => {
  it.effect("are counted, so that a plan knows how many rows a club has", () =>
    Effect.gen(function*() {
      yield* madeTable("grown")
      yield* fill("grown", 1, 5_000)
      assert.isBelow(yield* expected("grown"), 500)
      assert.deepStrictEqual(yield* countGrownTables, ["grown"])
      assert.strictEqual(yield* expected("grown"), 5_000)
    }))

  it.effect("are counted again once they have more than twice the rows, and a hundred", () =>
    Effect.gen(function*() {
      yield* madeTable("growing")
      yield* fill("growing", 1, 100)
      assert.deepStrictEqual(yield* countGrownTables, [])
      yield* fill("growing", 101, 101)
      assert.deepStrictEqual(yield* countGrownTables, ["growing"])
      yield* fill("growing", 102, 302)
      assert.deepStrictEqual(yield* countGrownTables, [])
      yield* fill("growing", 303, 303)
      assert.deepStrictEqual(yield* countGrownTables, ["growing"])
      yield* fill("growing", 304, 706)
      assert.deepStrictEqual(yield* countGrownTables, [])
      yield* fill("growing", 707, 707)
      assert.deepStrictEqual(yield* countGrownTables, ["growing"])
    }))

  it.effect("that belong to others are left alone", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* madeTable("foreign_table")
      yield* fill("foreign_table", 1, 500)
      const role = `reader_${crypto.randomUUID().replaceAll("-", "")}`
      yield* sql`create role ${sql(role)}`
      yield* sql`grant select on foreign_table to ${sql(role)}`
      const asReader = Effect.andThen(sql`set local role ${sql(role)}`, countGrownTables)
      assert.deepStrictEqual(yield* sql.withTransaction(asReader), [])
      yield* sql`drop owned by ${sql(role)}`
      yield* sql`drop role ${sql(role)}`
      assert.deepStrictEqual(yield* countGrownTables, ["foreign_table"])
    }))

  it.effect("that somebody else counts are left to them", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* madeTable("held")
      yield* fill("held", 1, 500)
      const [isHeld, mayEnd] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const holder = yield* sql`lock table held in share update exclusive mode`.pipe(
        Effect.andThen(Deferred.succeed(isHeld, undefined)),
        Effect.andThen(Deferred.await(mayEnd)),
        sql.withTransaction,
        Effect.forkChild
      )
      yield* Deferred.await(isHeld)
      assert.deepStrictEqual(yield* countGrownTables, ["held"])
      assert.isFalse(yield* isCounted("held"))
      yield* Deferred.succeed(mayEnd, undefined)
      yield* Fiber.join(holder)
      yield* countGrownTables
      assert.isTrue(yield* isCounted("held"))
    }))

  it.effect("are counted but for one that cannot be, which is not tried again", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* Effect.forEach(["broken", "sound"], (name) => Effect.andThen(madeTable(name), fill(name, 1, 500)))
      yield* sql`
        create function failing(id int) returns int immutable language plpgsql as $$
          begin if current_setting('turma.sound', true) = 'on' then return id; end if; raise exception 'no'; end $$`
      yield* sql`create index on broken (failing(id))`.pipe(
        (indexing) => Effect.andThen(sql`set local turma.sound = 'on'`, indexing),
        sql.withTransaction
      )
      const count = yield* makeCountGrownTables
      assert.deepStrictEqual(yield* count, ["broken", "sound"])
      assert.deepStrictEqual([yield* isCounted("broken"), yield* isCounted("sound")], [false, true])
      assert.deepStrictEqual(yield* count, [])
      yield* sql`drop table broken`
    }))

  it.effect("are counted whatever the schema is called", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`create schema "My-Club"`
      const inSchema = Effect.andThen(sql`set local search_path to "My-Club", public`, countGrownTables)
      assert.deepStrictEqual(yield* sql.withTransaction(inSchema), [])
    }))

  it.effect("are looked for while the process writes, and only then", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* madeTable("written")
      yield* fill("written", 1, 500)
      yield* Layer.build(PlannerStatisticsLayer)
      const looksAfter = Effect.fnUntraced(function*(work: Effect.Effect<unknown, SqlError.SqlError>) {
        yield* work
        const [, begun] = yield* traced(TestClock.adjust("2 seconds"))
        return begun.filter(({ name }) => name === "countGrownTables").length
      })
      const write = sql`update written set id = -id where id = 1`
      assert.strictEqual(yield* looksAfter(Effect.replicateEffect(sql`select from written`, 20)), 0)
      assert.strictEqual(yield* looksAfter(Effect.replicateEffect(write, 9)), 0)
      assert.strictEqual(yield* looksAfter(write), 1)
      yield* eventually(isCounted("written"), (counted) => counted)
    }))
})
