import { Effect, FileSystem, Option, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { platform } from "node:os"
import { join } from "node:path"
import { CommandFailure } from "../errors/CommandFailure.ts"
import { exitCodes } from "../errors/ExitCodes.ts"
import { configFolder } from "./Folder.ts"

/** Where the command line is signed in, and by which key. */
export const Profile = Schema.Struct({
  url: Schema.String,
  club_id: Schema.String,
  club_name: Schema.String,
  key: Schema.RedactedFromValue(Schema.String),
  /** The key's id where it was made by a sign-in: then signing out revokes it. */
  key_id: Schema.optionalKey(Schema.String)
})
export type Profile = typeof Profile.Type

const Profiles = Schema.Struct({
  latest: Schema.NullOr(Schema.String),
  profiles: Schema.Record(Schema.String, Profile)
})
/** All profiles of a person; `latest` is the one that is meant where none is named. */
export type Profiles = typeof Profiles.Type

const Json = Schema.fromJsonString(Schema.toCodecJson(Profiles))
const decode = Schema.decodeEffect(Json)
const encode = Schema.encodeEffect(Json)

const none: Profiles = { latest: null, profiles: {} }

const wrong = (message: string) => new CommandFailure({ message, exit_code: exitCodes.usage.code })

/** Windows keeps rights elsewhere: there a person's folders are theirs. */
const hasModes = platform() !== "win32"

const ofOthers = 0o077
const writableByOthers = 0o022

const isMine = (owner: Option.Option<number>) =>
  Option.match(owner, { onNone: () => true, onSome: (uid) => uid === (process.getuid?.() ?? uid) })

const profilesFile = Effect.map(configFolder, (folder) => join(folder, "profiles.json"))

const refuseOpenFolder = Effect.fnUntraced(function*(folder: string) {
  const fs = yield* FileSystem.FileSystem
  const { mode, uid } = yield* fs.stat(folder)
  if (!hasModes || (mode & writableByOthers) === 0 && isMine(uid)) return
  return yield* wrong(`${folder} can be written to by others, so the keys in it are not used: chmod 700 ${folder}`)
})

const readChecked = Effect.fnUntraced(function*(path: string) {
  const fs = yield* FileSystem.FileSystem
  const file = yield* fs.open(path)
  // Of the very file that is read, not of what has the name by then.
  const { mode, size, uid } = yield* file.stat
  if (hasModes && ((mode & ofOthers) !== 0 || !isMine(uid))) {
    return yield* wrong(
      `${path} can be read by others, so the keys in it are not used: chmod 600 ${path}, and make new ones`
    )
  }
  const bytes = yield* file.readAlloc(Number(size))
  return new TextDecoder().decode(Option.getOrElse(bytes, () => new Uint8Array()))
}, Effect.scoped)

/** Every profile. A file that others may read, or that is not ours, is refused. */
export const readProfiles = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const path = yield* profilesFile
  if (!(yield* fs.exists(path))) return none
  yield* refuseOpenFolder(yield* configFolder)
  const text = yield* readChecked(path)
  return yield* Effect.mapError(
    decode(text),
    () => wrong(`${path} is no file of profiles: remove it and sign in again`)
  )
}).pipe(
  Effect.catchTag("PlatformError", ({ message }) => Effect.fail(wrong(`The profiles cannot be read: ${message}`)))
)

/**
 * Replaces the file of profiles at once. Folder and file are this person's alone from their first moment on: there is no
 * time at which another could open them.
 */
const writeProfiles = Effect.fnUntraced(
  function*(profiles: Profiles) {
    const fs = yield* FileSystem.FileSystem
    const random = yield* SecureRandom.SecureRandom
    const folder = yield* configFolder
    const path = yield* profilesFile
    yield* fs.makeDirectory(folder, { recursive: true, mode: 0o700 })
    yield* refuseOpenFolder(folder)
    const text = yield* Effect.orDie(encode(profiles))
    const fresh = `${path}.${yield* random.uuidV4()}`
    yield* fs.writeFileString(fresh, text, { flag: "wx", mode: 0o600 }).pipe(
      Effect.andThen(fs.rename(fresh, path)),
      Effect.tapCause(() => Effect.ignore(fs.remove(fresh, { force: true })))
    )
  },
  Effect.provide(SecureRandom.layerWebCrypto),
  Effect.catchTag("PlatformError", ({ message }) => Effect.fail(wrong(`The profiles cannot be written: ${message}`)))
)

/** Keeps a profile under this name, as the latest. */
export const keepProfile = Effect.fnUntraced(function*(name: string, profile: Profile) {
  const { profiles } = yield* readProfiles
  yield* writeProfiles({ latest: name, profiles: { ...profiles, [name]: profile } })
})

/** Forgets a profile; another becomes the latest, if there is one. */
export const forgetProfile = Effect.fnUntraced(function*(name: string) {
  const { latest, profiles } = yield* readProfiles
  const { [name]: _, ...others } = profiles
  const next = latest === name ? Object.keys(others).at(-1) ?? null : latest
  yield* writeProfiles({ latest: next, profiles: others })
})

/** The key in words that may be shown: which it is, and nothing that opens anything. */
export const shownKey = (key: Redacted.Redacted): string => {
  const [, name] = /^turma_([A-Za-z0-9]{8})_/.exec(Redacted.value(key)) ?? []
  return name === undefined ? "a session" : `turma_${name}_…`
}
