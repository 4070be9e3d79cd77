import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { diskFault } from "../../src/platform/sql/DiskFault.ts"
import { freshDatabaseUrl } from "../harness/Postgres.ts"
import { startS3 } from "../harness/S3.ts"
import { startSmtp } from "../harness/Smtp.ts"
import { runTurma, startApi } from "../harness/Turma.ts"
import { mebibyte } from "../platform/storage/Club.ts"
import { foundClub } from "./Club.ts"
import { mountDisk } from "./SmallDisk.ts"

const TestLayer = Layer.merge(NodeServices.layer, SecureRandom.layerWebCrypto)

layer(TestLayer, { concurrent: true, excludeTestServices: true })(
  "With DATA_DIR on a read-only disk",
  (it) => {
    it.effect("the embedded PostgreSQL is not started, and one line says where and why", (context) =>
      Effect.gen(function*() {
        const disk = yield* mountDisk(64 * mebibyte)
        if (disk.unmounted !== undefined) return context.skip(disk.unmounted)
        yield* disk.remount("ro")
        const { code, stderr } = yield* runTurma({ env: { DATA_DIR: disk.folder } })
        assert.strictEqual(code, 2)
        const [line = "", ...more] = stderr.trimEnd().split("\n")
        assert.deepStrictEqual(more, [])
        assert.include(line, disk.folder)
        assert.match(line, /^turma: DATA_DIR: \S+ cannot be written to \(EROFS\): the disk is read-only: mount it so /)
      }))

    it.effect("everything is served where database, bucket and mail server are elsewhere", (context) =>
      Effect.gen(function*() {
        const disk = yield* mountDisk(64 * mebibyte)
        if (disk.unmounted !== undefined) return context.skip(disk.unmounted)
        yield* disk.remount("ro")
        const smtp = yield* startSmtp()
        const { url: STORAGE_URL } = yield* startS3
        const api = yield* startApi({
          env: {
            DATA_DIR: disk.folder,
            DATABASE_URL: Redacted.value(yield* freshDatabaseUrl),
            APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
            SMTP_URL: Redacted.value(smtp.url),
            STORAGE_URL
          }
        })
        const club = yield* foundClub(api.url, smtp.received)
        assert.strictEqual(yield* club.add, 201)
        const { code, stderr } = yield* api.end()
        assert.deepStrictEqual([code, stderr], [0, ""])
      }))
  }
)

layer(TestLayer, { concurrent: true, excludeTestServices: true })("What is wrong with a disk", (it) => {
  it.effect("is that it is full, or read-only, or nothing", (context) =>
    Effect.gen(function*() {
      const disk = yield* mountDisk(64 * mebibyte)
      if (disk.unmounted !== undefined) return context.skip(disk.unmounted)
      assert.isUndefined(yield* diskFault(disk.folder))
      yield* disk.fill
      assert.strictEqual(yield* diskFault(disk.folder), "the disk is full")
      yield* disk.makeRoom
      yield* disk.remount("ro")
      assert.strictEqual(yield* diskFault(disk.folder), "the disk is read-only")
      const fs = yield* FileSystem.FileSystem
      assert.isTrue(yield* Effect.isFailure(fs.writeFileString(`${disk.folder}/file`, "text")))
    }))
})
