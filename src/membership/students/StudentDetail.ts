import { DateTime, Schema, SchemaTransformation } from "effect"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { PersonName } from "../../identity/people/PersonName.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import { Email, sentId, text } from "../../platform/http/Text.ts"
import { Timestamp } from "../../platform/http/Timestamp.ts"
import { AccessEvent, Enrollment } from "../access/Enrollment.ts"
import { CohortId, DeliveryId } from "../catalog/Delivery.ts"

/** A student in a list. */
export const StudentSummary = Schema.Struct({
  id: StudentId,
  name: Schema.String,
  email: Schema.String,
  /** Whether the address is proven. */
  verified: Schema.Boolean,
  has_password: Schema.Boolean,
  /** Whether the student was removed: name and address are then placeholders. */
  anonymized: Schema.Boolean,
  created_at: Schema.DateTimeUtcFromDate
}).annotate({ identifier: "StudentSummary" })
export type StudentSummary = typeof StudentSummary.Type

/** A student of a club (contract, Student). */
export class StudentDetail extends Schema.Class<StudentDetail>("Student")({
  ...StudentSummary.fields,
  /** Newest first, at most 500. */
  enrollments: Schema.Array(Enrollment),
  /** Newest first, at most 500. */
  access_events: Schema.Array(AccessEvent),
  /** The national tax document; null where there is none, and for everybody but owner and admin. */
  document: Schema.NullOr(Schema.RedactedFromValue(Schema.String))
}) {}

const Document = Schema.RedactedFromValue(text(3, 32))

/** A grant to a new student. Absent terms are the delivery's and the cohort's. */
const NewStudentGrant = Schema.Struct({
  delivery_id: sentId(DeliveryId),
  cohort_id: Schema.optionalKey(Schema.NullOr(sentId(CohortId))),
  starts_at: Schema.optionalKey(Timestamp),
  /** Null: never. */
  expires_at: Schema.optionalKey(Schema.NullOr(Timestamp))
}).check(
  Schema.makeFilter(
    ({ expires_at, starts_at }) =>
      !expires_at || starts_at === undefined || DateTime.isGreaterThan(expires_at, starts_at),
    { expected: "must have an expires_at after its starts_at" }
  )
)

/** A student whom the staff creates. */
export const CreateStudent = Schema.Struct({
  name: PersonName,
  email: Email,
  document: Schema.optionalKey(Document),
  grants: Schema.optionalKey(Schema.Array(NewStudentGrant).check(Schema.isMaxLength(100))),
  /** Whether to mail a link that signs them in. */
  send_invite: Schema.optionalKey(Schema.Boolean)
})

/** Absent fields stay unchanged. A new address is unverified. */
export const StudentPatch = Schema.Struct({
  name: Schema.optionalKey(PersonName),
  email: Schema.optionalKey(Email),
  document: Schema.optionalKey(Schema.NullOr(Document))
})

const Flag = Schema.Literals(["true", "false"]).pipe(
  Schema.decodeTo(
    Schema.Boolean,
    SchemaTransformation.transform({
      decode: (flag) => flag === "true",
      encode: (flag): "true" | "false" => flag ? "true" : "false"
    })
  )
)

/** Which students to list. */
export const StudentFilter = {
  /** Every word of it must be in the name or the address, without regard to case and accents. */
  search: Schema.optionalKey(text(1, 100)),
  /** Students with an enrollment of it, active or not. */
  delivery_id: Schema.optionalKey(sentId(DeliveryId)),
  cohort_id: Schema.optionalKey(sentId(CohortId)),
  /** Whether one of those enrollments is active, or any at all where neither delivery nor cohort is given. */
  active: Schema.optionalKey(Flag)
}

/** What a removal deleted. */
export const StudentErasure = Schema.Struct({
  student_id: StudentId,
  erased_at: Schema.DateTimeUtcFromDate,
  /** The number of rows of each kind. */
  counts: Schema.Record(Schema.String, Schema.Int)
}).annotate({ identifier: "StudentErasure" })

/** A student of the club has this address. */
export class StudentExists extends ApiError<StudentExists>()("StudentExists", {
  status: 409,
  code: "student_exists",
  message: "email must be one that no student of this club has"
}) {}

/** Another student of the club has this address. */
export class EmailInUse extends ApiError<EmailInUse>()("EmailInUse", {
  status: 409,
  code: "email_in_use",
  message: "email must be one that no other student of this club has"
}) {}
