import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { readFiles } from "../../../src/operations/backup/FileParts.ts"
import { deleteOlder } from "../../../src/operations/backup/KeptBackup.ts"
import { backupName } from "../../../src/operations/backup/place/BackupName.ts"
import { folderPlace } from "../../../src/operations/backup/place/FolderPlace.ts"
import { freshDatabaseUrl } from "../../harness/Postgres.ts"
import { as, installation } from "./Installation.ts"

const TestLayer = Layer.mergeAll(NodeServices.layer, SecureRandom.layerWebCrypto)

layer(TestLayer, { excludeTestServices: true, timeout: "60 seconds" })("Backups that are kept", (it) => {
  it.effect("are not all gone where two runs that want one end at once", () =>
    Effect.gen(function*() {
      const own = yield* installation(yield* freshDatabaseUrl)
      const series = "0a1b2c3d"
      const names = ["2026-11-27T03:00:00Z", "2026-11-27T03:00:01Z"].map((at) =>
        backupName(series, DateTime.makeUnsafe(at))
      )
      const there = new Set(names)
      const place = {
        ...(yield* folderPlace(own.folder)),
        list: Effect.gen(function*() {
          const found = [...there].map((name) => ({ name, bytes: 1 }))
          yield* Effect.sleep("200 millis")
          return found
        }),
        remove: (name: string) => Effect.sync(() => void there.delete(name))
      }
      yield* as(
        Effect.forEach(names, (name) => deleteOlder(place, { name, series }, 1), { concurrency: 2 }),
        own.env
      )
      assert.strictEqual(there.size, 1)
    }))

  it.effect("bring no file that lies elsewhere than among Turma's own", () =>
    Effect.gen(function*() {
      const outside = ["kept/../../a", "kept/..", "/etc/passwd", "kept//a", "kept/.a", "other/a", "kept/a/../../../b"]
      for (const name of outside) {
        const entry = { name: `files/${name}`, size: 0, bytes: Effect.succeed(Buffer.alloc(0)), chunks: Stream.empty }
        assert.match(
          (yield* Effect.flip(readFiles().take(entry))).message,
          /a file with a name that is none of Turma's/
        )
      }
    }))
})
