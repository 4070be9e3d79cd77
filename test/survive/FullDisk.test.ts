import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { at } from "../harness/App.ts"
import { eventually } from "../harness/Eventually.ts"
import { embeddedUrl } from "../harness/Postmaster.ts"
import { ask } from "../harness/Turma.ts"
import { mebibyte } from "../platform/storage/Club.ts"
import { startEmbedded } from "./Service.ts"
import { mountDisk } from "./SmallDisk.ts"

// Takes long: disks are filled up while whole services run.

const TestLayer = Layer.merge(NodeServices.layer, SecureRandom.layerWebCrypto)

const switchLog = (folder: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select pg_switch_wal()`).pipe(
    Effect.provide(PgClient.layer({ url: embeddedUrl(`${folder}/postgres`), maxConnections: 1 })),
    Effect.ignoreCause
  )

layer(TestLayer, { concurrent: true, excludeTestServices: true })(
  "On a disk that has no room for the embedded PostgreSQL any more",
  (it) => {
    it.effect("writes are 503, nothing that was confirmed is lost, and all goes on when there is room", (context) =>
      Effect.gen(function*() {
        const disk = yield* mountDisk(192 * mebibyte)
        if (disk.unmounted !== undefined) return context.skip(disk.unmounted)
        const { api, club } = yield* startEmbedded(disk.folder)
        assert.strictEqual(yield* club.add, 201)
        yield* disk.fill

        // Tables still have room on their pages. Once that is used up, a write is refused and reads go on.
        const refused = yield* eventually(club.add, (status) => status !== 201)
        assert.deepStrictEqual([refused, yield* club.read], [503, 200])
        const ready = yield* ask(`${api.url}/v1/health/ready`)
        assert.deepStrictEqual([ready.status, at(ready.json, "data", "status")], [200, "ready"])

        // If the log of changes has no room, PostgreSQL ends and cannot start again.
        yield* switchLog(disk.folder)
        yield* Effect.sync(() => api.said.stdout).pipe(
          Effect.delay("200 millis"),
          Effect.repeat({ until: (said) => said.includes("cannot be started while the disk is full") })
        )
        const away = [yield* club.add, yield* club.read, (yield* ask(`${api.url}/v1/health/ready`)).status]
        assert.deepStrictEqual(away, [503, 503, 503])
        assert.strictEqual((yield* ask(`${api.url}/v1/health`)).status, 200)

        yield* disk.makeRoom
        const from = yield* Clock.currentTimeMillis
        yield* eventually(Effect.delay(club.add, "200 millis"), (status) => status === 201)
        assert.isBelow((yield* Clock.currentTimeMillis) - from, 20_000)
        assert.deepStrictEqual(yield* club.lost, [])
        assert.strictEqual((yield* api.end()).code, 0)
      }))
  }
)
