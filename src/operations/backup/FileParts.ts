import { DateTime, Duration, Effect, FileSystem, Option, Path, type PlatformError, Stream } from "effect"
import { createHash } from "node:crypto"
import type { Entry } from "./archive/ArchiveReader.ts"
import type { ArchiveWriter } from "./archive/ArchiveWriter.ts"
import { failed, refuse } from "./archive/BackupError.ts"
import { filesPrefix, type Manifest } from "./Manifest.ts"
import type { Progress } from "./Progress.ts"

const chunkSize = 64 * 1024

/** How far the clocks of a file system and of this machine may be apart. */
const tolerance = Duration.minutes(1)

const isGone = ({ reason }: PlatformError.PlatformError) => reason._tag === "NotFound"

/** Names of the archive's files: what is under `DATA_DIR/files`, and nothing that leads out of it. */
const nameOfFile = /^files\/(?:kept|uploads)(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)+$/

/** Counts files and bytes, and hashes names and contents. */
const makeTally = () => {
  const hash = createHash("sha256")
  let count = 0
  let bytes = 0
  return {
    begin: (name: string, size: number) => {
      count += 1
      bytes += size
      hash.update(`${name} ${size}\n`)
    },
    take: (chunk: Uint8Array) => void hash.update(chunk),
    report: (progress: Progress, isDone: boolean) => progress(`files: ${count}, ${bytes} bytes`, isDone),
    close: (): Manifest["files"] => ({ count, bytes, sha256: hash.digest("hex") })
  }
}

/** The manifest's entry for an archive without files. */
export const noFiles = () => makeTally().close()

/**
 * Adds the files of a folder as they were at a moment. Later files belong to rows that the dump does not know, and
 * unfinished ones have no name yet. A file that is deleted meanwhile was deleted on purpose, and is missing.
 */
export const addFiles = Effect.fnUntraced(function*(
  folder: string,
  taken_at: DateTime.Utc,
  archive: ArchiveWriter,
  progress: Progress
) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const tally = makeTally()
  const reading = failed(`The files under ${folder} cannot be read`)
  const latest = DateTime.toEpochMillis(taken_at) + Duration.toMillis(tolerance)
  const ifThere = <A, R>(work: Effect.Effect<A, PlatformError.PlatformError, R>) =>
    Effect.catch(Effect.asSome(work), (error) => isGone(error) ? Effect.succeedNone : Effect.fail(reading(error)))

  const addFile = Effect.fnUntraced(function*(file: string, name: string) {
    const handle = yield* ifThere(fs.open(file, { flag: "r" }))
    if (Option.isNone(handle)) return
    // The size of the open file, which stays readable when its name is deleted.
    const size = Number((yield* Effect.mapError(handle.value.stat, reading)).size)
    tally.begin(name, size)
    const chunks = Stream.unfold(size, (left) =>
      left === 0 ? Effect.succeed(undefined) : Effect.map(
        handle.value.readAlloc(Math.min(chunkSize, left)),
        (chunk) => Option.isNone(chunk) ? undefined : [chunk.value, left - chunk.value.length] as const
      ))
    yield* archive.addStream(
      `${filesPrefix}${name}`,
      size,
      Stream.tap(Stream.mapError(chunks, reading), (chunk) => Effect.sync(() => tally.take(chunk)))
    )
    yield* tally.report(progress, false)
  }, Effect.scoped)

  const addFolder: (name: string) => Effect.Effect<void, ReturnType<typeof refuse>> = Effect.fnUntraced(function*(
    name
  ) {
    const names = yield* ifThere(fs.readDirectory(path.join(folder, name)))
    for (const own of Option.getOrElse(names, () => []).toSorted()) {
      const entry = `${name}/${own}`
      // A file system keeps files of its own there, such as `.nfs…`: a restore could not use them.
      if (!nameOfFile.test(`${filesPrefix}${entry}`)) {
        yield* Effect.logWarning("A file is not in the backup: its name is not one of Turma's", { name: entry })
        continue
      }
      const info = yield* ifThere(fs.stat(path.join(folder, entry)))
      if (Option.isNone(info)) continue
      const { mtime, type } = info.value
      const isLater = Option.exists(mtime, (at) => at.getTime() > latest)
      if (type === "Directory") yield* addFolder(entry)
      else if (type === "File" && !isLater && !own.endsWith(".part")) yield* addFile(path.join(folder, entry), entry)
    }
  })
  // A file that is settled meanwhile moves from `uploads` to `kept`, so at least one of the two folders has it.
  yield* addFolder("uploads")
  yield* addFolder("kept")
  yield* tally.report(progress, true)
  return tally.close()
})

const nameWithin = ({ name }: Entry) =>
  nameOfFile.test(name)
    ? Effect.succeed(name.slice(filesPrefix.length))
    : Effect.fail(refuse(`the backup has a file with a name that is none of Turma's: ${name}`))

const compare = Effect.fnUntraced(function*(is: Manifest["files"], expected: Manifest["files"]) {
  if (is.count !== expected.count || is.bytes !== expected.bytes || is.sha256 !== expected.sha256) {
    return yield* refuse("the files are not those that were backed up")
  }
})

/** Reads an archive's files to compare them with its manifest, and writes no file. */
export const readFiles = () => {
  const tally = makeTally()
  return {
    take: Effect.fnUntraced(function*(entry: Entry) {
      tally.begin(yield* nameWithin(entry), entry.size)
      yield* Stream.runForEach(entry.chunks, (chunk) => Effect.sync(() => tally.take(chunk)))
    }),
    finish: (expected: Manifest["files"]) => Effect.suspend(() => compare(tally.close(), expected))
  }
}

/** Writes an archive's files below a folder that is not yet anybody's. */
export const openFiles = (folder: string, progress: Progress) => {
  const tally = makeTally()
  const take = Effect.fnUntraced(function*(entry: Entry) {
    const { chunks, size } = entry
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const own = yield* nameWithin(entry)
    const file = path.join(folder, own)
    const writing = failed(`${file} cannot be written`)
    tally.begin(own, size)
    yield* Effect.mapError(fs.makeDirectory(path.dirname(file), { recursive: true, mode: 0o700 }), writing)
    const handle = yield* Effect.mapError(fs.open(file, { flag: "wx", mode: 0o600 }), writing)
    yield* Stream.runForEach(chunks, (chunk) => {
      tally.take(chunk)
      return Effect.mapError(handle.writeAll(chunk), writing)
    })
    yield* Effect.mapError(handle.sync, writing)
    yield* tally.report(progress, false)
  }, Effect.scoped)
  const finish = (expected: Manifest["files"]) => Effect.suspend(() => compare(tally.close(), expected))
  return { take, finish }
}
