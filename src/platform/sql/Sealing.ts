import * as NodeServices from "@effect/platform-node/NodeServices"
import { Array, Config, Context, DateTime, Effect, FileSystem, Layer, Option, Path, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { createCipheriv, createDecipheriv, createHash, createSecretKey, hkdfSync, type KeyObject } from "node:crypto"
import { lstat, open } from "node:fs/promises"
import { dirname } from "node:path"
import { optionalSetting, SettingError } from "../config/Setting.ts"
import { textFile } from "../text/TextFile.ts"
import { databaseSettings, usesEmbeddedPostgres } from "./DatabaseSettings.ts"
import { syncFolder, writeDurably } from "./Durable.ts"
import { PooledRandomLayer } from "./PooledRandom.ts"

/** The bytes were not sealed with a key of ours, not for this binding, or they have changed since. */
export class SealBroken extends Schema.TaggedError<SealBroken>()("SealBroken", {}) {
  override get message(): string {
    return "The seal is broken"
  }
}

/** The generated key under `DATA_DIR` can be neither read nor written: one line. */
export class KeyFileError extends Schema.TaggedError<KeyFileError>()("KeyFileError", { message: Schema.String }) {}

/** 32 bytes. */
type Key = Redacted.Redacted<Uint8Array>

/** Keys by their order: the first seals, the others still open. */
export type Keys = Array.NonEmptyReadonlyArray<Key>

const decodeKey = Schema
  .decodeUnknownOption(Schema
    .RedactedFromValue(Schema.Uint8ArrayFromBase64.check(Schema.makeFilter((bytes) => bytes.length === 32))))

/** The keys of a text, with spaces or line breaks between them; `None` if any part is not a key. */
export const keysOfText = (text: string): Option.Option<Keys> => {
  const keys: Option.Option<ReadonlyArray<Key>> = Option.all(text.trim().split(/\s+/).map((word) => decodeKey(word)))
  return Option.filter(keys, Array.isReadonlyArrayNonEmpty)
}

const keyDescription = {
  expected: "base64 of 32 random bytes",
  example: "the output of: openssl rand -base64 32",
  isSecret: true
}

const KeysText = Schema.Redacted(Schema.String.check(Schema.makeFilter((text) => Option.isSome(keysOfText(text)))))

const keySetting = (variable: string, meaning: string, unset: string) =>
  optionalSetting(
    { variable, meaning, unset, ...keyDescription },
    (variable) => Config.schema(KeysText, variable)
  )

/** The keys that secrets at rest are sealed with. */
export const sealingSettings = {
  APP_SECRET_KEY: keySetting(
    "APP_SECRET_KEY",
    "base64, 32 bytes; seals secrets at rest; keys that follow on further lines still open",
    "generated into `DATA_DIR` (0600) only with the embedded database; required otherwise"
  ),
  APP_SECRET_KEY_PREVIOUS: keySetting(
    "APP_SECRET_KEY_PREVIOUS",
    "still opens what it sealed; one key, or several with spaces between them",
    "unset"
  )
} as const

/** The keys of one of the settings; `None` if it is unset. */
export const keysOfSetting = ({ read }: (typeof sealingSettings)[keyof typeof sealingSettings]) =>
  Effect.map(read, Option.flatMap((text) => keysOfText(Redacted.value(text))))

/** The keys that `APP_SECRET_KEY_PREVIOUS` says. */
export const previousKeys: Effect.Effect<ReadonlyArray<Key>, SettingError> = Effect.map(
  keysOfSetting(sealingSettings.APP_SECRET_KEY_PREVIOUS),
  Option.getOrElse((): ReadonlyArray<Key> => [])
)

// Version 1: version (1 byte), key id (4), nonce (12), AES-256-GCM ciphertext, tag (16).
// Everything before the ciphertext is authenticated together with the binding.
const version = 1
const idLength = 4
const headerLength = 1 + idLength
const nonceLength = 12
const tagLength = 16
const algorithm = "aes-256-gcm"

const keyId = (key: Key) => createHash("sha256").update(Redacted.value(key)).digest().subarray(0, idLength)

const headerOf = (key: Key) => Buffer.concat([Buffer.of(version), keyId(key)])

/** A key as it seals and opens, made once: what is sealed on a hot path is small. */
interface UsableKey {
  readonly header: Buffer
  readonly secret: KeyObject
}

const usable = (key: Key): UsableKey => ({ header: headerOf(key), secret: createSecretKey(Redacted.value(key)) })

const authenticated = (header: Uint8Array, binding: string) => Buffer.concat([header, Buffer.from(binding)])

const encrypt = (key: UsableKey, nonce: Uint8Array, plain: Uint8Array, binding: string): Uint8Array => {
  const { header, secret } = key
  const cipher = createCipheriv(algorithm, secret, nonce).setAAD(authenticated(header, binding))
  const ciphertext = cipher.update(plain)
  return new Uint8Array(Buffer.concat([header, nonce, ciphertext, cipher.final(), cipher.getAuthTag()]))
}

const decrypt = (keys: ReadonlyArray<UsableKey>, sealed: Uint8Array, binding: string): Option.Option<Uint8Array> => {
  const bytes = Buffer.from(sealed)
  if (bytes.length < headerLength + nonceLength + tagLength || bytes[0] !== version) return Option.none()
  const header = bytes.subarray(0, headerLength)
  const key = keys.find((candidate) => candidate.header.equals(header))
  if (key === undefined) return Option.none()
  const nonce = bytes.subarray(headerLength, headerLength + nonceLength)
  const decipher = createDecipheriv(algorithm, key.secret, nonce, { authTagLength: tagLength })
    .setAAD(authenticated(header, binding))
    .setAuthTag(bytes.subarray(-tagLength))
  const ciphertext = bytes.subarray(headerLength + nonceLength, -tagLength)
  // final() throws when the tag does not match.
  return Option.liftThrowable(() => new Uint8Array(Buffer.concat([decipher.update(ciphertext), decipher.final()])))()
}

// RFC 5869 without a salt: the key is random already.
const derive = (key: Key, purpose: string): Key =>
  Redacted.make(new Uint8Array(hkdfSync("sha256", Redacted.value(key), "", `turma/${purpose}`, 32)))

/** Where the key is generated that stands in for `APP_SECRET_KEY`. */
export const keyFile = Effect.gen(function*() {
  const path = yield* Path.Path
  return path.resolve(yield* databaseSettings.DATA_DIR.read, "app-secret-key")
})

/** Names a key without telling anything of it: what it seals begins with this. In hexadecimal. */
export const keyIdOf = (key: Key): string => keyId(key).toString("hex")

/** Tells a key from every other, and reveals nothing about it: 32 bytes that always follow from the key. */
export const fingerprintOf = (key: Key): Uint8Array => Redacted.value(derive(key, "fingerprint"))

/** The ids of keys, in their order. */
export const keyIdsOf = (keys: Keys): Array.NonEmptyReadonlyArray<string> => Array.map(keys, keyIdOf)

/** The owner of a file, and its readers. */
interface Access {
  readonly uid: number
  readonly gid: number
  readonly mode: number
}

/** The fault, with the file that it concerns. */
const keyFileFault = (file: string) => (cause: unknown) =>
  new KeyFileError({ message: `${file}: ${cause instanceof Error ? cause.message : String(cause)}` })

/** Of a file itself: what a link leads to is somebody else's to decide. */
const accessOf = Effect.fnUntraced(function*(file: string) {
  const found = yield* Effect.tryPromise({ try: () => lstat(file), catch: keyFileFault(file) })
  if (!found.isFile()) return yield* new KeyFileError({ message: `${file}: it is no file` })
  // Nobody but its owner and its group reads the new one, whatever the old one allowed.
  const access: Access = { uid: found.uid, gid: found.gid, mode: found.mode & 0o660 }
  return access
})

/**
 * Writes a new file for its owner. It uses the handle: anyone who may write to the folder may put a link at its name.
 */
const writeFor = ({ gid, mode, uid }: Access, file: string, text: string) =>
  Effect.acquireUseRelease(
    Effect.tryPromise({ try: () => open(file, "wx", 0o600), catch: keyFileFault(file) }),
    (handle) =>
      Effect.tryPromise({
        try: async () => {
          await handle.writeFile(text)
          await handle.chown(uid, gid)
          await handle.chmod(mode)
          await handle.sync()
        },
        catch: keyFileFault(file)
      }),
    (handle) => Effect.promise(() => handle.close())
  )

/**
 * Writes these keys as the whole of an existing file, at once or not at all. Owner and readers stay the same: root may
 * do it for the user of the service.
 */
export const writeKeyFile = Effect.fnUntraced(function*(file: string, keys: Keys) {
  const fs = yield* FileSystem.FileSystem
  const random = yield* SecureRandom.SecureRandom
  const own = `${file}.${yield* random.uuidV4()}`
  const text = Array.map(keys, (key) => Buffer.from(Redacted.value(key)).toString("base64")).join("\n")
  yield* writeFor(yield* accessOf(file), own, text).pipe(
    Effect.andThen(fs.rename(own, file)),
    Effect.onError(() => Effect.ignore(fs.remove(own)))
  )
  yield* syncFolder(dirname(file))
})

/** A new key, of random bytes. */
export const newKey: Effect.Effect<Key, never, SecureRandom.SecureRandom> = Effect.flatMap(
  SecureRandom.SecureRandom,
  (random) => Effect.map(random.randomBytes(32), (bytes) => Redacted.make(bytes))
)

/** Writes a new key unless another process was faster, and answers what is there. */
const generatedKeys = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const random = yield* SecureRandom.SecureRandom
  const file = yield* keyFile
  const failed = (detail: string) => new KeyFileError({ message: `${file}: ${detail}` })
  const write = Effect.gen(function*() {
    yield* fs.makeDirectory(path.dirname(file), { recursive: true })
    const own = `${file}.${yield* random.uuidV4()}`
    yield* writeDurably(own, Buffer.from(Redacted.value(yield* newKey)).toString("base64"))
    // A link appears whole or fails because the file exists, even if several processes write at the same time.
    yield* Effect.ensuring(Effect.ignore(fs.link(own, file)), Effect.ignore(fs.remove(own)))
    // Without this, values sealed from now on could outlive the file after a loss of power.
    yield* syncFolder(path.dirname(file))
  })
  const text = yield* fs.exists(file).pipe(
    Effect.flatMap((exists) => exists ? Effect.void : write),
    Effect.andThen(textFile(fs, file)),
    Effect.mapError((cause) => failed(cause.message))
  )
  const keys = keysOfText(text)
  return Option.isSome(keys) ? keys.value : yield* failed(`expected ${keyDescription.expected}`)
})

