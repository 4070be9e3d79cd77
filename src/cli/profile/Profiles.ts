import { Effect, FileSystem, Option, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { platform } from "node:os"
import { basename, dirname, join } from "node:path"
import { whyUnreadable } from "../../platform/text/Unreadable.ts"
import { utf8Option } from "../../platform/text/Utf8.ts"
import { CommandFailure } from "../errors/CommandFailure.ts"
import { exitCodes } from "../errors/ExitCodes.ts"
import { whyUnexpected } from "../errors/Unreadable.ts"
import { configFolder } from "./Folder.ts"
import { exclusively } from "./Lock.ts"

/** Where the command line is signed in, and by which key. */
export const Profile = Schema.Struct({
  url: Schema.String,
  club_id: Schema.String,
  club_name: Schema.String,
  key: Schema.RedactedFromValue(Schema.String),
  /** The key's id if a sign-in created it: then signing out revokes it. */
  key_id: Schema.optionalKey(Schema.String)
})
export type Profile = typeof Profile.Type

const Profiles = Schema.Struct({
  latest: Schema.NullOr(Schema.String),
  profiles: Schema.Record(Schema.String, Profile)
})
/** All profiles of a person; `latest` is the default. */
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
  // Of the open file, not of a file that gets its name meanwhile.
  const { mode, size, uid } = yield* file.stat
  if (hasModes && ((mode & ofOthers) !== 0 || !isMine(uid))) {
    return yield* wrong(`${path} can be read by others, so the keys in it are not used: chmod 600 ${path}, and make new ones`)
  }
  const bytes = yield* file.readAlloc(Number(size))
  const text = utf8Option(Option.getOrElse(bytes, () => new Uint8Array()))
  return Option.isSome(text) ? text.value : yield* wrong(`${path} is not UTF-8 text`)
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
    () => wrong(`${path} is no file of profiles (${whyUnexpected(text)}): remove it and sign in again`)
  )
}).pipe(Effect.catchTag(
  "PlatformError",
  (error) =>
    Effect.flatMap(
      profilesFile,
      (path) => Effect.fail(wrong(`Cannot read the profiles in ${path}: ${whyUnreadable(error)}`))
    )
))

/** The suffix of an unfinished change's file: its token. */
const unfinished = /^\.[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

// Files of a killed command hold keys that nobody would find again. Other files beside them are somebody's own.
const removeLeft = Effect.fnUntraced(function*(path: string) {
  const fs = yield* FileSystem.FileSystem
  const names = yield* fs.readDirectory(dirname(path))
  const file = basename(path)
  const left = names.filter((name) => name.startsWith(file) && unfinished.test(name.slice(file.length)))
  yield* Effect.forEach(left, (name) => fs.remove(join(dirname(path), name), { force: true }), { discard: true })
})

/** Replaces the file of profiles at once, and is on the disk before it has the name. */
const replaceFile = Effect.fnUntraced(function*(path: string, text: string, token: string) {
  const fs = yield* FileSystem.FileSystem
  const fresh = `${path}.${token}`
  yield* Effect.scoped(Effect.gen(function*() {
    const file = yield* fs.open(fresh, { flag: "wx", mode: 0o600 })
    yield* file.writeAll(new TextEncoder().encode(text))
    yield* file.sync
  })).pipe(
    Effect.andThen(fs.rename(fresh, path)),
    Effect.tapCause(() => Effect.ignore(fs.remove(fresh, { force: true })))
  )
})

/**
 * Changes the profiles, one command at a time: of two that sign in at once neither loses the other's. Folder and file are
 * this person's alone from their first moment on: there is no time at which another could open them.
 */
const update = Effect.fnUntraced(
  function*<A>(change: (profiles: Profiles) => readonly [next: Profiles, answer: A]) {
    const fs = yield* FileSystem.FileSystem
    const random = yield* SecureRandom.SecureRandom
    const folder = yield* configFolder
    const path = yield* profilesFile
    yield* fs.makeDirectory(folder, { recursive: true, mode: 0o700 })
    yield* refuseOpenFolder(folder)
    const token = yield* random.uuidV4()
    return yield* exclusively(join(folder, "profiles.lock"), token, (isOurs) =>
      Effect.gen(function*() {
        yield* removeLeft(path)
        const [next, answer] = change(yield* readProfiles)
        const text = yield* Effect.orDie(encode(next))
        if (!(yield* isOurs)) return yield* wrong("Another command has changed the profiles meanwhile: try again")
        yield* replaceFile(path, text, token)
        return answer
      }))
  },
  Effect.provide(SecureRandom.layerWebCrypto),
  Effect.catchTag("PlatformError", ({ message }) => Effect.fail(wrong(`The profiles cannot be written: ${message}`)))
)

/** The profile of this name, if there is one. */
export const profileNamed = ({ profiles }: Profiles, name: string): Profile | undefined =>
  Object.hasOwn(profiles, name) ? profiles[name] : undefined

/** Keeps a profile as the latest, under the name that is chosen beside the others; answers it, and whose place it takes. */
export const keepProfile = (nameOf: (profiles: Profiles) => string, profile: Profile) =>
  update((before) => {
    const name = nameOf(before)
    const next = { latest: name, profiles: { ...before.profiles, [name]: profile } }
    return [next, { name, replaced: profileNamed(before, name) }]
  })

/** Makes this profile the default. False if there is no profile with that name. */
export const preferProfile = (name: string) =>
  update((before) => {
    const isThere = profileNamed(before, name) !== undefined
    return [isThere ? { ...before, latest: name } : before, isThere]
  })

/** Forgets a profile; another becomes the latest, if there is one. False where it stays, since it has another key by now. */
export const forgetProfile = (name: string, { key }: Profile) =>
  update((before) => {
    const found = profileNamed(before, name)
    if (found === undefined) return [before, true]
    if (Redacted.value(found.key) !== Redacted.value(key)) return [before, false]
    const { [name]: _, ...others } = before.profiles
    const latest = before.latest === name ? Object.keys(others).at(-1) ?? null : before.latest
    return [{ latest, profiles: others }, true]
  })

/** The key in words that may be shown: which it is, and nothing that opens anything. */
export const shownKey = (key: Redacted.Redacted): string => {
  const [, name] = /^turma_([A-Za-z0-9]{8})_/.exec(Redacted.value(key)) ?? []
  return name === undefined ? "a session" : `turma_${name}_…`
}

/**
 * A key as it can be sent: without spaces at its ends, and only with characters that a header allows. No error repeats
 * it.
 */
export const parseKey = (key: Redacted.Redacted, from: string) => {
  const text = Redacted.value(key).trim()
  return /^[\x21-\x7e]+$/.test(text) ? Effect.succeed(Redacted.make(text)) : Effect.fail(wrong(`${from} is not a key`))
}
