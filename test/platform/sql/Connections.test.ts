import { assert, describe, it, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, Queue, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { texts } from "../../../src/platform/sql/Arrays.ts"
import {
  connectionsLayer,
  divide,
  isSharedRead,
  leavesNoTrace,
  Notifications,
  OnBehalfOf
} from "../../../src/platform/sql/Connections.ts"
import { PoolLoads } from "../../../src/platform/sql/PoolLoads.ts"
import { eventually } from "../../harness/Eventually.ts"
import { emptyDatabaseUrl, EmptyPostgresLayer, PostgresLayer } from "../../harness/Postgres.ts"
import { untilBlocked, whileHeld } from "../../harness/Waiting.ts"

/** A table with one row, and functions whose writes the router cannot see. */
const makeRow = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table if not exists things (id int primary key, n int not null)`
  yield* sql`insert into things values (1, 0) on conflict do nothing`
  yield* sql`
    create or replace function hidden_write() returns void language sql as 'update things set n = n + 1'`
  yield* sql`
    create or replace function hidden_lock() returns void language sql as 'select from things for share'`
})

const hold = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select n from things for update`)
const increment = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`update things set n = n + 1`)
const incrementInTransaction = Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(increment))

const times = (count: number) => Array.from({ length: count }, (_, n) => n)

describe("A statement", () => {
  it("shares its connection if it only reads", () => {
    for (
      const text of [
        "select 1",
        "\n  select updated_at, shared, locked_until from lessons order by inserted",
        "with found as (select 1) select * from found",
        "values (1)",
        "table clubs",
        "show lock_timeout"
      ]
    ) assert.isTrue(isSharedRead(text), text)
  })

  it("leaves no trace outside of its transaction if it only reads or locks rows", () => {
    for (
      const text of [
        "select 1",
        "select n from things for update",
        "select n from things\nfor no key update skip locked",
        "with found as (select n from things for share) select * from found for key share"
      ]
    ) assert.isTrue(leavesNoTrace(text), text)
    for (
      const text of [
        "update things set n = 1",
        "savepoint one",
        "set local lock_timeout = 1",
        "select pg_advisory_lock(1)",
        "select pg_notify('a', '')",
        "select n into others from things for update",
        "with gone as (delete from things returning n) select * from gone for update",
        "with changed as (update things set n = 1 returning n) select n from changed for no key update"
      ]
    ) assert.isFalse(leavesNoTrace(text), text)
  })

  it("has a connection of its own if it may wait for anybody", () => {
    for (
      const text of [
        "insert into things values (1)",
        "update things set n = 1",
        "delete from things",
        "with gone as (delete from things returning n) select * from gone",
        "select n from things for update",
        "select n from things\nfor no key update skip locked",
        "select n from things for share",
        "select n from things for key share",
        "select pg_advisory_xact_lock(1)",
        "select pg_try_advisory_lock(1)",
        "select pg_notify('a', '')",
        "select nextval('a')",
        "select n into copy from things",
        "-- a comment\nselect 1",
        "SELECT 1",
        "lock table things",
        "listen a"
      ]
    ) assert.isFalse(isSharedRead(text), text)
  })

  it("finds most connections free of reads, and of few at least one of either kind", () => {
    assert.deepStrictEqual([13, 10, 100, 20, 8, 5, 4, 3, 1].map((connections) => divide(connections)), [
      { lookups: 1, shared: 2, scans: 2, exclusive: 8 },
      { lookups: 1, shared: 2, scans: 2, exclusive: 5 },
      { lookups: 1, shared: 20, scans: 4, exclusive: 75 },
      { lookups: 1, shared: 4, scans: 4, exclusive: 11 },
      { lookups: 1, shared: 1, scans: 1, exclusive: 5 },
      { lookups: 1, shared: 1, scans: 0, exclusive: 3 },
      { lookups: 0, shared: 1, scans: 0, exclusive: 3 },
      { lookups: 0, shared: 1, scans: 0, exclusive: 2 },
      { lookups: 0, shared: 1, scans: 0, exclusive: 1 }
    ])
  })

  it("finds half of a pooler's connections for reads, which have one each", () => {
    assert.deepStrictEqual([20, 10, 6, 5].map((connections) => divide(connections, true)), [
      { lookups: 4, shared: 4, scans: 2, exclusive: 10 },
      { lookups: 2, shared: 2, scans: 1, exclusive: 5 },
      { lookups: 1, shared: 1, scans: 1, exclusive: 3 },
      { lookups: 0, shared: 2, scans: 0, exclusive: 3 }
    ])
  })
})

