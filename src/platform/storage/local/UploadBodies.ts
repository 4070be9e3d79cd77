import { Clock, Effect, FileSystem, type Scope, Stream } from "effect"
import { PayloadTooLarge } from "../../http/errors.ts"
import { waitsOutside } from "../../http/request/OutsideWaits.ts"
import { orFull } from "./FileErrors.ts"
import { makeFreeFloor } from "./FreeSpace.ts"
import { beat, type Part } from "./Parts.ts"
import { UploadSizeWrong, UploadTooSlow } from "./Refusals.ts"
import { makeUploadPace } from "./UploadPace.ts"

/** Takes in the bodies of uploads, in the file system of this folder. */
export const makeUploadBodies = Effect.fnUntraced(function*(folder: string) {
  const fs = yield* FileSystem.FileSystem
  const freeFloor = yield* makeFreeFloor(folder)

  /** Writes exactly `size` bytes where this file stands, and through to the disk, or fails. */
  const fill = Effect.fnUntraced(
    function*<E, E2>(
      opened: Effect.Effect<FileSystem.File, E2, Scope.Scope>,
      size: number,
      bytes: Stream.Stream<Uint8Array, E>,
      come = { bytes: 0 }
    ) {
      const within = yield* freeFloor(size)
      const handle = yield* opened
      yield* Stream.runForEach(
        bytes,
        Effect.fnUntraced(function*(chunk) {
          come.bytes += chunk.length
          if (come.bytes > size) {
            return yield* new PayloadTooLarge({
              error: { message: "The upload is larger than it was announced: begin a new one with its size_bytes" }
            })
          }
          yield* within(chunk.length, orFull(handle.writeAll(chunk)))
        })
      )
      if (come.bytes < size) return yield* new UploadSizeWrong()
      yield* waitsOutside(orFull(handle.sync))
    },
    Effect.scoped
  )

  /** Never ends well: looks after a body that is coming. */
  const watch = Effect.fnUntraced(function*({ renew }: Part, size: number, come: { readonly bytes: number }) {
    const now = Effect.map(Clock.monotonicTimeNanos, (nanos) => Number(nanos) / 1e6)
    const pace = makeUploadPace(yield* now, size)
    while (true) {
      yield* Effect.sleep(beat)
      if (pace.isTooSlow(yield* now, come.bytes)) return yield* new UploadTooSlow()
      yield* renew
    }
  })

  /** Writes exactly `size` bytes into the part, or fails; gives up on a body that comes too slowly. */
  const takeIn = <E>(part: Part, size: number, bytes: Stream.Stream<Uint8Array, E>) =>
    Effect.suspend(() => {
      const come = { bytes: 0 }
      const opened = orFull(fs.open(part.file, { flag: "r+" }))
      return Effect.raceFirst(fill(opened, size, bytes, come), watch(part, size, come))
    })

  return { takeIn, fill }
})
