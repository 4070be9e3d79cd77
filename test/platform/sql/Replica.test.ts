import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Fiber, Layer, Logger, Option, type Redacted, Schedule } from "effect"
import { SecureRandom } from "effect/crypto"
import { PrometheusMetrics } from "effect/observability"
import { SqlClient } from "effect/sql"
import { Connections, connectionsLayer, OnBehalfOf } from "../../../src/platform/sql/Connections.ts"
import { scanLimit, scanning } from "../../../src/platform/sql/ReadLane.ts"
import { MayReadReplica } from "../../../src/platform/sql/Replica.ts"
import { isTooLong } from "../../../src/platform/sql/SqlState.ts"
import { freeze } from "../../harness/Freeze.ts"
import { startOwnPostgres } from "../../harness/OwnPostgres.ts"
import { freshDatabaseUrl } from "../../harness/Postgres.ts"
import { startReplicas, startReplicated } from "../../harness/Replica.ts"
import { tell } from "../../harness/tell.ts"

// Takes long: each test makes a replica and waits until it falls behind.

/** The rows of `things`, and the place of the read. */
const look = Effect.fnUntraced(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`select pg_is_in_recovery() as there, (select count(*)::int from things) as things`
    .pipe(Effect.provideService(MayReadReplica, true))
  return [rows[0]?.["things"], rows[0]?.["there"] === true ? "replica" : "primary"]
})

const add = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`insert into things default values`)

const until = <A, E, R>(asked: Effect.Effect<A, E, R>, is: (answer: A) => boolean) =>
  Effect.repeat(asked, { until: is, schedule: Schedule.spaced("50 millis") })

const fault = Effect.flatMap(
  Connections,
  ({ replicaFault }) =>
    Option.match(replicaFault, {
      onNone: () => Effect.die("No replica"),
      onSome: (ask) => Effect.map(ask, Option.getOrUndefined)
    })
)

/** The metric for the distance behind the primary. */
const figureBehind = Effect.map(
  PrometheusMetrics.format(),
  (text) => Number(/^turma_replica_behind_bytes (\d+)$/m.exec(text)?.[1])
)

const TestLayer = Layer.merge(NodeServices.layer, SecureRandom.layerWebCrypto)

/** A server with a table, the replica that takes over from it, and another replica. */
const twoReplicas = Effect.gen(function*() {
  const { primary, replicas: [next = assert.fail(), last = assert.fail()] } = yield* startReplicas(2)
  yield* tell(primary.url, "create table things (id int generated always as identity)")
  return { primary, next, last }
})

