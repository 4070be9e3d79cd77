import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, FileSystem, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { BackupRuns } from "../../../src/operations/backup/BackupRuns.ts"
import { lookForBackup } from "../../../src/operations/backup/BackupWorker.ts"
import { fileSource, folderPlace } from "../../../src/operations/backup/place/FolderPlace.ts"
import { ClockGuard } from "../../../src/platform/jobs/ClockGuard.ts"
import { askedClock, DatabaseTime } from "../../../src/platform/sql/DatabaseTime.ts"
import { figures } from "../backup/Figures.ts"
import { as, source, sqlOf } from "../backup/Installation.ts"

layer(Layer.merge(NodeServices.layer, SecureRandom.layerWebCrypto), { excludeTestServices: true })(
  "The metrics of backups",
  (it) => {
    it.effect("say when the last good one began and how large it is, and count what fails since then", () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const own = yield* source
        const place = yield* folderPlace(`${own.folder}/backups`)
        yield* fs.makeDirectory(`${own.folder}/backups`)
        yield* fs.writeFileString(`${own.folder}/notes.txt`, "no backup")
        const worker = Layer.mergeAll(BackupRuns.layer, ClockGuard.layer).pipe(
          Layer.provideMerge(Layer.succeed(DatabaseTime, { ...askedClock, isOurs: false })),
          Layer.provideMerge(sqlOf(own))
        )
        const plan = { place, every: "12 hours", keep: 2, passphrase: undefined } as const
        const spoiled = { ...plan, place: { ...place, source: () => fileSource(`${own.folder}/notes.txt`) } }
        const look = (what: typeof plan | typeof spoiled) =>
          Effect.andThen(as(Effect.provide(lookForBackup(what), worker), own.env), figures)
        const due = SqlClient.SqlClient.use((sql) =>
          sql`update backup_runs set began_at = began_at - interval '1 day', retry_at = null`
        ).pipe(Effect.provide(sqlOf(own)))

        const none = yield* look(spoiled)
        assert.deepInclude(none, {
          last_success_timestamp_seconds: 0,
          last_bytes: 0,
          failures: 1,
          every_seconds: 43_200
        })
        yield* due
        // The bad backup stays, and a name contains its second, so the next one waits.
        yield* Effect.sleep("1100 millis")
        const from = (yield* DateTime.now).epochMilliseconds / 1000
        const good = yield* look(plan)
        const to = (yield* DateTime.now).epochMilliseconds / 1000
        const began = good["last_success_timestamp_seconds"] ?? 0
        assert.isAtLeast(began, from)
        assert.isAtMost(began, to)
        const kept = yield* place.list
        const made = Option.getOrThrow(Option.fromNullishOr(kept.find(({ bytes }) => bytes === good["last_bytes"])))
        assert.isAbove(made.bytes, 1000)
        assert.isAbove(good["last_seconds"] ?? 0, 0)
        assert.strictEqual(good["failures"], 0)

        yield* due
        yield* Effect.sleep("1100 millis")
        const failed = yield* look(spoiled)
        assert.strictEqual(failed["failures"], 1)
        assert.strictEqual(failed["last_bytes"], good["last_bytes"])
        assert.approximately(failed["last_success_timestamp_seconds"] ?? 0, began - 86_400, 0.001)
      }))
  }
)
