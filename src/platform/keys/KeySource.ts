import { Config, Effect, FileSystem, Option, Path } from "effect"
import { fileVariable } from "../config/SecretFile.ts"
import { keyFile, KeyFileError, keysOfText, namedKeys } from "../sql/Sealing.ts"
import { textFile } from "../text/TextFile.ts"

/**
 * The file that has the keys of this environment: the named one, or the generated one. `None` if a variable has them.
 */
export const keysFile = Effect.gen(function*() {
  const path = yield* Path.Path
  const named = yield* Effect.option(Config.NonEmptyString(fileVariable("APP_SECRET_KEY")))
  if (Option.isSome(named)) return Option.some(path.resolve(named.value))
  return Option.isNone(yield* namedKeys) ? Option.some(yield* keyFile) : Option.none()
})

/** The keys in the file now; `None` while it cannot be read or has other content. */
export const readKeysFile = Effect.fnUntraced(function*(file: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* Effect.option(textFile(fs, file))
  return Option.flatMap(text, keysOfText)
})

/** True if a command may write the file anew, beside itself. */
const isWritable = Effect.fnUntraced(function*(file: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const isOpen = (place: string) => Effect.isSuccess(fs.access(place, { writable: true }))
  return (yield* isOpen(file)) && (yield* isOpen(path.dirname(file)))
})

/**
 * The place of the keys of this environment, and the keys. `target` is the file itself if links lead to it; `isOurs`
 * says that a command may write it. Generates no key.
 */
export const keySource = Effect.gen(function*() {
  const file = yield* keysFile
  if (Option.isNone(file)) {
    const keys = Option.getOrThrow(yield* namedKeys)
    return { file: undefined, target: undefined, isOurs: false, keys }
  }
  const fs = yield* FileSystem.FileSystem
  const target = yield* Effect.orElseSucceed(fs.realPath(file.value), () => file.value)
  const keys = yield* readKeysFile(target)
  if (Option.isNone(keys)) {
    return yield* new KeyFileError({
      message: `${file.value}: there is no key to be read; the first start of the service makes one in DATA_DIR`
    })
  }
  return { file: file.value, target, isOurs: yield* isWritable(target), keys: keys.value }
})

/** Where the keys of an environment are. */
export type KeySource = Effect.Success<typeof keySource>
