import { Effect, FileSystem, Option, Path } from "effect"
import { databaseSettings, usesEmbeddedPostgres } from "./DatabaseSettings.ts"

/**
 * The folder that `DATA_DIR` names where the embedded database is not in it: for who looks at one that is there, and makes none
 * in a folder that was named by mistake. What cannot be looked at is not called missing.
 */
export const missingDatabase = Effect.gen(function*() {
  if (!(yield* usesEmbeddedPostgres)) return Option.none<string>()
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = path.resolve(yield* databaseSettings.DATA_DIR.read)
  const isThere = yield* Effect.orElseSucceed(fs.exists(path.join(folder, "postgres")), () => true)
  return isThere ? Option.none<string>() : Option.some(folder)
})
