import { Schema } from "effect"
import { UserId } from "../../identity/ids/UserId.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import { sentId, text } from "../../platform/http/Text.ts"
import { Timestamp } from "../../platform/http/Timestamp.ts"
import { CohortId, DeliveryId } from "../catalog/Delivery.ts"

/** UUIDv7. */
export const EnrollmentId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("EnrollmentId"))
export type EnrollmentId = typeof EnrollmentId.Type

/** What created an access. */
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

const Instant = Schema.DateTimeUtcFromDate
const Moment = Schema.NullOr(Instant)

/** Access of one student to one delivery (contract, Student). `active` is computed when it is read. */
export class Enrollment extends Schema.Class<Enrollment>("Enrollment")({
  id: EnrollmentId,
  delivery_id: DeliveryId,
  delivery_name: Schema.String,
  source: EnrollmentSource,
  /** Not revoked, begun and not expired. */
  active: Schema.Boolean,
  starts_at: Instant,
  created_at: Instant,
  expires_at: Moment,
  revoked_at: Moment,
  revoke_reason: Schema.NullOr(RevokeReason),
  cohort_id: Schema.NullOr(CohortId),
  cohort_name: Schema.NullOr(Schema.String)
}) {}

/** What happened to an access. */
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
export const AccessEventId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("AccessEventId"))
export type AccessEventId = typeof AccessEventId.Type

/** One entry of a student's access history (contract, Student). */
export class AccessEvent extends Schema.Class<AccessEvent>("AccessEvent")({
  id: AccessEventId,
  enrollment_id: EnrollmentId,
  kind: AccessEventKind,
  occurred_at: Instant,
  /** When the access ends, as of this event; null: never. */
  effective_expires_at: Moment,
  reason: Schema.NullOr(Schema.String),
  /** The member who did it; null where no member did. */
  actor_user_id: Schema.NullOr(UserId),
  /** The inbound event of a sales platform that caused it. */
  platform_event_id: Schema.NullOr(Schema.String)
}) {}

/** Why a member does something, in their own words, for the history. */
const reason = Schema.optionalKey(text(1, 500))
const MomentOrNever = Schema.NullOr(Timestamp)
const CohortOrNone = Schema.NullOr(sentId(CohortId))

/** Access to grant; `NewGrant` says when it starts and ends by default. */
export const CreateGrant = Schema.Struct({
  delivery_id: sentId(DeliveryId),
  cohort_id: Schema.optionalKey(CohortOrNone),
  starts_at: Schema.optionalKey(Timestamp),
  expires_at: Schema.optionalKey(MomentOrNever),
  reason
})
export type CreateGrant = typeof CreateGrant.Type

/** The body of a revocation or a restoration, which may be left out. */
export const OptionalReason = [Schema.Struct({ reason }), Schema.Undefined] as const
/** A later end; null is never. */
export const Extension = Schema.Struct({ expires_at: MomentOrNever, reason })
/** An earlier end. */
export const Shortening = Schema.Struct({ expires_at: Timestamp, reason })
/** Another cohort; null is none. */
export const Move = Schema.Struct({ cohort_id: CohortOrNone, reason })

/** The student has an access to this delivery that is neither revoked nor expired. */
export class AlreadyEnrolled extends ApiError<AlreadyEnrolled>()("AlreadyEnrolled", {
  status: 409,
  code: "already_enrolled",
  message: "delivery_id must be a delivery that the student has no access to yet"
}) {}

/** The access is revoked or expired. */
export class EnrollmentNotActive extends ApiError<EnrollmentNotActive>()("EnrollmentNotActive", {
  status: 409,
  code: "enrollment_not_active",
  message: "The enrollment is revoked or has expired: restore it or grant a new one"
}) {}

/** The access is not revoked. */
export class EnrollmentNotRevoked extends ApiError<EnrollmentNotRevoked>()("EnrollmentNotRevoked", {
  status: 409,
  code: "enrollment_not_revoked",
  message: "The enrollment is not revoked: only a revoked one can be restored"
}) {}

/** The message for a member's grant or extension that ends in the past. */
export const endsInThePast = "expires_at must be a time in the future"

/** An access is extended to a later end only, and no member grants an expired one. */
export class ExpiresAtNotLater extends ApiError<ExpiresAtNotLater>()("ExpiresAtNotLater", {
  status: 422,
  code: "expires_at_not_later",
  message: "expires_at must be a time after the current one"
}) {}

/** An access is shortened to an earlier end only, after its start. */
export class ExpiresAtNotEarlier extends ApiError<ExpiresAtNotEarlier>()("ExpiresAtNotEarlier", {
  status: 422,
  code: "expires_at_not_earlier",
  message: "expires_at must be a time before the current one and after starts_at"
}) {}

/** The club has no such delivery, or it is archived. */
export class DeliveryUnknown extends ApiError<DeliveryUnknown>()("DeliveryUnknown", {
  status: 422,
  code: "delivery_unknown",
  message: "delivery_id must be a delivery of the club that is not archived"
}) {}

/** The cohort is of another delivery, or does not exist. */
export class CohortOfOtherDelivery extends ApiError<CohortOfOtherDelivery>()("CohortOfOtherDelivery", {
  status: 422,
  code: "cohort_of_other_delivery",
  message: "cohort_id must be a cohort of the delivery"
}) {}
