import { Effect, FileSystem, Option, Path } from "effect"
import { databaseSettings, usesEmbeddedPostgres } from "./DatabaseSettings.ts"

/**
 * The folder of `DATA_DIR` if it has no embedded database. It is for commands that look at an existing database: they
 * should not make one in a folder that was named by mistake. A folder that cannot be read does not count as missing.
 */
export const missingDatabase = Effect.gen(function*() {
  if (!(yield* usesEmbeddedPostgres)) return Option.none<string>()
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = path.resolve(yield* databaseSettings.DATA_DIR.read)
  const isThere = yield* Effect.orElseSucceed(fs.exists(path.join(folder, "postgres")), () => true)
  return isThere ? Option.none<string>() : Option.some(folder)
})
