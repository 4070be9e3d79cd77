import { Effect, FileSystem, Path } from "effect"
import { waitsOutside } from "../../http/request/OutsideWaits.ts"
import { isMissing, isTaken, orFull } from "./FileErrors.ts"

/**
 * Gives files names that survive a crash of the machine. `folders` are those above every file, which may not be there
 * yet.
 */
export const makeFileNames = Effect.fnUntraced(function*(folders: ReadonlyArray<string>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path

  // A hard link, which fails if the name exists, while a move would replace that file. False if there is no file.
  const nameOnce = (file: string, name: string) =>
    fs.link(file, name).pipe(
      Effect.as(true),
      Effect.catchIf(isTaken, () => Effect.succeed(true)),
      Effect.catchIf(isMissing, () => Effect.succeed(false)),
      orFull
    )

  // A file itself was written through; this is for its name.
  const syncNames = (place: string) =>
    orFull(Effect.scoped(Effect.flatMap(fs.open(place, { flag: "r" }), ({ sync }) => waitsOutside(sync))))

  // Folders whose own names are synced. Folders are never removed, and the process that made one may have died before
  // its sync.
  const synced = new Set<string>()
  const makePlace = Effect.fnUntraced(function*(place: string) {
    yield* orFull(fs.makeDirectory(place, { recursive: true, mode: 0o700 }))
    for (const made of [place, ...folders]) {
      if (synced.has(made)) continue
      yield* syncNames(path.dirname(made))
      synced.add(made)
    }
  })

  return { makePlace, nameOnce, syncNames }
})
