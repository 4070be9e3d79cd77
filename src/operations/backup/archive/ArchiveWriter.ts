import { Effect, type Redacted, Stream } from "effect"
import { pipeline } from "node:stream"
import { constants, createGzip } from "node:zlib"
import { mostAtOnce } from "./ArchiveReader.ts"
import { type BackupError, failed, refuse } from "./BackupError.ts"
import type { Destination, Draft } from "./Ends.ts"
import { sealing } from "./Seal.ts"
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

/** A stream of ours into a draft, by gzip and the seal. A write waits until the draft takes the bytes. */
const openStream = (name: string, draft: Draft, passphrase: Redacted.Redacted | undefined) => {
  const gzip = createGzip({ level: constants.Z_BEST_SPEED })
  let cause: Error | undefined
  const ended = new Promise<void>((resolve) => {
    const over = (error: Error | null | undefined) => {
      cause = error ?? undefined
      resolve()
    }
    if (passphrase === undefined) pipeline(gzip, draft.bytes, over)
    else pipeline(gzip, sealing(passphrase), draft.bytes, over)
  })
  const writing = failed(`Writing ${name}`)
  const write = (bytes: Uint8Array) =>
    Effect.callback<void, BackupError>((resume) => {
      // The reason is the draft's: what gzip says is that it was ended.
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
 * Makes an archive (tar, gzip, sealed with a passphrase) of the files that `fill` adds. It gets its name once it is
 * whole and on the disk, and replaces no other file.
 */
export const writeArchive = Effect.fnUntraced(function*<A, E, R>(
  { name, open }: Destination,
  fill: (writer: ArchiveWriter) => Effect.Effect<A, E, R>,
  passphrase?: Redacted.Redacted
) {
  const draft = yield* open
  const stream = yield* Effect.acquireRelease(
    Effect.sync(() => openStream(name, draft, passphrase)),
    ({ abandon }) => abandon
  )

  const begin = Effect.fnUntraced(function*(name: string, size: number) {
    const header = encodeHeader({ name, size })
    if (header === undefined) return yield* refuse(`${name} of ${size} bytes does not fit into an archive`)
    yield* stream.write(header)
  })
  const add = Effect.fnUntraced(function*(name: string, bytes: Uint8Array) {
    if (bytes.length > mostAtOnce) return yield* refuse(`${name} is larger than what can be restored`)
    yield* begin(name, bytes.length)
    yield* stream.write(bytes)
    yield* stream.write(Buffer.alloc(paddingOf(bytes.length)))
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
      return stream.write(chunk)
    })
    if (written !== size) return yield* refuse(`${name} has changed while it was read`)
    yield* stream.write(Buffer.alloc(paddingOf(size)))
  })

  const filled = yield* fill({ add, addStream })
  yield* stream.write(tarEnd)
  yield* stream.end
  yield* draft.publish
  return filled
}, Effect.scoped)
