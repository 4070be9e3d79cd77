import { Effect, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto"

// RFC 8410: what comes before the 32 bytes of an Ed25519 key in PKCS #8 and in SubjectPublicKeyInfo.
const privateHead = Buffer.from("302e020100300506032b657004220420", "hex")
const publicHead = Buffer.from("302a300506032b6570032100", "hex")

/** Of a seed and of a public key. */
const keyBytes = 32

const publicPrefix = "whpk_"

/** The seed of a private key: 32 random bytes. */
export const newSeed: Effect.Effect<Redacted.Redacted<Uint8Array>, never, SecureRandom.SecureRandom> = SecureRandom
  .SecureRandom.use((random) => Effect.map(random.randomBytes(keyBytes), (bytes) => Redacted.make(bytes)))

/** The private key of a seed of 32 bytes. Making it costs more than signing with it. */
export const keyOfSeed = (seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([privateHead, seed]), format: "der", type: "pkcs8" })

/** The 32 bytes of the public key that belongs to a private one. */
export const publicBytesOf = (key: KeyObject): Uint8Array =>
  new Uint8Array(createPublicKey(key).export({ format: "der", type: "spki" }).subarray(publicHead.length))

/** `whpk_<base64>`, as the Standard Webhooks specification writes a public key. */
export const formatPublicKey = (bytes: Uint8Array): string => `${publicPrefix}${Buffer.from(bytes).toString("base64")}`

/** The public key of its 32 bytes. */
export const publicKeyOf = (bytes: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.concat([publicHead, bytes]), format: "der", type: "spki" })

/** Reads `whpk_<base64>` of 32 bytes. `None` for any other text. */
export const parsePublicKey = (text: string): Option.Option<KeyObject> => {
  if (!text.startsWith(publicPrefix)) return Option.none()
  const bytes = Buffer.from(text.slice(publicPrefix.length), "base64")
  // Node decodes any text, so the bytes must encode to the same text again.
  return bytes.length === keyBytes && formatPublicKey(bytes) === text
    ? Option.some(publicKeyOf(bytes))
    : Option.none()
}