layer(EmptyPostgresLayer, { excludeTestServices: true })("A shared connection", (it) => {
  it.effect("refuses a write and a locking read that were sent there", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* makeRow
      const refusal = (statement: Effect.Effect<unknown, { readonly reason: { readonly cause: unknown } }>) =>
        Effect.map(Effect.flip(statement), ({ reason }) => String(reason.cause))
      assert.match(yield* refusal(sql`select hidden_write()`), /cannot execute UPDATE in a read-only transaction/)
      assert.match(
        yield* refusal(sql`select hidden_lock()`),
        /cannot execute SELECT FOR SHARE in a read-only transaction/
      )
      // Transactions may do both.
      yield* sql.withTransaction(sql`select hidden_write(), hidden_lock()`)
      assert.deepStrictEqual(yield* sql`select n from things`, [{ n: 1 }])
    }))

  it.effect("is the one with the fewest reads, so that several processes of the server read", () =>
    Effect.gen(function*() {
      const url = yield* emptyDatabaseUrl
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const process = sql`select pg_backend_pid() as pid`
        const found = yield* Effect.all([process, process, process, process], { concurrency: "unbounded" })
        assert.strictEqual(new Set(found.flat().map(({ pid }) => pid)).size, 2)
        // Reads that run one by one need only one connection.
        const alone = yield* Effect.all([process, process, process])
        assert.strictEqual(new Set(alone.flat().map(({ pid }) => pid)).size, 1)
      }).pipe(Effect.provide(connectionsLayer({ url, connections: 13 })))
    }))

  it.effect("is behind nobody who waits for a lock, however many wait", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* makeRow
      yield* whileHeld(
        hold,
        Effect.gen(function*() {
          // With the holder they use every exclusive connection. The others wait for one.
          const waiting = yield* Effect.forkChild(Effect.all([
            ...times(5).map(() => increment),
            ...times(4).map(() => incrementInTransaction)
          ], {
            concurrency: "unbounded"
          }))
          const most = divide(13).exclusive - 1
          while ((yield* sql`select 1 from pg_stat_activity where wait_event_type = 'Lock'`).length < most) {
            yield* Effect.yieldNow
          }
          const reads = yield* Effect.all(times(1000).map(() => sql`select n from things`), { concurrency: 100 })
          assert.strictEqual(reads.length, 1000)
          assert.isUndefined(waiting.pollUnsafe())
          return waiting
        })
      ).pipe(Effect.flatMap(Fiber.join))
      assert.deepStrictEqual(yield* sql`select n >= 9 as all from things`, [{ all: true }])
    }))

  it.effect("is not needed by what waits on behalf of one, whom the others do not wait for", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* makeRow
      yield* sql`insert into things values (2, 0), (3, 0)`
      const write = (id: number) => sql`update things set n = n + 1 where id = ${id}`
      const one = Effect.provideService(OnBehalfOf, "one")
      const other = Effect.provideService(OnBehalfOf, "other")
      yield* whileHeld(
        sql`select n from things where id = 1 for update`,
        Effect.gen(function*() {
          const crowd = yield* Effect.forkChild(Effect.all(
            times(40).map((n) => one(n % 2 === 0 ? write(1) : sql.withTransaction(write(1)))),
            {
              concurrency: "unbounded"
            }
          ))
          yield* untilBlocked(Math.floor(divide(13).exclusive / 2))
          yield* other(write(2))
          yield* other(sql.withTransaction(write(2)))
          yield* write(3)
          assert.isUndefined(crowd.pollUnsafe())
          return crowd
        })
      ).pipe(Effect.flatMap(Fiber.join))
      assert.deepStrictEqual(yield* sql`select id, n from things where id > 1 order by id`, [{ id: 2, n: 2 }, {
        id: 3,
        n: 1
      }])
    }))
})

