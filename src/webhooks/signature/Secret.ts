import { Effect, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"

const prefix = "whsec_"
const bytesOfNew = 32
const fewest = 24
const most = 64

/** A signing secret as bytes: 32 random ones. */
export const newSecret: Effect.Effect<Redacted.Redacted<Uint8Array>, never, SecureRandom.SecureRandom> = SecureRandom
  .SecureRandom.use((random) => Effect.map(random.randomBytes(bytesOfNew), (bytes) => Redacted.make(bytes)))

/** As people see it, once: `whsec_<base64>` (contract, Signature 5). */
export const formatSecret = (secret: Redacted.Redacted<Uint8Array>): Redacted.Redacted<string> =>
  Redacted.make(`${prefix}${Buffer.from(Redacted.value(secret)).toString("base64")}`)

/** Reads `whsec_<base64>` of 24 to 64 bytes; none for everything else. */
export const parseSecret = (text: string): Option.Option<Redacted.Redacted<Uint8Array>> => {
  if (!text.startsWith(prefix)) return Option.none()
  const encoded = text.slice(prefix.length)
  const bytes = Buffer.from(encoded, "base64")
  // Node reads whatever it is given: what it read must be what was written.
  const wasBase64 = bytes.toString("base64") === encoded
  return wasBase64 && bytes.length >= fewest && bytes.length <= most
    ? Option.some(Redacted.make(new Uint8Array(bytes)))
    : Option.none()
}
