import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { startTarget } from "../chaos/Target.ts"
import { eventually } from "../harness/Eventually.ts"
import { freshDatabaseUrl } from "../harness/Postgres.ts"
import { losePackets } from "./LostPackets.ts"
import { startService, toldOf, toldTwice } from "./Service.ts"

const TestLayer = Layer.merge(NodeServices.layer, SecureRandom.layerWebCrypto)

const students = 20

/** In milliseconds. */
const limit = 2000

layer(TestLayer, { concurrent: true, excludeTestServices: true })(
  "On a way to a receiver that loses packets",
  (it) => {
    it.effect("attempts end within their limit and are made again until all has come, and delay nobody else", (context) =>
      Effect.gen(function*() {
        const url = yield* freshDatabaseUrl
        const { api, ca, club, target, untilTold, worker } = yield* startService({
          url: Redacted.value(url),
          env: {
            WEBHOOK_ATTEMPT_TIMEOUT: `${limit} millis`,
            WEBHOOK_HOLD_BASE: "500 millis",
            WEBHOOK_HOLD_MAX: "500 millis",
            WEBHOOK_RETRY_SCHEDULE: Array.from({ length: 60 }, () => "1 second").join()
          }
        })
        const far = yield* startTarget(ca, 2)
        yield* far.accept(() => 0)
        const port = Number(new URL(far.urlOf("/")).port)
        const lost = yield* losePackets(port, 35)
        if (lost.refused !== undefined) return context.skip(lost.refused)
        yield* club.listenAt(far, "/far")

        // At first every packet gets lost.
        yield* Effect.scoped(Effect.gen(function*() {
          yield* losePackets(port, 100)
          for (let count = 0; count < students; count++) assert.strictEqual(yield* club.add, 201)
          yield* untilTold
          assert.strictEqual(toldOf(far).size, 0)
        }))

        const accepted = Effect.map(
          SqlClient.SqlClient,
          (sql) =>
            sql<{ readonly error: string | null; readonly count: number; readonly longest: number }>`
              select a.error, count(*)::int as count, max(a.duration_ms) as longest
              from webhook_attempts a
              join webhook_deliveries d on d.club_id = a.club_id and d.id = a.delivery_id
              join webhook_endpoints e on e.club_id = d.club_id and e.id = d.endpoint_id
              where e.url like '%/far'
              group by a.error order by a.error nulls first`
        ).pipe(Effect.flatten)
        yield* Effect.gen(function*() {
          const ended = yield* eventually(
            Effect.delay(accepted, "100 millis"),
            ([first]) => first?.error === null && first.count === students
          )
          assert.isAbove(ended.length, 1, "No attempt failed")
          assert.isBelow(Math.max(...ended.map(({ longest }) => longest)), 2 * limit)
          assert.deepStrictEqual(
            ended.flatMap(({ error }) => error ?? []).filter((error) =>
              !["timeout", "connection", "tls"].includes(error)
            ),
            []
          )
        }).pipe(Effect.provide(PgClient.layer({ url, maxConnections: 1 })))
        assert.strictEqual(new Set(far.posts.map(({ event }) => event)).size, students)
        assert.deepStrictEqual([toldTwice(far), toldTwice(target), far.distrusted], [[], [], []])
        assert.deepStrictEqual([(yield* api.end()).code, (yield* worker.end()).code], [0, 0])
      }))
  }
)