layer(Layer.empty, { excludeTestServices: true })("Three connections", (it) => {
  it.effect("are enough to listen to two channels, to write and to read at once", () =>
    Effect.gen(function*() {
      const url = yield* emptyDatabaseUrl
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { listen } = yield* Notifications
        const heard = yield* listen("bell")
        const other = yield* listen("horn")
        yield* sql.withTransaction(sql`select pg_notify('bell', 'rung'), pg_notify('horn', 'blown')`)
        assert.strictEqual((yield* Queue.take(heard)).payload, "rung")
        assert.strictEqual((yield* Queue.take(other)).payload, "blown")
        yield* sql`create table things (n int)`
        assert.deepStrictEqual(yield* sql`select n from things`, [])
      }).pipe(Effect.scoped, Effect.provide(connectionsLayer({ url, connections: 3 })))
    }))
})

layer(Layer.empty, { excludeTestServices: true })("A transaction's connection", (it) => {
  it.effect("refuses what a fiber asks of it that outlives the transaction, since it is somebody else's by then", () =>
    Effect.gen(function*() {
      const url = yield* emptyDatabaseUrl
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* sql`create table things (who text)`
        const insert = sql`insert into things values ('late') returning who`
        for (const late of [insert, sql.withTransaction(insert), Stream.runCollect(insert.stream)]) {
          const [begun, asked] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
          const outliving = yield* sql
            .withTransaction(Effect.andThen(
              sql`select 1`,
              Effect.forkDetach(Effect.andThen(Deferred.await(begun), late))
            ))
          // The pool has one connection for transactions.
          const other = yield* Effect.forkChild(sql.withTransaction(Effect.gen(function*() {
            yield* sql`insert into things values ('other')`
            yield* Deferred.succeed(begun, undefined)
            yield* Deferred.await(asked)
          })))
          const exit = yield* Fiber.await(outliving)
          yield* Deferred.succeed(asked, undefined)
          yield* Fiber.join(other)
          assert.match(Exit.isFailure(exit) ? String(exit.cause) : "accepted", /The transaction is over/)
        }
        assert.deepStrictEqual(yield* sql`select distinct who from things`, [{ who: "other" }])
      }).pipe(Effect.provide(connectionsLayer({ url, connections: 2 })))
    }))
})

/** Functions that only triggers call. They write, which a shared connection refuses. */
const ofTriggers = ["add_storage"]

layer(PostgresLayer)("The schema", (it) => {
  it.effect("has no function in which a read could wait", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const found = yield* sql`
        select proname from pg_proc
        where pronamespace = 'public'::regnamespace and provolatile = 'v' and prorettype <> 'trigger'::regtype
          and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
          and proname <> all(${texts(ofTriggers)})`
      assert.deepStrictEqual(found, [])
    }))
})

const exclusiveLoad = Effect.map(PoolLoads, (loads) => {
  const load = [...loads].find(({ kind }) => kind === "exclusive")
  return load ?? assert.fail("Nothing shows how the pool is taken up")
})

layer(Layer.empty, { excludeTestServices: true })("What waits for a connection", (it) => {
  it.effect("is counted and timed, also where it is given up, and what finds one free is not", () =>
    Effect.gen(function*() {
      const url = yield* emptyDatabaseUrl
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const load = yield* exclusiveLoad
        const go = yield* Deferred.make<void>()
        const held = sql.withTransaction(Effect.andThen(sql`select 1`, Deferred.await(go)))
        yield* sql.withTransaction(sql`select 1`)
        assert.deepStrictEqual([load.waits(), load.waiting()], [{ count: 0, seconds: 0 }, 0])

        const fibers = yield* Effect.forEach(
          times(load.places + 2),
          () => Effect.forkChild(held, { startImmediately: true })
        )
        yield* eventually(
          Effect.sync(() => [load.waiting(), load.inUse()]),
          ([waiting, inUse]) => waiting === 2 && inUse === load.places
        )
        yield* Effect.forEach(fibers.slice(-1), Fiber.interrupt)
        assert.deepStrictEqual([load.waiting(), load.waits().count], [1, 1])
        yield* Effect.sleep("400 millis")
        yield* Deferred.succeed(go, undefined)
        yield* Effect.forEach(fibers.slice(0, -1), Fiber.join)
        assert.deepStrictEqual([load.waiting(), load.inUse(), load.waits().count], [0, 0, 2])
        assert.isAbove(load.waits().seconds, 0.3)
        assert.isBelow(load.waits().seconds, 10)
      }).pipe(Effect.provide(connectionsLayer({ url, connections: 4 })))
    }))
})
