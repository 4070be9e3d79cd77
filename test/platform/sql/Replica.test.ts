import { NodeServices } from "@effect/platform-node"
import { PgConnection } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted, Schedule } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { Connections, connectionsLayer } from "../../../src/platform/sql/Connections.ts"
import { MayReadReplica } from "../../../src/platform/sql/Replica.ts"
import { startReplicated } from "../../harness/Replica.ts"

/** One statement of an operator. */
const tell = (url: Redacted.Redacted, statement: string) =>
  Effect.scoped(Effect.flatMap(PgConnection.make({ url }), (connection) => connection.query(statement)))

/** The rows of `things`, and whether they were read at a replica. */
const look = Effect.fnUntraced(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`select pg_is_in_recovery() as there, (select count(*)::int from things) as things`.pipe(
    Effect.provideService(MayReadReplica, true)
  )
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

const TestLayer = Layer.merge(NodeServices.layer, SecureRandom.layerWebCrypto)

layer(TestLayer, { excludeTestServices: true, timeout: "120 seconds" })("A replica for lists", (it) => {
  it.effect("is read there, sees all that is committed, and is left alone while it cannot", () =>
    Effect.gen(function*() {
      const { primary, promote, start, stop, url } = yield* startReplicated
      yield* Effect.gen(function*() {
        yield* tell(primary.url, "create table things (id int generated always as identity)")
        assert.deepStrictEqual(yield* look(), [0, "replica"])
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* sql`select pg_is_in_recovery() as there`, [{ there: false }])

        // Every write is seen at once, wherever it is read.
        for (let n = 1; n <= 100; n++) {
          yield* add
          assert.strictEqual((yield* look())[0], n)
        }
        yield* until(look(), ([, place]) => place === "replica")

        yield* tell(url, "select pg_wal_replay_pause()")
        yield* add
        assert.deepStrictEqual(yield* look(), [101, "primary"])
        assert.match(String(yield* fault), /^it is \d+ bytes of the log behind$/)
        yield* tell(url, "select pg_wal_replay_resume()")
        assert.deepStrictEqual(yield* until(look(), ([, place]) => place === "replica"), [101, "replica"])
        assert.isUndefined(yield* fault)

        yield* stop
        assert.deepStrictEqual(yield* look(), [101, "primary"])
        yield* add
        assert.deepStrictEqual(yield* look(), [102, "primary"])
        assert.match(String(yield* fault), /^it cannot be asked: /)
        yield* start
        assert.deepStrictEqual(yield* until(look(), ([, place]) => place === "replica"), [102, "replica"])

        // From then on it is a database of its own, of which nobody may read.
        yield* promote
        yield* tell(url, "insert into things default values")
        assert.deepStrictEqual(yield* look(), [102, "primary"])
        yield* add
        yield* Effect.sleep("1100 millis")
        assert.deepStrictEqual(yield* look(), [103, "primary"])
        assert.match(String(yield* fault), /promoted/)
      }).pipe(Effect.provide(connectionsLayer({ url: primary.url, connections: 5, readUrl: url })))
    }))
})
