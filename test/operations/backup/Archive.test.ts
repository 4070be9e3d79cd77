import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, FileSystem, Stream } from "effect"
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { openArchive } from "../../../src/operations/backup/archive/ArchiveReader.ts"
import { type ArchiveWriter, writeArchive } from "../../../src/operations/backup/archive/ArchiveWriter.ts"
import { refuse } from "../../../src/operations/backup/archive/BackupError.ts"
import { fileDestination, fileSource } from "../../../src/operations/backup/place/FolderPlace.ts"
import { mountDisk } from "../../survive/SmallDisk.ts"

/** Bytes that do not compress, so no other packed bytes stand for the same. */
const large = createHash("shake256", { outputLength: 300_000 }).update("turma").digest()
const deep = `files/kept/${"a".repeat(60)}/${"b".repeat(60)}`

const fill = ({ add, addStream }: ArchiveWriter) =>
  Effect.gen(function*() {
    yield* add("empty", new Uint8Array())
    yield* add("folder/text.json", Buffer.from("[\"á\"]"))
    yield* addStream(deep, large.length, Stream.make(large.subarray(0, 7), large.subarray(7)))
  })

/** The name of a new file, in a folder of its own. */
const newFile = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  return `${yield* fs.makeTempDirectoryScoped({ prefix: "turma-test-" })}/a.turma`
})

const write = <A, E, R>(file: string, add: (writer: ArchiveWriter) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(fileDestination(file), (destination) => writeArchive(destination, add))

const readAll = (file: string) =>
  Effect.scoped(Effect.gen(function*() {
    const archive = yield* openArchive(fileSource(file))
    const found: Array<readonly [string, Buffer]> = []
    for (let entry = yield* archive.next; entry !== undefined; entry = yield* archive.next) {
      found.push([entry.name, yield* entry.bytes])
    }
    yield* archive.end
    return found
  }))

layer(NodeServices.layer)("An archive", (it) => {
  it.effect("gives back what was put in, in its order, to us and to tar", () =>
    Effect.gen(function*() {
      const file = yield* newFile
      yield* write(file, fill)
      const found = yield* readAll(file)
      assert.deepStrictEqual(found.map(([name]) => name), ["empty", "folder/text.json", deep])
      assert.deepStrictEqual(found.map(([, bytes]) => bytes.length), [0, 6, large.length])
      assert.isTrue(found[2]?.[1].equals(large))
      assert.strictEqual(execFileSync("tar", ["tzf", file], { encoding: "utf8" }).split("\n").length, 4)
      assert.isTrue(execFileSync("tar", ["xzOf", file, deep]).equals(large))
    }))

  it.effect("is read by whoever skips what they do not know", () =>
    Effect.gen(function*() {
      const file = yield* newFile
      yield* write(file, fill)
      const archive = yield* openArchive(fileSource(file))
      const names = [(yield* archive.next)?.name, (yield* archive.next)?.name, (yield* archive.next)?.name]
      assert.deepStrictEqual(names, ["empty", "folder/text.json", deep])
      assert.isUndefined(yield* archive.next)
    }))

  it.effect("is refused wherever it was cut off or changed", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const file = yield* newFile
      yield* write(file, fill)
      const whole = Buffer.from(yield* fs.readFile(file))
      for (let length = 0; length < whole.length; length += 9973) {
        yield* fs.writeFile(file, whole.subarray(0, length))
        assert.match((yield* Effect.flip(readAll(file))).message, /: it /)
      }
      for (let at = 20; at < whole.length; at += 7919) {
        const changed = Buffer.from(whole)
        changed[at] = (changed[at] ?? 0) ^ 16
        yield* fs.writeFile(file, changed)
        assert.strictEqual((yield* Effect.flip(readAll(file)))._tag, "BackupError")
      }
    }))

  it.effect("is nobody else's to read, takes nobody's place and leaves nothing when it is not finished", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const file = yield* newFile
      const folder = file.slice(0, file.lastIndexOf("/"))
      const failure = yield* Effect.flip(write(file, ({ add }) =>
        Effect.andThen(add("a", large), Effect.fail(refuse("no")))))
      assert.strictEqual(failure.message, "no")
      assert.deepStrictEqual(yield* fs.readDirectory(folder), [])
      yield* write(file, fill)
      assert.deepStrictEqual(yield* fs.readDirectory(folder), ["a.turma"])
      assert.strictEqual((yield* fs.stat(file)).mode & 0o777, 0o600)
      assert.match((yield* Effect.flip(write(file, fill))).message, /exists already/)
      yield* readAll(file)
    }))

  it.effect("is made by one of two who name the same file at once", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const file = yield* newFile
      const hasLost = yield* Deferred.make<void>()
      const one = write(file, (add) => Effect.andThen(fill(add), Deferred.await(hasLost))).pipe(
        Effect.tapError(() => Deferred.succeed(hasLost, undefined)),
        Effect.result
      )
      const results = yield* Effect.all([one, one], { concurrency: 2 })
      const refused = results.flatMap((result) => result._tag === "Failure" ? [result.failure.message] : [])
      assert.strictEqual(refused.length, 1)
      assert.match(refused[0] ?? "", /a\.turma\.part is of a backup that runs or was cut off/)
      assert.deepStrictEqual(yield* fs.readDirectory(file.slice(0, file.lastIndexOf("/"))), ["a.turma"])
      yield* readAll(file)
    }))

  it.effect("says that the disk is full, and leaves nothing there", (context) =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const disk = yield* mountDisk(100 * 1024)
      if (disk.unmounted !== undefined) return context.skip(disk.unmounted)
      const failure = yield* Effect.flip(write(`${disk.folder}/a.turma`, fill))
      assert.match(failure.message, /^Writing \S+\/a\.turma\.part: ENOSPC: no space left on device/)
      assert.deepStrictEqual(yield* fs.readDirectory(disk.folder), [])
    }))

  it.effect("takes no file that changes its size while it is read, and no name without end", () =>
    Effect.gen(function*() {
      const file = yield* newFile
      const grown = yield* Effect.flip(write(file, ({ addStream }) => addStream("a", 3, Stream.make(large))))
      assert.match(grown.message, /changed/)
      const long = yield* Effect.flip(write(file, ({ add }) => add("a".repeat(300), large)))
      assert.match(long.message, /does not fit/)
    }))

  it.effect("takes no rows that are too many to be read at once, and reads none", () =>
    Effect.gen(function*() {
      const file = yield* newFile
      const many = Buffer.alloc(32 * 1024 * 1024 + 1)
      const refused = yield* Effect.flip(write(file, ({ add }) => add("a", many)))
      assert.strictEqual(refused.message, "a is larger than what can be restored")
      yield* write(file, ({ addStream }) => addStream("a", many.length, Stream.make(many)))
      assert.match((yield* Effect.flip(readAll(file))).message, /a is larger than any that Turma writes$/)
    }))

  it.effect("says so when the file cannot be written", () =>
    Effect.gen(function*() {
      const { message } = yield* Effect.flip(write("/proc/self/none", fill))
      assert.match(message, /^Writing \/proc\/self\/none\.part: ENOENT/)
    }))
})
