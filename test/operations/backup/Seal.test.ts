import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Redacted } from "effect"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { buffer } from "node:stream/consumers"
import { openArchive } from "../../../src/operations/backup/archive/ArchiveReader.ts"
import { writeArchive } from "../../../src/operations/backup/archive/ArchiveWriter.ts"
import { chunkLength, headerLength as header, sealing, tagLength } from "../../../src/operations/backup/archive/Seal.ts"
import { fileDestination, fileSource } from "../../../src/operations/backup/place/FolderPlace.ts"

/** Bytes that do not compress: the sealed archive has several chunks. */
const large = createHash("shake256", { outputLength: 300_000 }).update("turma").digest()

const passphrase = Redacted.make("vogal consoante vogal")

const chunk = chunkLength + tagLength

/** A thousandth of the usual cost. */
const cheap = { cost: 10, r: 1, p: 1 }

/** A sealed archive, and its bytes. */
const sealed = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const file = `${yield* fs.makeTempDirectoryScoped({ prefix: "turma-test-" })}/a.turma`
  yield* writeArchive(yield* fileDestination(file), ({ add }) => add("large", large))
  const seal = sealing(passphrase, cheap)
  const whole = yield* Effect.promise(() => buffer(seal(createReadStream(file))))
  yield* fs.writeFile(file, whole)
  return { file, whole }
})

const readAll = (file: string, given?: Redacted.Redacted, takesUnsealed = false) =>
  Effect.scoped(Effect.gen(function*() {
    const archive = yield* openArchive(fileSource(file), { passphrase: given, takesUnsealed })
    const entry = yield* archive.next
    const bytes = entry === undefined ? undefined : yield* entry.bytes
    assert.isUndefined(yield* archive.next)
    yield* archive.end
    return bytes
  }))

layer(NodeServices.layer)("A sealed archive", (it) => {
  it.effect("opens with its passphrase, however its letters are composed, and shows nothing without", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const { file, whole } = yield* sealed
      assert.isTrue((yield* readAll(file, passphrase))?.equals(large))
      assert.isFalse(whole.includes(large.subarray(0, 32)))
      const accented = `${file}.accented`
      const [composed, decomposed] = ["pássaro na flauta", "pa\u0301ssaro na flauta"]
      yield* writeArchive(yield* fileDestination(accented), ({ add }) => add("a", large), Redacted.make(composed))
      assert.isTrue((yield* readAll(accented, Redacted.make(decomposed)))?.equals(large))
      yield* fs.remove(accented)
    }))

  it.effect("says in one line that the passphrase is another, or missing", () =>
    Effect.gen(function*() {
      const { file } = yield* sealed
      const wrong = yield* Effect.flip(readAll(file, Redacted.make("vogal consoante outra")))
      assert.strictEqual(wrong.message, `${file}: BACKUP_PASSPHRASE is not the passphrase that it was sealed with`)
      const missing = yield* Effect.flip(readAll(file))
      assert.strictEqual(missing.message, `${file}: it is sealed with a passphrase: set BACKUP_PASSPHRASE`)
    }))

  it.effect("is not replaced by one that is not sealed, unless that is wanted", () =>
    Effect.gen(function*() {
      const { file } = yield* sealed
      const plain = `${file}.plain`
      yield* writeArchive(yield* fileDestination(plain), ({ add }) => add("large", large))
      assert.strictEqual(
        (yield* Effect.flip(readAll(plain, passphrase))).message,
        `${plain}: it is not sealed, though BACKUP_PASSPHRASE is set: --unsealed takes it all the same`
      )
      assert.isTrue((yield* readAll(plain, passphrase, true))?.equals(large))
      assert.isTrue((yield* readAll(plain))?.equals(large))
    }))

  it.effect("is refused where it is cut off, also between two chunks", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const { file, whole } = yield* sealed
      assert.isAbove(whole.length, header + 4 * chunk)
      for (const length of [13, header - 1, header, header + chunk, header + 2 * chunk, whole.length - 1]) {
        yield* fs.writeFile(file, whole.subarray(0, length))
        assert.match((yield* Effect.flip(readAll(file, passphrase))).message, /: it (?:ends in the middle|is damaged)/)
      }
    }))

  it.effect("is refused where chunks are moved, exchanged, left out, repeated, added or changed", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const { file, whole } = yield* sealed
      const other = (yield* sealed).whole
      const head = whole.subarray(0, header)
      const at = (number: number, of = whole) => of.subarray(header + number * chunk, header + (number + 1) * chunk)
      const end = whole.subarray(header + 2 * chunk)
      const flipped = Buffer.from(whole)
      flipped[header + chunk + 7] = (flipped[header + chunk + 7] ?? 0) ^ 1
      const forged = [
        [head, at(1), at(0), end],
        [head, at(0), end],
        [head, at(0), at(0), at(1), end],
        [head, at(0), at(1, other), end],
        [whole, at(0)],
        [whole, Buffer.of(0)],
        [flipped]
      ]
      for (const parts of forged) {
        yield* fs.writeFile(file, Buffer.concat(parts))
        assert.match(
          (yield* Effect.flip(readAll(file, passphrase))).message,
          /: it (?:was changed after it was sealed|ends in the middle, or its end was changed)$/
        )
      }
      yield* fs.writeFile(file, whole)
      yield* readAll(file, passphrase)
    }))

  it.effect("takes neither all memory nor hours because its header says so", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const { file, whole } = yield* sealed
      for (const [offset, value] of [[1, 31], [2, 200], [3, 0], [1, 19]] as const) {
        const changed = Buffer.from(whole)
        // The usual values, with one changed: 2^19 at 8 needs 512 MiB.
        changed.set([17, 8, 1], 14)
        changed[13 + offset] = value
        yield* fs.writeFile(file, changed)
        assert.match((yield* Effect.flip(readAll(file, passphrase))).message, /it is damaged/)
      }
      const later = Buffer.from(whole)
      later[13] = 2
      yield* fs.writeFile(file, later)
      assert.match((yield* Effect.flip(readAll(file, passphrase))).message, /in a way \(2\)/)
    }))
})
