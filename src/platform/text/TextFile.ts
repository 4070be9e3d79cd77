import { Effect, type FileSystem, PlatformError } from "effect"
import { decodeUtf8, shownText } from "./Utf8.ts"

/** The text of a file that has to be UTF-8. */
export const textFile = (fs: FileSystem.FileSystem, path: string): Effect.Effect<string, PlatformError.PlatformError> =>
  Effect.flatMap(
    fs.readFile(path),
    (bytes) =>
      Effect.mapError(decodeUtf8(bytes), (cause) =>
        PlatformError.badArgument({
          module: "FileSystem",
          method: "readFile",
          description: `${path} is not UTF-8`,
          cause
        }))
  )

/** The text of a file that others write in any encoding, such as a log. */
export const shownFile = (
  fs: FileSystem.FileSystem,
  path: string
): Effect.Effect<string, PlatformError.PlatformError> => Effect.map(fs.readFile(path), (bytes) => shownText(bytes))
