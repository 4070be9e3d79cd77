import { Schema } from "effect"
import { UserId } from "../../identity/ids/UserId.ts"
import { personalData } from "../../identity/people/PersonalData.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { sentId, text } from "../../platform/http/Text.ts"
import { Timestamp } from "../../platform/http/Timestamp.ts"
import { brandedId } from "../../platform/schema/brandedId.ts"
import { Instant, InstantOrNull } from "../../platform/schema/Instant.ts"
import { CohortId, DeliveryId } from "../catalog/Delivery.ts"

/** UUIDv7. */
export const EnrollmentId = brandedId("EnrollmentId")
export type EnrollmentId = typeof EnrollmentId.Type

/** The source of an access. */
export const EnrollmentSource = Schema.Literals([
  "purchase",
  "subscription",
  "grant",
  "invitation",
  "import",
  "registration_link",
  "free"
])
export type EnrollmentSource = typeof EnrollmentSource.Type

/** Why an access was revoked. */
export const RevokeReason = Schema.Literals([
  "refund",
  "chargeback",
  "subscription_canceled",
  "manual",
  "student_removed"
])
export type RevokeReason = typeof RevokeReason.Type

/** Access of one student to one delivery (contract, Student). `active` is computed when it is read. */
export class Enrollment extends Schema.Class<Enrollment>("Enrollment")(Schema.Struct({
  id: EnrollmentId.pipe(field("Names the access")),
  delivery_id: DeliveryId.pipe(field("The delivery that the student has access to")),
  delivery_name: Schema.String.pipe(field("The name of the delivery, as it is at present", "Violão do zero")),
  source: EnrollmentSource.pipe(field("What it came from")),
  active: Schema.Boolean
    .pipe(field("True while it lets the student in: it has begun, and is neither over nor revoked")),
  starts_at: Instant.pipe(field("When it begins, which may be in the future")),
  created_at: Instant.pipe(field("When it was created")),
  expires_at: InstantOrNull.pipe(field("When it ends; null: never")),
  revoked_at: InstantOrNull.pipe(field("When it was revoked; null if it was not")),
  revoke_reason: Schema.NullOr(RevokeReason).pipe(field("Why it was revoked; null if it was not")),
  cohort_id: Schema.NullOr(CohortId).pipe(field("Its cohort; null: no cohort")),
  cohort_name: Schema.NullOr(Schema.String)
    .pipe(field("The name of the cohort, as it is at present; null without one", "Turma de março"))
}).annotate({ description: "The access of one student to one delivery", ...personalData })) {}

/** The kinds of lines in an access's history. */
export const AccessEventKind = Schema.Literals([
  "granted",
  "revoked",
  "extended",
  "shortened",
  "restored",
  "moved",
  "expired"
])
export type AccessEventKind = typeof AccessEventKind.Type

/** UUIDv7. */
export const AccessEventId = brandedId("AccessEventId")
export type AccessEventId = typeof AccessEventId.Type

/** One entry of a student's access history (contract, Student). */
export class AccessEvent extends Schema.Class<AccessEvent>("AccessEvent")(Schema.Struct({
  id: AccessEventId.pipe(field("Names the entry")),
  enrollment_id: EnrollmentId.pipe(field("The access that it happened to")),
  kind: AccessEventKind.pipe(field("What happened")),
  occurred_at: Instant.pipe(field("When it happened")),
  effective_expires_at: InstantOrNull.pipe(field("When the access ends, as of this entry; null: never")),
  reason: Schema.NullOr(Schema.String)
    .pipe(field("Why, in the words of the member who did it; null without words", "A gift for a good idea")),
  actor_user_id: Schema.NullOr(UserId).pipe(field("The member who did it; null if no member did")),
  platform_event_id: Schema.NullOr(Schema.String.annotate({ format: "uuid" })).pipe(field(
    "The inbound event of a sales platform that caused it; null without one",
    "01993f2a-8054-7e65-8a82-9f5b6d7e8f91"
  ))
}).annotate({ description: "One entry of a student's access history" })) {}

/** Why a member does something, in their own words, for the history. */
const reason = Schema.optionalKey(text(1, 500))
  .pipe(field("Why, in your own words of 1 to 500 characters, for the history of the access", "A gift for a good idea"))
const MomentOrNever = Schema.NullOr(Timestamp)
const CohortOrNone = Schema.NullOr(sentId(CohortId))

