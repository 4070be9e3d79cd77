import { Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Base64Url from "effect/encoding/Base64Url"
import { createHash } from "node:crypto"

const bytes = 32
const shape = /^[A-Za-z0-9_-]{43}$/

/** 32 random bytes in base64url, for sessions and one-time links. Contains no data. */
export const makeToken = Effect.gen(function*() {
  const random = yield* SecureRandom.SecureRandom
  return Redacted.make(Base64Url.encode(yield* Effect.orDie(random.randomBytes(bytes))), { label: "token" })
})

/** True if the text has the shape of a token; others need no look-up. */
export const isToken = (token: Redacted.Redacted): boolean => shape.test(Redacted.value(token))

/** The only form in which a token is stored. SHA-256 suffices, since 256 random bits cannot be guessed. */
export const hashToken = (token: Redacted.Redacted): Uint8Array =>
  createHash("sha256").update(Redacted.value(token)).digest()
