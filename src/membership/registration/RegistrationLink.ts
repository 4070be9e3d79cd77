import { Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { anyText, sentId } from "../../platform/http/Text.ts"
import { Timestamp } from "../../platform/http/Timestamp.ts"
import { brandedId } from "../../platform/schema/brandedId.ts"
import { Instant } from "../../platform/schema/Instant.ts"
import { InstantOrNull } from "../../platform/schema/Instant.ts"
import { CohortId, DeliveryId } from "../catalog/Delivery.ts"

/** UUIDv7. */
export const RegistrationLinkId = brandedId("RegistrationLinkId")
export type RegistrationLinkId = typeof RegistrationLinkId.Type

/**
 * A link that lets people sign up, in a closed club too, and gives them a delivery. Anyone with `code` can use it.
 * `url` is the classroom's page for it. Null: no limit of uses, no end, no delivery, no cohort.
 */
export const RegistrationLink = Schema.Struct({
  id: RegistrationLinkId.pipe(field("Names the link where it is read, changed or deleted; it lets nobody in")),
  code: Schema.String.pipe(field("The code of the link: anyone with it can sign up", "8fK2pQ7xVw3nRt6y")),
  url: Schema.String.annotate({ format: "uri" }).pipe(field(
    "The page of the classroom that signs people up with the code",
    "https://turma.example/sign-up?club=6f0c1f1e-4b0a-4c6e-9d53-2f1f9b6a7e10&code=8fK2pQ7xVw3nRt6y"
  )),
  delivery_id: Schema.NullOr(DeliveryId).pipe(field("The delivery that its users get access to; null: no delivery")),
  cohort_id: Schema.NullOr(CohortId).pipe(field("The cohort that they join; null: no cohort")),
  max_uses: Schema.NullOr(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)))
    .pipe(field("How often it can be used in all; null: without limit", 50)),
  uses: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).pipe(field("How often it has been used", 12)),
  expires_at: InstantOrNull.pipe(field("Until when it can be used; null: without end")),
  created_at: Instant.pipe(field("When it was created"))
}).annotate({
  identifier: "RegistrationLink",
  description: "A link that lets people sign up, in a closed club too, and gives them a delivery"
})
export type RegistrationLink = typeof RegistrationLink.Type

const MaxUses = Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 })))

/** A link without a delivery only permits signing up, which a closed club may want. */
export const CreateRegistrationLink = Schema.Struct({
  delivery_id: Schema.optionalKey(Schema.NullOr(sentId(DeliveryId)))
    .pipe(field("The delivery that its users get access to; null or absent: they only sign up")),
  cohort_id: Schema.optionalKey(Schema.NullOr(sentId(CohortId)))
    .pipe(field("A cohort of the delivery that they join; null or absent: no cohort")),
  max_uses: Schema.optionalKey(MaxUses)
    .pipe(field("How often it can be used in all, 1 to 1,000,000; null, or left out: without limit", 50)),
  expires_at: Schema.optionalKey(Schema.NullOr(Timestamp))
    .pipe(field("Until when it can be used; null, or left out: without end", "2027-04-01T09:30:00.000Z"))
})

/** Absent is unchanged, null clears. An `expires_at` that has passed ends the link. */
export const RegistrationLinkPatch = Schema.Struct({
  max_uses: Schema.optionalKey(MaxUses).pipe(field(
    "How often it can be used in all: 1 to 1,000,000, and at least as often as it was used; null: without limit. Unchanged without it",
    80
  )),
  expires_at: Schema.optionalKey(Schema.NullOr(Timestamp)).pipe(field(
    "Until when it can be used, a time that has passed ends it; null: without end. Unchanged without it",
    "2027-04-01T09:30:00.000Z"
  ))
})

/** The body with which a student uses a link. */
export const Registration = Schema.Struct({
  code: anyText(1, 64)
    .pipe(field("The `code` of a registration link of the club, of 1 to 64 characters", "8fK2pQ7xVw3nRt6y"))
})

/** The link has already been used more often than the new `max_uses`. */
export class MaxUsesBelowUses extends ApiError<MaxUsesBelowUses>()("MaxUsesBelowUses", {
  status: 422,
  code: "max_uses_below_uses",
  message: {
    en: "max_uses must be at least as many as the link has been used",
    "pt-BR": "O link já foi usado mais vezes do que isso."
  }
}) {}

/**
 * One answer for all faults of a code:
 * - it is unknown or belongs to another club
 * - it is expired or used up
 * - its link has no delivery or an archived one
 */
export class RegistrationCodeInvalid extends ApiError<RegistrationCodeInvalid>()("RegistrationCodeInvalid", {
  status: 422,
  code: "registration_code_invalid",
  message: {
    en: "code must be the code of a registration link that can be used",
    "pt-BR": "O código não é de um link de inscrição válido."
  }
}) {}
