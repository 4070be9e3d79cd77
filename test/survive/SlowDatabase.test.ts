import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { mostUnrecorded } from "../../src/webhooks/engine/dispatch/LaneProgress.ts"
import type { Target } from "../chaos/Target.ts"
import { eventually } from "../harness/Eventually.ts"
import { startOwnPostgres } from "../harness/OwnPostgres.ts"
import { freshDatabaseUrl } from "../harness/Postgres.ts"
import { startService, toldTwice } from "./Service.ts"
import { startWay } from "./Way.ts"

// Takes long: requests wait for their limits on real time.

const TestLayer = Layer.merge(NodeServices.layer, SecureRandom.layerWebCrypto)

/** A database, its address, and the address of a way in front of it. */
const slowable = Effect.gen(function*() {
  const url = new URL(Redacted.value(yield* freshDatabaseUrl))
  const way = yield* startWay(Number(url.port))
  const there = new URL(url)
  there.port = `${way.port}`
  return { way, direct: url.href, slow: there.href }
})

const timed = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const from = yield* Clock.currentTimeMillis
    const answer = yield* work
    return { answer, millis: (yield* Clock.currentTimeMillis) - from }
  })

const sentMoreThanOnce = ({ posts }: Target) => posts.length - new Set(posts.map(({ event }) => event)).size

layer(TestLayer, { concurrent: true, excludeTestServices: true })(
  "While each answer of the database takes seconds",
  (it) => {
    it.effect("requests end within their limit, and what was confirmed is there and told of once", () =>
      Effect.gen(function*() {
        const { slow, way } = yield* slowable
        const { api, club, target, untilTold, worker } = yield* startService({ url: slow })
        assert.strictEqual(yield* club.add, 201)
        yield* untilTold
        yield* way.delay(1500)
        const answers = yield* Effect.replicateEffect(timed(club.add), 10, { concurrency: 10 })
        assert.deepStrictEqual(answers.filter(({ millis }) => millis > 15_000), [])
        assert.sameMembers([...new Set(answers.map(({ answer }) => answer))], [201, 503])
        yield* untilTold

        // So slow that no request can finish in time: the service answers so, in time.
        yield* way.delay(6000)
        const late = yield* Effect.replicateEffect(timed(club.add), 4, { concurrency: 4 })
        assert.deepStrictEqual(late.map(({ answer }) => answer), [503, 503, 503, 503])
        assert.deepStrictEqual(late.filter(({ millis }) => millis > 15_000), [])

        yield* way.delay(0)
        yield* eventually(club.add, (status) => status === 201)
        yield* untilTold
        assert.deepStrictEqual([toldTwice(target), sentMoreThanOnce(target)], [[], 0])
        assert.deepStrictEqual(yield* club.lost, [])
        assert.deepStrictEqual([(yield* api.end()).code, (yield* worker.end()).code], [0, 0])
      }))

    it.effect("a worker that has lost its connections opens others, though that takes longer still, and goes on", () =>
      Effect.gen(function*() {
        const { direct, slow, way } = yield* slowable
        const { club, target, untilTold, worker } = yield* startService({
          url: direct,
          worker: { DATABASE_URL: slow }
        })
        yield* way.delay(2500, true)
        yield* way.cut
        for (let count = 0; count < 5; count++) assert.strictEqual(yield* club.add, 201)
        yield* untilTold
        assert.deepStrictEqual([toldTwice(target), sentMoreThanOnce(target)], [[], 0])
        yield* way.delay(0)
        assert.strictEqual((yield* worker.end()).code, 0)
      }))
  }
)

const students = 300

/** Default number of an endpoint's attempts at a time. */
const atOnce = 16

layer(TestLayer, { concurrent: true, excludeTestServices: true })(
  "While the database confirms no commit",
  (it) => {
    it.effect("an endpoint gets a bounded number of webhooks that are not recorded, and none of them again", () =>
      Effect.gen(function*() {
        const { url } = yield* startOwnPostgres
        yield* Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          /** Makes commits wait for this replica: one that does not exist blocks commits until the name is empty. */
          const waitFor = (replica: string) =>
            Effect.andThen(
              sql.unsafe(`alter system set synchronous_standby_names = '${replica}'`),
              sql`select pg_reload_conf()`
            )
          const { club, target, untilTold, worker } = yield* startService({ url: Redacted.value(url) })
          yield* target.accept(() => 2000)
          yield* Effect.replicateEffect(club.add, students, { concurrency: 4, discard: true })
          const assembled = Effect.map(
            sql`select count(*)::int as count from webhook_deliveries`,
            ([row]) => row?.["count"]
          )
          yield* eventually(Effect.delay(assembled, "50 millis"), (count) => count === students)

          yield* waitFor("nobody")
          const commitsWait = sql`select 1 from pg_stat_activity where wait_event = 'SyncRep'`
          yield* eventually(Effect.delay(commitsWait, "50 millis"), (found) => found.length > 0)
          const before = target.posts.length
          yield* target.accept(() => 0)
          const during = yield* eventually(
            Effect.delay(Effect.sync(() => target.posts.length), "3 seconds"),
            (count) => count > before
          )
          assert.isAtMost(during, before + mostUnrecorded + atOnce)
          yield* waitFor("")
          yield* untilTold
          assert.deepStrictEqual([toldTwice(target), sentMoreThanOnce(target)], [[], 0])
          assert.strictEqual((yield* worker.end()).code, 0)
        }).pipe(Effect.provide(PgClient.layer({ url, maxConnections: 2 })))
      }))
  }
)
