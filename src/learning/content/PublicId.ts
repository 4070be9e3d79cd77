import { Effect, Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import { ApiError } from "../../platform/http/ApiError.ts"

/** The short key in an address of the classroom: 1 to 32 of `A-Z`, `a-z`, `0-9`, `_` and `-`, one of a kind in its club. */
export const PublicId = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_-]{1,32}$/, { expected: "1 to 32 letters, digits, `_` or `-`" })
)

/** It names another one of this club, or one that was deleted: an address never leads to something else later. */
export class PublicIdTaken extends ApiError<PublicIdTaken>()("PublicIdTaken", {
  status: 409,
  code: "public_id_taken",
  message: "public_id: it is taken in this club"
}) {}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
const length = 12

/** One that nobody has: 62 to the 12th are more than can meet. */
export const newPublicId = (random: SecureRandom.SecureRandom["Service"]): Effect.Effect<string> =>
  Effect.map(
    Effect.replicateEffect(random.intBetween(0, letters.length, { halfOpen: true }), length),
    (picked) => picked.map((index) => letters.charAt(index)).join("")
  )
