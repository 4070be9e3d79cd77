import { assert, describe, it, layer } from "@effect/vitest"
import { Clock, Context, DateTime, Deferred, Duration, Effect, Fiber, Layer, type Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { connectionsLayer } from "../../../src/platform/sql/Connections.ts"
import { type PartitionedTable, Partitions } from "../../../src/platform/sql/Partitions.ts"
import { floorOf, timeOf } from "../../../src/platform/sql/Uuid7.ts"
import { freshDatabaseUrl, PostgresLayer } from "../../harness/Postgres.ts"
import { SpansLayer, statements } from "../../harness/Statements.ts"

const saturday = DateTime.makeUnsafe("2026-11-21T10:00:00Z")

/** This many days from the Saturday on which every test begins. */
const from = (count: number) => DateTime.addDuration(saturday, Duration.days(count))

/** Sets the clock to Saturday and makes a table for this test: only this test makes and drops its partitions. */
const madeTable = Effect.fnUntraced(function*(table: string, period: PartitionedTable["period"]) {
  yield* TestClock.setTime(DateTime.toEpochMillis(saturday))
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table ${sql(table)} (
      id uuid not null primary key, body text not null default 'none', check (body <> '')
    ) partition by range (id)`
  yield* sql`create index on ${sql(table)} (body)`
  return { table, period } satisfies PartitionedTable
})

const partitions = Effect.fnUntraced(function*({ table }: PartitionedTable) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ name: string }>`
    select c.relname::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${table}::text::regclass order by c.relname`
  return rows.map(({ name }) => name.slice(table.length + 1))
})

const insert = Effect.fnUntraced(function*({ table }: PartitionedTable, id: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`insert into ${sql(table)} (id) values (${id})`
})

describe("The floor of a moment", () => {
  it.prop(
    "is below every UUIDv7 of its millisecond and above every one of the millisecond before",
    { at: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2 ** 48 - 1 })) },
    ({ at }) => {
      const hex = (time: number) => time.toString(16).padStart(12, "0")
      const uuid = (time: number, rest: string) => `${hex(time).slice(0, 8)}-${hex(time).slice(8)}-${rest}`
      const floor = floorOf(DateTime.makeUnsafe(at))
      assert.isBelow(floor.localeCompare(uuid(at, "7000-8000-000000000000")), 0)
      assert.isAbove(floor.localeCompare(uuid(at - 1, "7fff-bfff-ffffffffffff")), 0)
      assert.strictEqual(DateTime.toEpochMillis(timeOf(floor)), at)
    }
  )

  it("is the lowest id of all before 1970", () => {
    assert.strictEqual(floorOf(DateTime.makeUnsafe(-1)), "00000000-0000-0000-0000-000000000000")
  })

  it.effect("tells the time as the ids that are made do", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(1_800_000_000_000)
      const id = yield* Effect.flatMap(SecureRandom.SecureRandom, (random) => random.uuidV7())
      assert.strictEqual(DateTime.toEpochMillis(timeOf(id)), 1_800_000_000_000)
    }).pipe(Effect.provide(SecureRandom.layerWebCrypto)))
})

/** An open transaction that has written to the table and read it. */
const holding = Effect.fnUntraced(function*(table: PartitionedTable) {
  const sql = yield* SqlClient.SqlClient
  const [used, done] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const user = yield* Effect.forkChild(sql.withTransaction(Effect.gen(function*() {
    yield* insert(table, floorOf(from(0)))
    yield* sql`select 1 from ${sql(table.table)}`
    yield* Deferred.succeed(used, undefined)
    yield* Deferred.await(done)
  })))
  yield* Deferred.await(used)
  return { end: Effect.andThen(Deferred.succeed(done, undefined), Fiber.join(user)) }
})

const TestLayer = Partitions.layer.pipe(Layer.provideMerge(PostgresLayer), Layer.provideMerge(SpansLayer))

layer(TestLayer)("Partitions", (it) => {
  it.effect("are made by the day, from the given day to 7 days ahead", () =>
    Effect.gen(function*() {
      const table = yield* madeTable("by_day", "day")
      yield* Effect.flatMap(Partitions, ({ ensure }) => ensure([table], from(-2)))
      const november = [19, 20, 21, 22, 23, 24, 25, 26, 27, 28].map((day) => `202611${day}`)
      assert.deepStrictEqual(yield* partitions(table), november)
    }))

  it.effect("are made by the week from Monday, from the given week to 2 weeks ahead", () =>
    Effect.gen(function*() {
      const table = yield* madeTable("by_week", "week")
      yield* Effect.flatMap(Partitions, ({ ensure }) => ensure([table], from(-6)))
      assert.deepStrictEqual(yield* partitions(table), ["20261109", "20261116", "20261123", "20261130"])
    }))

  it.effect("go back no further than 120 periods", () =>
    Effect.gen(function*() {
      const table = yield* madeTable("far_back", "week")
      yield* Effect.flatMap(Partitions, ({ ensure }) => ensure([table], from(-5000)))
      assert.strictEqual((yield* partitions(table)).length, 120 + 1 + 2)
    }))

  it.effect("are made up to now for a moment that is still to come", () =>
    Effect.gen(function*() {
      const table = yield* madeTable("to_come", "week")
      yield* Effect.flatMap(Partitions, ({ ensure }) => ensure([table], from(100)))
      assert.deepStrictEqual(yield* partitions(table), ["20261116", "20261123", "20261130"])
    }))

  it.effect("hold an id at either end of their time, with the checks and indexes of the table", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const table = yield* madeTable("bounds", "day")
      yield* Effect.flatMap(Partitions, ({ ensure }) => ensure([table], from(0)))
      const [begin, end] = [DateTime.makeUnsafe("2026-11-22"), DateTime.makeUnsafe("2026-11-23")]
      yield* insert(table, floorOf(begin))
      yield* insert(table, `${floorOf(DateTime.subtract(end, { milliseconds: 1 })).slice(0, 14)}7fff-bfff-ffffffffffff`)
      yield* insert(table, floorOf(end))
      assert.strictEqual((yield* sql`select 1 from bounds_20261122`).length, 2)
      const indexes = sql<{ valid: boolean }>`
        select indisvalid as valid from pg_index where indrelid = 'bounds_20261122'::regclass`
      assert.deepStrictEqual(yield* indexes, [{ valid: true }, { valid: true }])
      const refused = yield* Effect.flip(sql`insert into bounds values (${floorOf(from(1))}, '')`)
      assert.strictEqual(refused.reason._tag, "ConstraintError")
    }))

  it.effect("are free to ask for once they have been asked for", () =>
    Effect.gen(function*() {
      const service = yield* Partitions
      const table = yield* madeTable("asked", "day")
      yield* service.ensure([table], from(0))
      assert.deepStrictEqual(yield* statements(service.ensure([table], from(0))), [])
    }))

  it.effect("of another table are not taken for this one's", () =>
    Effect.gen(function*() {
      const service = yield* Partitions
      const [first, second] = [yield* madeTable("first", "day"), yield* madeTable("second", "day")]
      yield* service.ensure([first], from(0))
      yield* service.ensure([first, second], from(0))
      assert.strictEqual((yield* partitions(second)).length, 8)
    }))

  it.effect("are made for an earlier moment than has been asked for", () =>
    Effect.gen(function*() {
      const service = yield* Partitions
      const table = yield* madeTable("earlier", "day")
      yield* service.ensure([table], from(0))
      yield* service.ensure([table], from(-1))
      assert.strictEqual((yield* partitions(table))[0], "20261120")
    }))

  it.effect("are made again when a transaction in which they were made is rolled back", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const service = yield* Partitions
      const table = yield* madeTable("rolled_back", "day")
      yield* Effect.exit(sql.withTransaction(Effect.andThen(service.ensure([table], from(0)), Effect.fail("no"))))
      assert.deepStrictEqual(yield* partitions(table), [])
      yield* service.ensure([table], from(0))
      assert.strictEqual((yield* partitions(table)).length, 8)
    }))

  it.effect("are made while somebody reads and writes the table", () =>
    Effect.gen(function*() {
      const service = yield* Partitions
      const table = yield* madeTable("in_use", "day")
      yield* service.ensure([table], from(0))
      const inUse = yield* holding(table)
      yield* service.ensure([table], from(-3))
      assert.include(yield* partitions(table), "20261118")
      yield* inUse.end
    }))
})

layer(TestLayer)("In 1970", (it) => {
  it.effect("partitions begin where ids begin", () =>
    Effect.gen(function*() {
      const service = yield* Partitions
      const [daily, weekly] = [yield* madeTable("daily", "day"), yield* madeTable("weekly", "week")]
      yield* TestClock.setTime(0)
      yield* service.ensure([daily, weekly], DateTime.makeUnsafe(-30 * 86_400_000))
      yield* insert(daily, floorOf(DateTime.makeUnsafe(0)))
      yield* insert(weekly, floorOf(DateTime.makeUnsafe(0)))
      assert.deepStrictEqual((yield* partitions(daily))[0], "19700101")
      assert.deepStrictEqual(yield* partitions(weekly), ["19691229", "19700105", "19700112"])
    }))
})

layer(TestLayer)("As days pass", (it) => {
  it.effect("the next partitions are made, and nothing is asked in between", () =>
    Effect.gen(function*() {
      const service = yield* Partitions
      const table = yield* madeTable("passing", "day")
      const ensure = Effect.flatMap(DateTime.now, (now) => service.ensure([table], now))
      yield* ensure
      yield* TestClock.adjust("13 hours")
      assert.deepStrictEqual(yield* statements(ensure), [])
      yield* TestClock.adjust("1 hour")
      yield* ensure
      assert.deepStrictEqual((yield* partitions(table)).slice(-2), ["20261128", "20261129"])
    }))

  it.effect("what another process has dropped is made again when it is asked for a minute later", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const service = yield* Partitions
      const table = yield* madeTable("behind", "day")
      yield* service.ensure([table], from(-2))
      yield* sql`drop table behind_20261119`
      yield* TestClock.adjust("59 seconds")
      assert.deepStrictEqual(yield* statements(service.ensure([table], from(-2))), [])
      yield* TestClock.adjust("1 second")
      yield* service.ensure([table], from(-2))
      assert.include(yield* partitions(table), "20261119")
    }))
})

layer(TestLayer)("Dropping partitions", (it) => {
  it.effect("removes those that end by the moment given, and says which", () =>
    Effect.gen(function*() {
      const service = yield* Partitions
      const table = yield* madeTable("dropped", "day")
      yield* service.ensure([table], from(-3))
      const end = DateTime.makeUnsafe("2026-11-20")
      const before = DateTime.subtract(end, { milliseconds: 1 })
      assert.deepStrictEqual(yield* service.drop(table, before), ["dropped_20261118"])
      assert.deepStrictEqual(yield* service.drop(table, end), ["dropped_20261119"])
      assert.deepStrictEqual(yield* service.drop(table, end), [])
      assert.deepStrictEqual((yield* partitions(table)).slice(0, 2), ["20261120", "20261121"])
    }))

  it.effect("is noticed by who asks for them again", () =>
    Effect.gen(function*() {
      const service = yield* Partitions
      const table = yield* madeTable("wanted_again", "day")
      yield* service.ensure([table], from(-1))
      yield* service.drop(table, from(0))
      yield* service.ensure([table], from(-1))
      assert.include(yield* partitions(table), "20261120")
    }))

  it.effect("leaves one that is in use to the next time", () =>
    Effect.gen(function*() {
      const service = yield* Partitions
      const table = yield* madeTable("busy", "day")
      yield* service.ensure([table], from(-2))
      const inUse = yield* holding(table)
      const tried = yield* statements(service.drop(table, from(0)))
      assert.strictEqual(tried.filter((statement) => statement === "transaction").length, 1)
      assert.strictEqual((yield* partitions(table)).length, 2 + 8)
      yield* inUse.end
      assert.deepStrictEqual(yield* service.drop(table, from(0)), ["busy_20261119", "busy_20261120"])
    }))
})

/** The service of another process, with its own connections and real timers. */
const inProcess = (url: Redacted.Redacted) =>
  Layer.build(Layer.fresh(Partitions.layer).pipe(
    Layer.provideMerge(connectionsLayer({ url, connections: 4 })),
    Layer.provide(Layer.sync(Clock.Clock, () => Clock.Clock.defaultValue()))
  ))

it.effect("Several processes make and drop the same partitions at once, each of them once", () =>
  Effect.gen(function*() {
    const url = yield* freshDatabaseUrl
    const [one, two] = [yield* inProcess(url), yield* inProcess(url)]
    const table = yield* Effect.provide(madeTable("shared", "day"), one)
    const services = [one, two].map((context) => Context.get(context, Partitions))
    const together = <A>(ask: (service: Partitions["Service"]) => Effect.Effect<A>) =>
      Effect.all([...services, ...services, ...services, ...services].map(ask), { concurrency: "unbounded" })
    yield* together(({ ensure }) => ensure([table], from(-30)))
    assert.strictEqual((yield* Effect.provide(partitions(table), one)).length, 30 + 8)
    const dropped = yield* together(({ drop }) => drop(table, from(-10)))
    assert.strictEqual(dropped.flat().length, 20)
    assert.strictEqual((yield* Effect.provide(partitions(table), two)).length, 10 + 8)
  }))
