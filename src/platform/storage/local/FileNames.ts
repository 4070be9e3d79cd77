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

  // A second name, which is given once, and not a move, which would replace what has it: false where there is no file.
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

  // Folders whose own names are synced. None is removed; who made one may have died before that.
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