layer(TestLayer, { excludeTestServices: true })("A replica for lists", (it) => {
  it.effect("is read there, sees all that is committed, and is left alone while it cannot", () =>
    Effect.gen(function*() {
      const { primary, promote, start, stop, url } = yield* startReplicated
      yield* Effect.gen(function*() {
        yield* tell(primary.url, "create table things (id int generated always as identity)")
        assert.deepStrictEqual(yield* until(look(), ([, place]) => place === "replica"), [0, "replica"])
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* sql`select pg_is_in_recovery() as there`, [{ there: false }])

        // Each write is visible at once, at the primary and at the replica.
        for (let n = 1; n <= 100; n++) {
          yield* add
          assert.strictEqual((yield* look())[0], n)
        }
        yield* until(look(), ([, place]) => place === "replica")

        yield* tell(url, "select pg_wal_replay_pause()")
        yield* add
        assert.deepStrictEqual(yield* look(), [101, "primary"])
        const late = yield* until(fault, (why) => /bytes of the log behind/.test(String(why)))
        const behind = /^it is (\d+) bytes of the log behind$/.exec(String(late))
        assert.strictEqual(yield* figureBehind, Number(behind?.[1]))
        assert.isAbove(Number(behind?.[1]), 0)
        yield* tell(url, "select pg_wal_replay_resume()")
        assert.deepStrictEqual(yield* until(look(), ([, place]) => place === "replica"), [101, "replica"])
        assert.isUndefined(yield* fault)
        assert.strictEqual(yield* figureBehind, 0)

        yield* stop
        assert.deepStrictEqual(yield* look(), [101, "primary"])
        yield* add
        assert.deepStrictEqual(yield* look(), [102, "primary"])
        assert.match(String(yield* fault), /^it cannot be asked: /)
        yield* start
        assert.deepStrictEqual(yield* until(look(), ([, place]) => place === "replica"), [102, "replica"])

        // A promoted replica is a separate database, so reads must not go there.
        yield* promote
        yield* tell(url, "insert into things default values")
        assert.deepStrictEqual(yield* look(), [102, "primary"])
        yield* add
        yield* Effect.sleep("1100 millis")
        assert.deepStrictEqual(yield* look(), [103, "primary"])
        assert.match(String(yield* fault), /promoted/)
      }).pipe(Effect.provide(connectionsLayer({ url: primary.url, connections: 5, readUrl: url })))
    }))

  it.effect("answers writers that read at the same time what each has written", () =>
    Effect.gen(function*() {
      const { primary, url } = yield* startReplicated
      yield* tell(primary.url, "create table things (id int)")
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const places: Array<unknown> = []
        let nextId = 0
        const writeAndRead = Effect.gen(function*() {
          const id = nextId++
          yield* sql`insert into things (id) values (${id})`
          const rows = yield* sql`
            select pg_is_in_recovery() as there, count(*)::int as things from things where id = ${id}`
            .pipe(Effect.provideService(MayReadReplica, true))
          assert.strictEqual(rows[0]?.["things"], 1)
          places.push(rows[0]?.["there"])
        })
        // While the replica is late, all of these read at the primary.
        yield* until(
          Effect.replicateEffect(writeAndRead, 1000, { concurrency: 16, discard: true }),
          () => places.includes(true)
        )
      }).pipe(Effect.provide(connectionsLayer({ url: primary.url, connections: 5, readUrl: url })))
    }))

  it.effect("runs scans with their limit, and what meets it there is not asked again at the primary", () =>
    Effect.gen(function*() {
      const { primary, url } = yield* startReplicated
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const there = sql`
          select pg_is_in_recovery() as there, current_setting('statement_timeout') as most`.pipe(
          scanning,
          Effect.provideService(MayReadReplica, true)
        )
        const [found] = yield* until(there, ([row]) => row?.["there"] === true)
        assert.strictEqual(found?.["most"], `${scanLimit / 1000}s`)
        // At the primary, which a busy machine asks now and then, this ends at once.
        const slow = sql`select case when pg_is_in_recovery() then pg_sleep(60)::text end as slept`.pipe(
          scanning,
          Effect.provideService(MayReadReplica, true)
        )
        assert.isTrue(isTooLong(yield* Effect.flip(Effect.forever(Effect.delay(slow, "50 millis")))))
        yield* until(there, ([row]) => row?.["there"] === true)
      }).pipe(Effect.provide(connectionsLayer({ url: primary.url, connections: 10, readUrl: url })))
    }))

  it.effect("is used on while each of its connections for scans has one", () =>
    Effect.gen(function*() {
      const { primary, url } = yield* startReplicated
      const logged: Array<string> = []
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const mayGo = Effect.provideService(MayReadReplica, true)
        const there = sql`select pg_is_in_recovery() as there`
        const isThere = ([row]: ReadonlyArray<{ readonly [name: string]: unknown }>) => row?.["there"] === true
        yield* until(mayGo(scanning(there)), isThere)
        const whileBusy = Effect.gen(function*() {
          const held = yield* Effect.forEach(["one", "two"], (club) =>
            sql`select pg_sleep(1.5)::text as held`.pipe(
              scanning,
              mayGo,
              Effect.provideService(OnBehalfOf, club),
              Effect.forkChild({ startImmediately: true })
            ))
          const isOver = () => held.some((fiber) => fiber.pollUnsafe() !== undefined)
          const rows = yield* until(mayGo(scanning(there)), (rows) => !isThere(rows) || isOver())
          yield* Effect.forEach(held, Fiber.await)
          return !isThere(rows)
        })
        yield* until(whileBusy, (wasBusy) => wasBusy)
        // The log has a line if the replica goes out of use.
        yield* until(mayGo(there), isThere)
        assert.notMatch(logged.join("\n"), /each of its connections for scans has one/)
      }).pipe(Effect.provide([
        connectionsLayer({ url: primary.url, connections: 10, readUrl: url }),
        Logger.layer([Logger.make(({ message }) => logged.push(String(message)))])
      ]))
    }))

  it.effect("asks the primary what replay cancels there, and waits for nobody who is frozen", () =>
    Effect.gen(function*() {
      const { cluster, primary, url } = yield* startReplicated
      yield* tell(primary.url, "create table things (id int generated always as identity)")
      yield* Effect.gen(function*() {
        yield* until(look(), ([, place]) => place === "replica")
        const sql = yield* SqlClient.SqlClient
        // At the primary, which a busy machine asks now and then, this ends at once.
        const long = sql`
          select pg_is_in_recovery() as there, case when pg_is_in_recovery() then pg_sleep(60)::text end
          from (select count(*) from things) as counted`.pipe(Effect.provideService(MayReadReplica, true))
        let reading = yield* Effect.forkChild(long)
        const running = Effect.gen(function*() {
          if (reading.pollUnsafe() !== undefined) reading = yield* Effect.forkChild(long)
          return yield* tell(
            url,
            "select count(*)::int as count from pg_stat_activity where query like '%pg_sleep(60)%' and pid <> pg_backend_pid()"
          )
        })
        yield* until(running, ({ rows }) => rows[0]?.["count"] === 1)
        yield* tell(primary.url, "alter table things add column name text")
        assert.strictEqual((yield* Fiber.join(reading))[0]?.["there"], false)
        yield* until(look(), ([, place]) => place === "replica")

        yield* Effect.scoped(Effect.gen(function*() {
          yield* freeze(cluster)
          const [first, answer] = yield* Effect.timed(look())
          assert.deepStrictEqual(answer, [0, "primary"])
          assert.isBelow(Duration.toMillis(first), 2000)
          const [second, third, fourth] = yield* Effect.replicateEffect(Effect.timed(look()), 3)
          const quickest = [second, third, fourth].map((timed) => Duration.toMillis(timed?.[0] ?? first))
          assert.isBelow(Math.min(...quickest), Duration.toMillis(first))
        }))
        yield* until(look(), ([, place]) => place === "replica")
      }).pipe(Effect.provide(connectionsLayer({ url: primary.url, connections: 5, readUrl: url })))
    }))

  it.effect("is read again once it follows the server that took over, and shows all that was written there", () =>
    Effect.gen(function*() {
      const { last, next, primary } = yield* twoReplicas
      yield* Effect.gen(function*() {
        for (let n = 1; n <= 20; n++) {
          yield* add
          assert.strictEqual((yield* look())[0], n)
        }
        yield* until(look(), ([, place]) => place === "replica")
        yield* until(
          tell(next.url, "select count(*)::int as things from things"),
          ({ rows }) => rows[0]?.["things"] === 20
        )
        yield* primary.stop
        yield* next.promote
        yield* next.takeOver
        // Broken connections open again at the same address.
        let written = yield* until(
          Effect.option(Effect.andThen(add, Effect.map(look(), ([things]) => things))),
          Option.isSome
        ).pipe(Effect.map(Option.getOrThrow), Effect.map(Number))
        assert.isAbove(written, 20)
        const writeAndRead = Effect.gen(function*() {
          yield* add
          written += 1
          const [things, place] = yield* look()
          assert.strictEqual(things, written)
          return place
        })
        yield* until(writeAndRead, (place) => place === "replica")
        for (let n = 0; n < 100; n++) yield* writeAndRead
        yield* until(writeAndRead, (place) => place === "replica")
        assert.isUndefined(yield* fault)
      }).pipe(Effect.provide(connectionsLayer({ url: primary.url, connections: 5, readUrl: last.url })))
    }))

  it.effect("is not read where it has what the server that took over never had", () =>
    Effect.gen(function*() {
      const { last, next, primary } = yield* twoReplicas
      yield* Effect.gen(function*() {
        yield* until(look(), ([, place]) => place === "replica")
        yield* until(tell(next.url, "select to_regclass('things') as found"), ({ rows }) => rows[0]?.["found"] !== null)
        yield* next.stop
        yield* add
        assert.deepStrictEqual(yield* until(look(), ([, place]) => place === "replica"), [1, "replica"])
        yield* primary.stop
        yield* next.start
        yield* next.promote
        yield* next.takeOver
        // The row that only the other replica has is lost. Its log is ahead of the new primary's, and later behind it.
        const lookAgain = until(Effect.option(look()), Option.isSome).pipe(Effect.map(Option.getOrThrow))
        assert.deepStrictEqual(yield* lookAgain, [0, "primary"])
        for (let n = 1; n <= 50; n++) {
          yield* add
          yield* Effect.sleep("30 millis")
          assert.deepStrictEqual(yield* look(), [n, "primary"])
        }
        assert.strictEqual(
          yield* fault,
          "it follows another server: its timeline is 1, the database's 2"
        )
        assert.strictEqual((yield* tell(last.url, "select count(*)::int as n from things")).rows[0]?.["n"], 1)
      }).pipe(Effect.provide(connectionsLayer({ url: primary.url, connections: 5, readUrl: last.url })))
    }))

  it.effect("is refused where it is none of this database", () =>
    Effect.gen(function*() {
      const own = yield* freshDatabaseUrl
      const faultOf = (readUrl: Redacted.Redacted) =>
        Effect.provide(fault, connectionsLayer({ url: own, connections: 5, readUrl }))
      assert.strictEqual(yield* faultOf(own), "it is no replica, or was promoted")
      assert.strictEqual(yield* faultOf(yield* freshDatabaseUrl), "it is of another database")
      const other = yield* startOwnPostgres
      assert.strictEqual(yield* faultOf(other.url), "it is of another database")
    }))
})