/** The keys of the settings. `None` stands for keys that are generated beside the embedded database, and only there. */
export const namedKeys = Effect.gen(function*() {
  const given = yield* keysOfSetting(sealingSettings.APP_SECRET_KEY)
  if (Option.isSome(given) || (yield* usesEmbeddedPostgres)) return given
  const { example, expected } = keyDescription
  return yield* new SettingError({ variable: "APP_SECRET_KEY", expected, example })
})

/** The keys of the settings do not belong to the database: one line. */
export const keyRefused = (fault: string): SettingError => {
  const { example, expected } = keyDescription
  return new SettingError({ variable: "APP_SECRET_KEY", expected, example, fault })
}

/** Every key that a process starts with now. The first one seals. */
export const configuredKeys = Effect.gen(function*() {
  const [current, ...others] = yield* Effect.flatMap(
    namedKeys,
    Option.match({ onNone: () => generatedKeys, onSome: Effect.succeed })
  )
  const all: Keys = [current, ...others, ...yield* previousKeys]
  return Array.dedupeWith(all, (one, other) => keyIdOf(one) === keyIdOf(other))
})

/** Seals secrets before they are stored. `binding` names the one place they belong to, such as a table and row id. */
export class Sealing extends Context.Service<Sealing, {
  /** Encrypts with the current key. The result is 33 bytes longer. */
  seal(plain: Uint8Array, binding: string): Effect.Effect<Uint8Array>
  /** Decrypts what was sealed with the current or the previous key for the same binding. */
  open(sealed: Uint8Array, binding: string): Effect.Effect<Uint8Array, SealBroken>
  /**
   * The first bytes of everything that the current key has sealed. A value with other first bytes must be sealed anew.
   */
  readonly currentHeader: Uint8Array
  /** The time of the last value that did not open here; `None` if every value has opened. */
  readonly lastBroken: Effect.Effect<Option.Option<DateTime.Utc>>
  /** Names the keys that open here, the one that seals first. */
  readonly keyIds: Array.NonEmptyReadonlyArray<string>
  /**
   * Keys of 32 bytes for one purpose, such as signing addresses; they reveal nothing about the other keys. The current
   * one, which signs, comes first, then the ones that still verify.
   */
  signingKeys(purpose: string): readonly [current: Key, ...previous: ReadonlyArray<Key>]
}>()("turma/platform/sql/Sealing") {
  /** Seals with `current`, opens with all keys given. */
  static readonly layerKeys = (current: Key, ...previous: ReadonlyArray<Key>) =>
    Layer.effect(
      Sealing,
      Effect.gen(function*() {
        const random = yield* SecureRandom.SecureRandom
        const sealing = usable(current)
        const keys = [sealing, ...previous.map(usable)]
        let lastBroken = Option.none<DateTime.Utc>()
        return Sealing.of({
          lastBroken: Effect.sync(() => lastBroken),
          currentHeader: new Uint8Array(sealing.header),
          keyIds: [keyIdOf(current), ...previous.map(keyIdOf)],
          seal: Effect.fn("Sealing.seal")(function*(plain, binding) {
            return encrypt(sealing, yield* random.randomBytes(nonceLength), plain, binding)
          }),
          open: Effect.fn("Sealing.open")(function*(sealed, binding) {
            const plain = decrypt(keys, sealed, binding)
            if (Option.isSome(plain)) return plain.value
            lastBroken = Option.some(yield* DateTime.now)
            return yield* new SealBroken()
          }),
          signingKeys: (purpose) => [derive(current, purpose), ...previous.map((key) => derive(key, purpose))]
        })
      })
    )

  static readonly layerNoDeps = Layer.unwrap(Effect.map(configuredKeys, (keys) => Sealing.layerKeys(...keys)))

  /** With the keys of the settings; generates one only beside the embedded database. */
  static readonly layer = Sealing.layerNoDeps.pipe(Layer.provide([NodeServices.layer, PooledRandomLayer]))
}
