import { ByteSize, Context, Effect, Layer } from "effect"
import { statfs } from "node:fs/promises"
import { StorageFull } from "../http/errors.ts"
import { storageSettings } from "./StorageSettings.ts"

/** How many bytes of a folder's file system are free for us. */
export class FreeSpace extends Context.Service<FreeSpace, {
  of(folder: string): Effect.Effect<number>
}>()("turma/storage/FreeSpace") {
  static readonly layer = Layer.succeed(
    FreeSpace,
    FreeSpace.of({ of: (folder) => Effect.map(Effect.promise(() => statfs(folder)), (fs) => fs.bavail * fs.bsize) })
  )
}

/** Fails unless `STORAGE_FREE_FLOOR` would stay free in the file system of this folder if `more` bytes came. */
export const makeFreeFloor = Effect.fnUntraced(function*(folder: string) {
  const space = yield* FreeSpace
  const floor = ByteSize.toNumberUnsafe(yield* storageSettings.STORAGE_FREE_FLOOR.read)
  return Effect.fnUntraced(function*(more: number) {
    if ((yield* space.of(folder)) - more < floor) return yield* new StorageFull()
  })
})
