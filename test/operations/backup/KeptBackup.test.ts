import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, FileSystem, Layer, Logger, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { openArchive } from "../../../src/operations/backup/archive/ArchiveReader.ts"
import { writeArchive } from "../../../src/operations/backup/archive/ArchiveWriter.ts"
import { addFiles, readFiles } from "../../../src/operations/backup/FileParts.ts"
import { deleteOlder } from "../../../src/operations/backup/KeptBackup.ts"
import { backupName } from "../../../src/operations/backup/place/BackupName.ts"
import { fileDestination, fileSource, folderPlace } from "../../../src/operations/backup/place/FolderPlace.ts"
import { freshDatabaseUrl } from "../../harness/Postgres.ts"
import { as, installation } from "./Installation.ts"

const TestLayer = Layer.mergeAll(NodeServices.layer, SecureRandom.layerWebCrypto)

layer(TestLayer, { excludeTestServices: true })("Backups that are kept", (it) => {
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
          const found = [...there].map((name) => ({ name, bytes: 1, isVerified: true }))
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

  it.effect("leave out what a file system keeps beside Turma's files, and say so", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-test-" })
      const files = ["kept/club/a", "kept/club/.nfs0001", "kept/.snapshot/b", "kept/club/c d", "uploads/club.b"]
      for (const file of files) {
        yield* fs.makeDirectory(`${folder}/files/${file.slice(0, file.lastIndexOf("/"))}`, { recursive: true })
        yield* fs.writeFileString(`${folder}/files/${file}`, "bytes")
      }
      const lines: Array<string> = []
      const log = Logger.layer([Logger.map(Logger.formatJson, (line) => lines.push(line))])
      const archive = `${folder}/a.turma`
      const now = yield* DateTime.now
      yield* writeArchive(yield* fileDestination(archive), (writer) =>
        addFiles(`${folder}/files`, now, writer, () => Effect.void)).pipe(Effect.provide(log))
      const reader = yield* openArchive(fileSource(archive))
      const taken = readFiles()
      const names: Array<string> = []
      for (let entry = yield* reader.next; entry !== undefined; entry = yield* reader.next) {
        names.push(entry.name)
        yield* taken.take(entry)
      }
      assert.deepStrictEqual(names, ["files/uploads/club.b", "files/kept/club/a"])
      const odd = ["kept/.snapshot", "kept/club/.nfs0001", "kept/club/c d"]
      assert.strictEqual(lines.length, odd.length)
      for (const [at, name] of odd.entries()) {
        assert.include(lines[at], `"${name}"`)
      }
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