/** Access to grant; `NewGrant` says when it starts and ends by default. */
export const CreateGrant = Schema.Struct({
  delivery_id: sentId(DeliveryId).pipe(field("The delivery that the student gets access to, which is not archived")),
  cohort_id: Schema.optionalKey(CohortOrNone)
    .pipe(field("A cohort of the delivery that they join; null or absent: no cohort")),
  starts_at: Schema.optionalKey(Timestamp)
    .pipe(field("When it begins; left out: now, or with the cohort if that is later", "2026-04-02T00:00:00.000Z")),
  expires_at: Schema.optionalKey(MomentOrNever).pipe(field(
    "When it ends, after it begins and in the future; null: never. Left out: after the delivery's days, else with the cohort",
    "2027-04-01T09:30:00.000Z"
  )),
  reason
})
export type CreateGrant = typeof CreateGrant.Type

/** The optional body of a revocation or a restoration. */
export const OptionalReason = [Schema.Struct({ reason }), Schema.Undefined] as const
/** A later end; null is never. */
export const Extension = Schema.Struct({
  expires_at: MomentOrNever
    .pipe(field(
      "When it ends from now on, later than it does and in the future; null: never",
      "2028-04-01T09:30:00.000Z"
    )),
  reason
})
/** An earlier end. */
export const Shortening = Schema.Struct({
  expires_at: Timestamp.pipe(field(
    "When it ends from now on, earlier than it does and after it began; a time that has passed ends it now",
    "2026-10-01T09:30:00.000Z"
  )),
  reason
})
/** Another cohort; null takes the enrollment out of its cohort. */
export const Move = Schema.Struct({
  cohort_id: CohortOrNone.pipe(field("The cohort of the same delivery to move to; null: no cohort")),
  reason
})

/** The student has an access to this delivery that is neither revoked nor expired. */
export class AlreadyEnrolled extends ApiError<AlreadyEnrolled>()("AlreadyEnrolled", {
  status: 409,
  code: "already_enrolled",
  message: {
    en: "delivery_id must be a delivery that the student has no access to yet",
    "pt-BR": "O aluno já tem acesso a esta entrega."
  }
}) {}

/** The access is revoked or expired. */
export class EnrollmentNotActive extends ApiError<EnrollmentNotActive>()("EnrollmentNotActive", {
  status: 409,
  code: "enrollment_not_active",
  message: {
    en: "The enrollment is revoked or has expired: restore it or grant a new one",
    "pt-BR": "O acesso foi retirado ou terminou: restaure-o ou libere outro."
  }
}) {}

/** The access is not revoked. */
export class EnrollmentNotRevoked extends ApiError<EnrollmentNotRevoked>()("EnrollmentNotRevoked", {
  status: 409,
  code: "enrollment_not_revoked",
  message: {
    en: "The enrollment is not revoked: only a revoked one can be restored",
    "pt-BR": "O acesso não foi retirado: só um acesso retirado pode ser restaurado."
  }
}) {}

/** The message for a member's grant or extension that ends in the past. */
export const endsInThePast = {
  en: "expires_at must be a time in the future",
  "pt-BR": "O fim precisa estar no futuro."
}

/** An access is extended to a later end only, and no member grants an expired one. */
export class ExpiresAtNotLater extends ApiError<ExpiresAtNotLater>()("ExpiresAtNotLater", {
  status: 422,
  code: "expires_at_not_later",
  message: {
    en: "expires_at must be a time after the current one",
    "pt-BR": "O fim precisa vir depois do fim atual."
  }
}) {}

/** An access is shortened to an earlier end only, after its start. */
export class ExpiresAtNotEarlier extends ApiError<ExpiresAtNotEarlier>()("ExpiresAtNotEarlier", {
  status: 422,
  code: "expires_at_not_earlier",
  message: {
    en: "expires_at must be a time before the current one and after starts_at",
    "pt-BR": "O fim precisa vir antes do fim atual e depois do começo."
  }
}) {}

/** The club has no such delivery, or it is archived. */
export class DeliveryUnknown extends ApiError<DeliveryUnknown>()("DeliveryUnknown", {
  status: 422,
  code: "delivery_unknown",
  message: {
    en: "delivery_id must be a delivery of the club that is not archived",
    "pt-BR": "A entrega precisa ser deste clube e não estar arquivada."
  }
}) {}

/** The cohort belongs to another delivery, or does not exist. */
export class CohortOfOtherDelivery extends ApiError<CohortOfOtherDelivery>()("CohortOfOtherDelivery", {
  status: 422,
  code: "cohort_of_other_delivery",
  message: {
    en: "cohort_id must be a cohort of the delivery",
    "pt-BR": "A turma precisa ser desta entrega."
  }
}) {}
