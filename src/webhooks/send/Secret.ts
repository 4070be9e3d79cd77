import { Effect, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"

const prefix = "whsec_"
const newBytes = 32
const minimumBytes = 24
const maximumBytes = 64

/** A signing secret as bytes: 32 random ones. */
export const newSecret: Effect.Effect<Redacted.Redacted<Uint8Array>, never, SecureRandom.SecureRandom> = SecureRandom
  .SecureRandom.use((random) => Effect.map(random.randomBytes(newBytes), (bytes) => Redacted.make(bytes)))

/** The form that an answer shows once: `whsec_<base64>` (contract, Signature 5). */
export const formatSecret = (secret: Redacted.Redacted<Uint8Array>): Redacted.Redacted<string> =>
  Redacted.make(`${prefix}${Buffer.from(Redacted.value(secret)).toString("base64")}`)

/** Reads `whsec_<base64>` of 24 to 64 bytes. `None` for any other text. */
export const parseSecret = (text: string): Option.Option<Redacted.Redacted<Uint8Array>> => {
  if (!text.startsWith(prefix)) return Option.none()
  const encoded = text.slice(prefix.length)
  const bytes = Buffer.from(encoded, "base64")
  // Node decodes any text, so the bytes must encode to the same text again.
  const wasBase64 = bytes.toString("base64") === encoded
  return wasBase64 && bytes.length >= minimumBytes && bytes.length <= maximumBytes
    ? Option.some(Redacted.make(new Uint8Array(bytes)))
    : Option.none()
}
