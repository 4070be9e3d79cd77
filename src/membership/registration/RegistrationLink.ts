import { Effect, Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { sentId, text } from "../../platform/http/Text.ts"
import { Timestamp } from "../../platform/http/Timestamp.ts"
import { CohortId, DeliveryId } from "../catalog/Delivery.ts"

/** UUIDv7. */
export const RegistrationLinkId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("RegistrationLinkId"))
export type RegistrationLinkId = typeof RegistrationLinkId.Type

const Instant = Schema.DateTimeUtcFromDate

/**
 * A link that lets people sign up, in a closed club too, and gives them a delivery. Whoever has `code` can use it; `url`
 * is the classroom's page for it. Null: no limit of uses, no end, no delivery, no cohort.
 */
export const RegistrationLink = Schema.Struct({
  id: RegistrationLinkId,
  code: Schema.String,
  url: Schema.String,
  delivery_id: Schema.NullOr(DeliveryId),
  cohort_id: Schema.NullOr(CohortId),
  max_uses: Schema.NullOr(Schema.Int),
  uses: Schema.Int,
  expires_at: Schema.NullOr(Instant),
  created_at: Instant
}).annotate({ identifier: "RegistrationLink" })
export type RegistrationLink = typeof RegistrationLink.Type

const MaxUses = Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 })))
const none = Effect.succeed(null)

/** A link without a delivery only permits signing up, which a closed club may want. */
export const CreateRegistrationLink = Schema.Struct({
  delivery_id: Schema.NullOr(sentId(DeliveryId)).pipe(Schema.withDecodingDefaultKey(none)),
  cohort_id: Schema.NullOr(sentId(CohortId)).pipe(Schema.withDecodingDefaultKey(none)),
  max_uses: MaxUses.pipe(Schema.withDecodingDefaultKey(none)),
  expires_at: Schema.NullOr(Timestamp).pipe(Schema.withDecodingDefaultKey(none))
})

/** Absent is unchanged, null clears. An `expires_at` that has passed ends the link. */
export const RegistrationLinkPatch = Schema.Struct({
  max_uses: Schema.optionalKey(MaxUses),
  expires_at: Schema.optionalKey(Schema.NullOr(Timestamp))
})

/** What a student sends to use a link. */
export const Registration = Schema.Struct({ code: text(1, 64) })

/** The link has already been used more often than the new `max_uses`. */
export class MaxUsesBelowUses extends ApiError<MaxUsesBelowUses>()("MaxUsesBelowUses", {
  status: 422,
  code: "max_uses_below_uses",
  message: "max_uses must be at least as many as the link has been used"
}) {}

/**
 * One answer for a code that is unknown, of another club, expired or used up, and for one without a delivery or with an
 * archived one.
 */
export class RegistrationCodeInvalid extends ApiError<RegistrationCodeInvalid>()("RegistrationCodeInvalid", {
  status: 422,
  code: "registration_code_invalid",
  message: "code must be the code of a registration link that can be used"
}) {}
