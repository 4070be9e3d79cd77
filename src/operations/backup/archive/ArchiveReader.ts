import { Effect, Stream } from "effect"
import { pipeline } from "node:stream"
import { createGunzip } from "node:zlib"
import { type BackupError, refuse } from "./BackupError.ts"
import type { Source } from "./Ends.ts"
import { type Opening, opening } from "./Seal.ts"
import { blockLength, decodeHeader, paddingOf, type TarEntry } from "./Tar.ts"

/** The most bytes of a piece of a database or of a description: many times the size that we write. */
export const mostAtOnce = 32 * 1024 * 1024

/** A file of the archive. Read its content once, before you ask for the next. */
export interface Entry extends TarEntry {
  readonly bytes: Effect.Effect<Buffer, BackupError>
  readonly chunks: Stream.Stream<Uint8Array, BackupError>
}

const reasonOf = (error: unknown) => {
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  if (code === "ENOENT") return "there is no such file"
  if (code === "Z_BUF_ERROR") return "it ends in the middle"
  if (code.startsWith("Z_")) return "it is damaged, or no backup of Turma"
  return error instanceof Error ? error.message : String(error)
}

/**
 * Opens an archive; `next` answers its files one after another, and undefined at its end. A passphrase opens what is
 * sealed with it, and refuses what is not sealed unless that is wanted.
 */
export const openArchive = Effect.fnUntraced(function*({ name: file, open }: Source, how: Opening = {}) {
  const damaged = (why: string) => refuse(`${file}: ${why}`)
  const bytes = yield* open
  const gunzip = yield* Effect.acquireRelease(
    Effect.sync(() => pipeline(bytes, opening(how), createGunzip(), () => undefined)),
    (stream) => Effect.sync(() => stream.destroy())
  )
  const source: AsyncIterator<unknown> = gunzip[Symbol.asyncIterator]()
  let buffered: Buffer = Buffer.alloc(0)

  const more = Effect.gen(function*() {
    const next = yield* Effect.tryPromise({
      try: () => source.next(),
      catch: (error) => damaged(reasonOf(error))
    })
    if (next.done === true || !Buffer.isBuffer(next.value)) return yield* damaged("it ends in the middle")
    buffered = next.value
  })

  /** At least one and at most so many bytes. */
  const some = Effect.fnUntraced(function*(most: number) {
    while (buffered.length === 0) yield* more
    const bytes = buffered.subarray(0, most)
    buffered = buffered.subarray(bytes.length)
    return bytes
  })

  const chunks = (size: number) =>
    Stream.unfold(size, (left) =>
      left === 0
        ? Effect.succeed(undefined)
        : Effect.map(some(left), (bytes) => [bytes, left - bytes.length] as const))

  const exactly = (size: number) => Effect.map(Stream.runCollect(chunks(size)), (parts) => Buffer.concat([...parts]))

  let unread = 0
  const next: Effect.Effect<Entry | undefined, BackupError> = Effect.gen(function*() {
    yield* Stream.runDrain(chunks(unread))
    const header = decodeHeader(yield* exactly(blockLength))
    if (header === undefined) return yield* damaged("it is damaged, or no backup of Turma")
    if (header === "end") return undefined
    const { name, size } = header
    unread = size + paddingOf(size)
    const begin = Effect.sync(() => {
      unread = paddingOf(size)
      return size
    })
    return {
      name,
      size,
      bytes: size > mostAtOnce
        ? Effect.fail(damaged(`${name} is larger than any that Turma writes`))
        : Effect.flatMap(begin, exactly),
      chunks: Stream.unwrap(Effect.map(begin, chunks))
    }
  })

  /** Nothing may follow the end, and what gzip says of the whole must be right. */
  const end = Effect.gen(function*() {
    let isOver = false
    while (!isOver) {
      const next = yield* Effect.tryPromise({ try: () => source.next(), catch: (error) => damaged(reasonOf(error)) })
      isOver = next.done === true
    }
  })
  return { next, end }
})
export type ArchiveReader = Effect.Success<ReturnType<typeof openArchive>>
