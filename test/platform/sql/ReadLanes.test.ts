import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { type ConnectionOptions, connectionsLayer, divide, OnBehalfOf } from "../../../src/platform/sql/Connections.ts"
import { lookingUp, scanLimit, scanning, ScansOf } from "../../../src/platform/sql/ReadLane.ts"
import { isLaneFull, isTooLong } from "../../../src/platform/sql/SqlState.ts"
import { startPgBouncer } from "../../harness/PgBouncer.ts"
import { emptyDatabaseUrl, freshDatabaseUrl } from "../../harness/Postgres.ts"

const times = (count: number) => Array.from({ length: count }, (_, n) => n)

const asOf = (key: string) => Effect.provideService(OnBehalfOf, key)

/** A scan that runs until its limit. `name` marks its text. */
const slow = (name: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => scanning(sql`select pg_sleep(60)::text as ${sql(name)}`))

/** The count of running statements with this name in their text. */
const running = Effect.fnUntraced(function*(name: string) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql.withTransaction(sql`
    select 1 from pg_stat_activity
    where datname = current_database() and state = 'active' and query like ${`select pg_sleep%${name}%`}`)
  return found.length
})

const untilRunning = (name: string, count: number) =>
  Effect.repeat(running(name), { until: (found) => found === count })

const fork = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.forkChild(effect, { startImmediately: true })

/** Connections to a separate database. */
const withConnections =
  (more: Partial<ConnectionOptions> = {}) =>
  <A, E>(test: Effect.Effect<A, E, SqlClient.SqlClient>): Effect.Effect<A, E | SqlError.SqlError> =>
    Effect.flatMap(
      Effect.orDie(emptyDatabaseUrl),
      (url) => Effect.provide(test, connectionsLayer({ url, connections: 10, ...more }))
    ).pipe(Effect.scoped)

layer(Layer.empty, { excludeTestServices: true })(
  "While a club's scans fill all it may have",
  (it) => {
    it.effect("it has one of the scans' connections, and another club's scan, short reads and look-ups go on", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const scans = yield* Effect.forEach(times(20), () => fork(asOf("one")(slow("held"))))
        yield* untilRunning("held", Math.floor(divide(10).scans / 2))
        const one = sql`select 1 as one`
        for (const read of [asOf("other")(scanning(one)), asOf("one")(one), asOf("other")(one), one, lookingUp(one)]) {
          assert.deepStrictEqual(yield* read, [{ one: 1 }])
        }
        assert.isAtMost(yield* running("held"), Math.floor(divide(10).scans / 2))
        yield* Effect.forEach(scans, Fiber.interrupt, { concurrency: "unbounded" })
        // An abandoned statement also ends at the server.
        assert.strictEqual(yield* running("held"), 0)
      }).pipe(withConnections()))

    it.effect("the next of a club that has waited longer comes before its next one", () =>
      Effect.gen(function*() {
        const scans = yield* Effect.forEach(["one", "two", "one", "two"], (key) => fork(asOf(key)(slow("held"))))
        yield* untilRunning("held", divide(10).scans)
        const third = yield* fork(asOf("three")(slow("third")))
        yield* Effect.forEach(scans.slice(0, 1), Fiber.interrupt)
        yield* untilRunning("third", 1)
        assert.isAtMost(yield* running("held"), divide(10).scans - 1)
        yield* Effect.forEach([...scans, third], Fiber.interrupt, { concurrency: "unbounded" })
      }).pipe(withConnections()))

    it.effect("all clubs of its founder have one share, and however many wait, who has none yet is let in", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const ofAnn = Effect.provideService(ScansOf, Effect.succeed("ann"))
        const clubs = times(9).flatMap((club) => times(33).map(() => `club ${club}`))
        const scans = yield* Effect.forEach(clubs, (club) => fork(ofAnn(asOf(club)(slow("held")))))
        yield* untilRunning("held", Math.floor(divide(10).scans / 2))
        assert.isAbove(clubs.length, 256)
        assert.isTrue(isLaneFull(yield* Effect.flip(ofAnn(asOf("club 0")(slow("held"))))))
        const one = scanning(sql`select 1 as one`)
        assert.lengthOf(yield* asOf("other")(Effect.all([one, one, one], { concurrency: "unbounded" })), 3)
        assert.isAtMost(yield* running("held"), Math.floor(divide(10).scans / 2))
        yield* Effect.forEach(scans, Fiber.interrupt, { concurrency: "unbounded" })
      }).pipe(withConnections()))

    it.effect("those that may not even wait are refused at once, and another club's are not", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const scans = yield* Effect.forEach(times(33), () => fork(asOf("one")(slow("held"))))
        const refused = yield* Effect.flip(asOf("one")(slow("held")))
        assert.isTrue(isLaneFull(refused), String(refused))
        assert.deepStrictEqual(yield* asOf("other")(scanning(sql`select 1 as one`)), [{ one: 1 }])
        yield* Effect.forEach(scans, Fiber.interrupt, { concurrency: "unbounded" })
        assert.deepStrictEqual(yield* asOf("one")(scanning(sql`select 1 as one`)), [{ one: 1 }])
      }).pipe(withConnections()))
  }
)

layer(Layer.empty, { excludeTestServices: true })(
  "While a club's short reads are slow",
  (it) => {
    it.effect("look-ups go on, and no more of them are under way than its share", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        // The connection runs these reads one after the other.
        const reads = yield* Effect.forEach(
          times(20),
          () => fork(asOf("one")(sql`select pg_sleep(0.1)::text as read`))
        )
        const other = yield* fork(asOf("other")(sql`select 'other' as read`))
        assert.deepStrictEqual(yield* lookingUp(sql`select 1 as one`), [{ one: 1 }])
        assert.deepStrictEqual(yield* Fiber.join(other), [{ read: "other" }])
        assert.isAbove(
          reads.filter((read) => read.pollUnsafe() === undefined).length,
          0
        )
        yield* Effect.forEach(reads, Fiber.join)
      }).pipe(withConnections()))
  }
)

layer(NodeServices.layer, { excludeTestServices: true })("A scan", (it) => {
  const tooLong = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const failure = yield* Effect.flip(asOf("one")(slow("limited")))
    assert.isTrue(isTooLong(failure), String(failure))
    assert.strictEqual(yield* running("limited"), 0)
    assert.deepStrictEqual(yield* asOf("one")(scanning(sql`select 1 as one`)), [{ one: 1 }])
  })

  it.effect("that takes longer than it may is ended at the server, which knows the limit", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* scanning(sql`show statement_timeout`), [{
        statement_timeout: `${scanLimit / 1000}s`
      }])
      assert.deepStrictEqual(yield* scanning(sql`show default_transaction_read_only`), [{
        default_transaction_read_only: "on"
      }])
      yield* tooLong
    }).pipe(withConnections()))

  it.effect("has the limit also where there are too few connections for a lane of its own", () =>
    tooLong.pipe(withConnections({ connections: 3 })))

  it.effect("has it through a pooler, which would keep it from the server", () =>
    Effect.gen(function*() {
      const sessionUrl = yield* freshDatabaseUrl
      const { url } = yield* startPgBouncer({ database: sessionUrl, settings: { pool_mode: "transaction" } })
      const speaking = { isPooled: true, prepare: false }
      yield* Effect.provide(
        tooLong,
        connectionsLayer({ url: Redacted.make(url), connections: 20, speaking, sessionUrl })
      )
    }))
})
