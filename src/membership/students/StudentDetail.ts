import { DateTime, Schema, SchemaTransformation } from "effect"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { PersonName } from "../../identity/people/PersonName.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import { Email, sentId, text } from "../../platform/http/Text.ts"
import { Timestamp } from "../../platform/http/Timestamp.ts"
import { AccessEvent, Enrollment } from "../access/Enrollment.ts"
import { CohortId, DeliveryId } from "../catalog/Delivery.ts"

/** A student as the list shows them. */
export const StudentSummary = Schema.Struct({
  id: StudentId,
  name: Schema.String,
  email: Schema.String,
  /** Whether the address is proven. */
  verified: Schema.Boolean,
  has_password: Schema.Boolean,
  /** Whether the student was removed: name and address then stand for nobody. */
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

/** What a new student is given access to. Terms that are not given are the delivery's and the cohort's. */
const NewStudentGrant = Schema.Struct({
  delivery_id: sentId(DeliveryId),
  cohort_id: Schema.optionalKey(Schema.NullOr(sentId(CohortId))),
  starts_at: Schema.optionalKey(Timestamp),
  /** Null: for ever. */
  expires_at: Schema.optionalKey(Schema.NullOr(Timestamp))
}).check(
  Schema.makeFilter(
    ({ expires_at, starts_at }) =>
      !expires_at || starts_at === undefined || DateTime.isGreaterThan(expires_at, starts_at),
    { expected: "an expires_at after starts_at" }
  )
)

/** A student whom the staff lets in. */
export const CreateStudent = Schema.Struct({
  name: PersonName,
  email: Email,
  document: Schema.optionalKey(Document),
  grants: Schema.optionalKey(Schema.Array(NewStudentGrant).check(Schema.isMaxLength(100))),
  /** Whether to mail a link that lets them in. */
  send_invite: Schema.optionalKey(Schema.Boolean)
})

/** What is absent stays. A new address is unverified. */
export const PatchStudent = Schema.Struct({
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

/** Which students a list shows. */
export const StudentFilter = {
  /** Every word of it is in the name or the address, whatever its case and accents. */
  search: Schema.optionalKey(text(1, 100)),
  /** They have an enrollment of it, active or not. */
  delivery_id: Schema.optionalKey(sentId(DeliveryId)),
  cohort_id: Schema.optionalKey(sentId(CohortId)),
  /** Whether one of those enrollments is active, or any at all where neither delivery nor cohort is given. */
  active: Schema.optionalKey(Flag)
}

/** What a removal deleted. */
export const StudentErasure = Schema.Struct({
  student_id: StudentId,
  erased_at: Schema.DateTimeUtcFromDate,
  /** How many rows of what. */
  counts: Schema.Record(Schema.String, Schema.Int)
}).annotate({ identifier: "StudentErasure" })

/** The address is one of a student of the club. */
export class StudentExists extends ApiError<StudentExists>()("StudentExists", {
  status: 409,
  code: "student_exists",
  message: "email: a student of this club has it"
}) {}

/** The address is one of another student of the club. */
export class EmailInUse extends ApiError<EmailInUse>()("EmailInUse", {
  status: 409,
  code: "email_in_use",
  message: "email: another student of this club has it"
}) {}
