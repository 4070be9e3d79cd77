import { Effect, FileSystem } from "effect"

/** Writes a new file that only its owner reads, down to the disk. Its name is there once its folder is. */
export const writeDurably = Effect.fnUntraced(function*(file: string, text: string) {
  const fs = yield* FileSystem.FileSystem
  const opened = yield* fs.open(file, { flag: "wx", mode: 0o600 })
  yield* opened.writeAll(Buffer.from(text))
  yield* opened.sync
}, Effect.scoped)

/** Has the names in a folder on the disk. */
export const syncFolder = Effect.fnUntraced(function*(folder: string) {
  const fs = yield* FileSystem.FileSystem
  yield* (yield* fs.open(folder, { flag: "r" })).sync
}, Effect.scoped)
