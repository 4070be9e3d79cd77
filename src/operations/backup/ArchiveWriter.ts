import { Effect, FileSystem, Path, Stream } from "effect"
import { createWriteStream } from "node:fs"
import { pipeline } from "node:stream"
import { constants, createGzip } from "node:zlib"
import { type BackupError, failed, refuse } from "./BackupError.ts"
import { encodeHeader, paddingOf, tarEnd } from "./Tar.ts"

/** Takes what an archive holds, one after another. */
export interface ArchiveWriter {
  readonly add: (name: string, bytes: Uint8Array) => Effect.Effect<void, BackupError>
  /** A file of exactly `size` bytes, a chunk at a time. */
  readonly addStream: <E>(
    name: string,
    size: number,
    bytes: Stream.Stream<Uint8Array, E>
  ) => Effect.Effect<void, E | BackupError>
}

/** A gzip stream into a new file that only we can read. Writing waits for the disk. */
const openGzip = (file: string) => {
  const gzip = createGzip({ level: constants.Z_BEST_SPEED })
  let cause: Error | undefined
  const ended = new Promise<void>((resolve) => {
    pipeline(gzip, createWriteStream(file, { flags: "wx", mode: 0o600, flush: true }), (error) => {
      cause = error ?? undefined
      resolve()
    })
  })
  const writing = failed(`Writing ${file}`)
  const write = (bytes: Uint8Array) =>
    Effect.callback<void, BackupError>((resume) => {
      // The reason is the file's: what gzip says is that it was ended.
      const fail = () => void ended.then(() => resume(Effect.fail(writing(cause ?? "it was ended"))))
      if (gzip.destroyed) return fail()
      gzip.write(bytes, (error) => error ? fail() : resume(Effect.void))
    })
  const end = Effect.callback<void, BackupError>((resume) => {
    gzip.end()
    void ended.then(() => resume(cause === undefined ? Effect.void : Effect.fail(writing(cause))))
  })
  const abandon = Effect.promise(async () => {
    gzip.destroy()
    await ended
  })
  return { write, end, abandon }
}

/**
 * Makes an archive (tar, gzip) of what `fill` adds. The file has its name once it is whole and on the disk, and takes
 * nobody's place.
 */
export const writeArchive = Effect.fnUntraced(function*<A, E, R>(
  file: string,
  fill: (writer: ArchiveWriter) => Effect.Effect<A, E, R>
) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const target = path.resolve(file)
  const part = `${target}.part`
  const writing = failed(`Writing ${target}`)
  if (yield* Effect.mapError(fs.exists(target), writing)) return yield* refuse(`${target} exists already`)
  if (yield* Effect.mapError(fs.exists(part), writing)) {
    return yield* refuse(`${part} is of a backup that runs or was cut off: delete it if none runs`)
  }
  const gzip = openGzip(part)

  const begin = Effect.fnUntraced(function*(name: string, size: number) {
    const header = encodeHeader({ name, size })
    if (header === undefined) return yield* refuse(`${name} of ${size} bytes does not fit into an archive`)
    yield* gzip.write(header)
  })
  const add = Effect.fnUntraced(function*(name: string, bytes: Uint8Array) {
    yield* begin(name, bytes.length)
    yield* gzip.write(bytes)
    yield* gzip.write(Buffer.alloc(paddingOf(bytes.length)))
  })
  const addStream = Effect.fnUntraced(function*<E2>(
    name: string,
    size: number,
    bytes: Stream.Stream<Uint8Array, E2>
  ) {
    let written = 0
    yield* begin(name, size)
    yield* Stream.runForEach(bytes, (chunk) => {
      written += chunk.length
      return gzip.write(chunk)
    })
    if (written !== size) return yield* refuse(`${name} has changed while it was read`)
    yield* gzip.write(Buffer.alloc(paddingOf(size)))
  })

  const fillAndEnd = Effect.gen(function*() {
    const filled = yield* fill({ add, addStream })
    yield* gzip.write(tarEnd)
    yield* gzip.end
    // A second name is given once, where a move would replace what has it.
    yield* Effect.mapError(fs.link(part, target), writing)
    return filled
  })
  return yield* fillAndEnd.pipe(
    Effect.ensuring(Effect.andThen(gzip.abandon, Effect.ignore(fs.remove(part, { force: true }))))
  )
})
