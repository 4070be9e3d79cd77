import { Effect, Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import { ApiError } from "../../platform/http/ApiError.ts"

/** The short key in an address of the classroom, unique in its club: 1 to 32 of `A-Z`, `a-z`, `0-9`, `_` and `-`. */
export const PublicId = Schema.String
  .check(Schema.isPattern(/^[A-Za-z0-9_-]{1,32}$/u, { expected: "1 to 32 letters, digits, `_` or `-`" }))

/** Another one of this club has it, or one that was deleted: an address never leads to something else later. */
export class PublicIdTaken extends ApiError<PublicIdTaken>()("PublicIdTaken", {
  status: 409,
  code: "public_id_taken",
  message: {
    en: "public_id must be one that nothing else in this club has",
    "pt-BR": "Outro item deste clube já tem este id público."
  }
}) {}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
const length = 12

/** A random one: 62 to the power of 12 are too many for two to be the same. */
export const newPublicId = (random: SecureRandom.SecureRandom["Service"]): Effect.Effect<string> =>
  Effect.map(
    Effect.replicateEffect(random.intBetween(0, letters.length, { halfOpen: true }), length),
    (picked) => picked.map((index) => letters.charAt(index)).join("")
  )
