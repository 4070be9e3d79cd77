import { Effect, FileSystem, Path, Schema } from "effect"
import { textFile } from "../text/TextFile.ts"

const Links = Schema.fromJsonString(Schema.Array(Schema.Struct({ source: Schema.String, target: Schema.String })))

/**
 * Makes the links between PostgreSQL's libraries without which its programs do not start, unless they are there. The package
 * has a script that makes them when it is installed, which not every npm runs. `root`: the folder of the package.
 */
export const linkLibraries = Effect.fnUntraced(function*(root: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const list = path.join(root, "native", "pg-symlinks.json")
  if (!(yield* fs.exists(list))) return
  const links = yield* Effect.orDie(Schema.decodeEffect(Links)(yield* textFile(fs, list)))
  const last = links.at(-1)
  // The links are created in this order.
  if (last === undefined || (yield* fs.exists(path.join(root, last.target)))) return
  for (const { source, target } of links) {
    const link = fs.symlink(path.relative(path.dirname(target), source), path.join(root, target))
    // Another process may be at it too.
    yield* Effect.catchReason(link, "PlatformError", "AlreadyExists", () => Effect.void)
  }
})
