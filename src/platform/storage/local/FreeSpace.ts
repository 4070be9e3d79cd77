import { ByteSize, Context, Effect, Layer } from "effect"
import { statfs } from "node:fs/promises"
import { StorageFull } from "../../http/errors.ts"
import { storageSettings } from "../StorageSettings.ts"

/** Bytes of a folder's file system that are free for this process. */
export class FreeSpace extends Context.Service<FreeSpace, {
  of(folder: string): Effect.Effect<number>
}>()("turma/platform/storage/local/FreeSpace") {
  static readonly layer = Layer.succeed(
    FreeSpace,
    FreeSpace.of({ of: (folder) => Effect.map(Effect.promise(() => statfs(folder)), (fs) => fs.bavail * fs.bsize) })
  )
}

/** All writers of a process together may use so many bytes until the free space is read again. */
const look = 1024 * 1024

/**
 * Keeps `STORAGE_FREE_FLOOR` free in the file system of this folder, for all that this process writes there. A writer
 * claims its size for as long as its scope lasts, and fails unless it fits beside the other claims. Then it writes
 * chunk by chunk.
 * Claims of other processes and of a database are not known beforehand. So a chunk fails too unless it fits by the last
 * reading, which is at most 1 MiB of this process's chunks old. Before a process notices the others, it may take 1 MiB
 * of the floor, and the chunks that it is writing just then.
 */
export const makeFreeFloor = Effect.fnUntraced(function*(folder: string) {
  const space = yield* FreeSpace
  const floor = ByteSize.toNumberUnsafe(yield* storageSettings.STORAGE_FREE_FLOOR.read)
  /** Bytes that claims may still bring, that writers may use, and whose writing is over. */
  let claimed = 0
  let given = 0
  let written = 0
  let reading = { free: Number.NEGATIVE_INFINITY, given, written }

  const read = Effect.gen(function*() {
    const before = { given, written }
    reading = { ...before, free: yield* space.of(folder) }
  })

  // Chunks in progress at the reading may not be in it.
  const takesFloor = (more: number) => reading.free - (given - reading.written) - more < floor

  /** The check and what it allows are one step, so that nobody comes between them. */
  const unlessFull = (more: () => number, count: () => void) =>
    Effect.suspend(() => {
      if (takesFloor(more())) return Effect.fail(new StorageFull())
      count()
      return Effect.void
    })

  return Effect.fnUntraced(function*(size: number) {
    let rest = size
    const claim = unlessFull(() => claimed + size, () => {
      claimed += size
    })
    yield* read
    yield* Effect.acquireRelease(claim, () => Effect.sync(() => void (claimed -= rest)))

    const give = (bytes: number) =>
      unlessFull(() => bytes, () => {
        given += bytes
        claimed -= bytes
        rest -= bytes
      })
    return Effect.fnUntraced(function*<A, E, R>(bytes: number, write: Effect.Effect<A, E, R>) {
      if (given - reading.given >= look || takesFloor(bytes)) yield* read
      return yield* Effect.acquireUseRelease(give(bytes), () => write, () => Effect.sync(() => void (written += bytes)))
    })
  })
})
