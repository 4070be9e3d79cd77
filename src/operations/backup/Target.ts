import { Effect, Exit, FileSystem, Option, Path } from "effect"
import { restoringFolder } from "../../platform/sql/Database.ts"
import { databaseSettings, usesEmbeddedPostgres } from "../../platform/sql/DatabaseSettings.ts"
import { failed, refuse } from "./archive/BackupError.ts"
import { keyName } from "./Manifest.ts"

/**
 * The parts that a restore puts into `DATA_DIR`, in the order in which they move there. A folder with a database is an
 * installation, so the database is last.
 */
const parts = ["files", keyName, "postgres"]

/** Removes a folder with a database in it, which has ended. */
export const removeStaging = Effect.fnUntraced(function*(folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  // As root, the database may be a link to where PostgreSQL's user can be.
  const link = yield* Effect.option(fs.readLink(path.join(folder, "postgres")))
  if (Option.isSome(link)) yield* Effect.ignore(fs.remove(link.value, { recursive: true }))
  yield* Effect.ignore(fs.remove(folder, { recursive: true }))
})

/**
 * A folder within `DATA_DIR` for the preparation. `publish` moves its content to its places; without that, the folder
 * is deleted. A service does not start while it exists.
 */
export const openTarget = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = path.resolve(yield* databaseSettings.DATA_DIR.read)
  const staging = path.join(folder, restoringFolder)
  const preparing = failed(`${folder} cannot be restored into`)
  const isEmbedded = yield* usesEmbeddedPostgres

  const refuseTaken = Effect.gen(function*() {
    for (const part of isEmbedded ? parts : ["files"]) {
      const file = path.join(folder, part)
      if (!(yield* Effect.mapError(fs.exists(file), preparing))) continue
      return yield* refuse(`${file} is there already: name an empty DATA_DIR, or move what is in this one elsewhere`)
    }
  })

  yield* refuseTaken
  yield* Effect.mapError(fs.makeDirectory(folder, { recursive: true }), preparing)
  const clean = removeStaging(staging)
  yield* Effect.acquireRelease(
    Effect.mapError(
      fs.makeDirectory(staging),
      () => refuse(`${staging} is there: another restore is under way, or was cut off: then empty DATA_DIR first`)
    ),
    (_, exit) => Exit.isSuccess(exit) ? Effect.ignore(fs.remove(staging, { recursive: true })) : clean
  )

  const moved: Array<string> = []
  const retract = Effect.suspend(() =>
    Effect.forEach(moved.splice(0), (file) => Effect.ignore(fs.remove(file, { recursive: true })), { discard: true })
  )
  const publish = Effect.gen(function*() {
    yield* refuseTaken
    for (const part of parts) {
      const [from, to] = [path.join(staging, part), path.join(folder, part)]
      if (Option.isNone(yield* Effect.option(fs.stat(from)))) continue
      yield* Effect.mapError(fs.rename(from, to), preparing)
      moved.push(to)
    }
    yield* Effect.mapError(fs.remove(staging, { recursive: true }), preparing)
  }).pipe(Effect.onError(() => retract), Effect.uninterruptible)
  return {
    staging,
    isEmbedded,
    publish,
    /** Takes back what `publish` did, where the database that belongs to it was not kept after all. */
    retract
  }
})
export type Target = Effect.Success<typeof openTarget>
