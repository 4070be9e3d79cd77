import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, FileSystem, PlatformError } from "effect"
import { type ArchiveWriter, writeArchive } from "../../../../src/operations/backup/archive/ArchiveWriter.ts"
import { backupName, markOf } from "../../../../src/operations/backup/place/BackupName.ts"
import { folderPlace } from "../../../../src/operations/backup/place/FolderPlace.ts"

const series = "0a1b2c3d"
const name = backupName(series, DateTime.makeUnsafe("2026-11-27T03:00:00Z"))
const fill = ({ add }: ArchiveWriter) => add("a", Buffer.from("bytes"))

/** A file system that refuses hard links with this code. */
const withoutLinks = Effect.fnUntraced(function*(code: string) {
  const fs = yield* FileSystem.FileSystem
  const cause = Object.assign(new Error(`${code}: not here, link`), { code })
  const refused = PlatformError.systemError({ _tag: "Unknown", module: "FileSystem", method: "link", cause })
  return { ...fs, link: () => Effect.fail(refused) }
})

layer(NodeServices.layer, { excludeTestServices: true })("A backup in a folder", (it) => {
  it.effect("is not verified until that is said, and its mark goes with it", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-test-" })
      const place = yield* folderPlace(folder)
      const isVerified = Effect.map(place.list, (all) => all.map((stored) => stored.isVerified))
      yield* writeArchive(place.destination(name), fill)
      assert.deepStrictEqual(yield* isVerified, [false])
      yield* place.confirm(name)
      assert.deepStrictEqual(yield* isVerified, [true])
      assert.deepStrictEqual(yield* fs.readDirectory(folder), [name])
      // A failed run with the same name does not change the mark of this one.
      assert.match((yield* Effect.flip(writeArchive(place.destination(name), fill))).message, /exists already$/)
      assert.deepStrictEqual(yield* isVerified, [true])
      yield* place.remove(name)
      yield* writeArchive(place.destination(name), fill)
      yield* place.remove(name)
      assert.deepStrictEqual(yield* fs.readDirectory(folder), [])
    }))

  it.effect("leaves no mark where it does not come, and a run that was killed between the two is swept", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-test-" })
      const broken = yield* withoutLinks("EIO")
      const place = yield* Effect.provideService(folderPlace(folder), FileSystem.FileSystem, broken)
      assert.match((yield* Effect.flip(writeArchive(place.destination(name), fill))).message, /FileSystem\.link/)
      assert.deepStrictEqual(yield* fs.readDirectory(folder), [])
      const now = yield* DateTime.now
      const marks = [now, DateTime.subtract(now, { hours: 25 })].map((at) => markOf(backupName(series, at)))
      for (const mark of marks) yield* fs.writeFileString(`${folder}/${mark}`, "")
      yield* place.sweep(series)
      assert.deepStrictEqual(yield* fs.readDirectory(folder), marks.slice(0, 1))
    }))

  it.effect("is moved to its name where the file system has no hard links, and takes nobody's place", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      for (const code of ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]) {
        const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-test-" })
        const place = yield* Effect.provideService(
          folderPlace(folder),
          FileSystem.FileSystem,
          yield* withoutLinks(code)
        )
        yield* writeArchive(place.destination(name), fill)
        assert.deepStrictEqual((yield* place.list).map((stored) => stored.name), [name])
        assert.deepStrictEqual((yield* fs.readDirectory(folder)).toSorted(), [name, markOf(name)])
        yield* place.remove(name)
        const taken = (writer: ArchiveWriter) =>
          Effect.andThen(fill(writer), fs.writeFileString(`${folder}/${name}`, "theirs"))
        assert.match((yield* Effect.flip(writeArchive(place.destination(name), taken))).message, /exists already$/)
        assert.strictEqual(yield* fs.readFileString(`${folder}/${name}`), "theirs")
      }
    }))
})
