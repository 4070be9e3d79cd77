import { DateTime, Schema, SchemaTransformation } from "effect"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { PersonName } from "../../identity/people/PersonName.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { anyText, Email, sentId, text } from "../../platform/http/Text.ts"
import { Timestamp } from "../../platform/http/Timestamp.ts"
import { Instant } from "../../platform/schema/Instant.ts"
import { AccessEvent, Enrollment } from "../access/Enrollment.ts"
import { CohortId, DeliveryId } from "../catalog/Delivery.ts"

/** A student in a list. */
export const StudentSummary = Schema.Struct({
  id: StudentId.pipe(field("Names the student, in this club alone")),
  name: Schema.String.pipe(field("The student's name; a placeholder once they were removed", "Bia Lima")),
  email: Schema.String.annotate({ format: "email" })
    .pipe(field("The address that they sign in with; a placeholder once they were removed", "bia.lima@example.com")),
  verified: Schema.Boolean.pipe(field("True once a mailed link has proven the address")),
  has_password: Schema.Boolean.pipe(field("True if they have chosen a password; others sign in by mailed codes")),
  anonymized: Schema.Boolean.pipe(field("True once they were removed: nothing about the person remains", false)),
  created_at: Instant.pipe(field("When the account was created"))
}).annotate({ identifier: "StudentSummary", description: "A student in a list" })
export type StudentSummary = typeof StudentSummary.Type

/** A student of a club (contract, Student). */
export class StudentDetail extends Schema.Class<StudentDetail>("Student")(Schema.Struct({
  ...StudentSummary.fields,
  enrollments: Schema.Array(Enrollment).pipe(field("Their present and former accesses, newest first, at most 500")),
  access_events: Schema.Array(AccessEvent).pipe(field("The history of their accesses, newest first, at most 500")),
  document: Schema.NullOr(Schema.RedactedFromValue(Schema.String)).pipe(field(
    "The national tax document, as it was entered; null without one. Only owner and admin in person see it: others get null, and so do keys",
    "123.456.789-09"
  ))
}).annotate({ description: "A student of a club, with their access" })) {}

const Document = Schema.RedactedFromValue(text(3, 32))

/** A grant to a new student. Absent terms are the delivery's and the cohort's. */
const NewStudentGrant = Schema.Struct({
  delivery_id: sentId(DeliveryId).pipe(field("The delivery that they get access to, which is not archived")),
  cohort_id: Schema.optionalKey(Schema.NullOr(sentId(CohortId)))
    .pipe(field("A cohort of the delivery that they join; null or absent: no cohort")),
  starts_at: Schema.optionalKey(Timestamp)
    .pipe(field("When it begins; left out: now, or with the cohort if that is later", "2026-04-02T00:00:00.000Z")),
  expires_at: Schema.optionalKey(Schema.NullOr(Timestamp)).pipe(field(
    "When it ends, after it begins and in the future; null: never. Left out: after the delivery's days, else with the cohort",
    "2027-04-01T09:30:00.000Z"
  ))
}).check(Schema.makeFilter(
  ({ expires_at, starts_at }) =>
    !expires_at || starts_at === undefined || DateTime.isGreaterThan(expires_at, starts_at),
  { expected: "must have an expires_at after its starts_at" }
))

/** A new student from the staff. */
export const CreateStudent = Schema.Struct({
  name: PersonName.pipe(field("The student's name, of 1 to 200 characters", "Bia Lima")),
  email: Email.pipe(field(
    "The address that they sign in with, of up to 320 characters; no two students of a club have one",
    "bia.lima@example.com"
  )),
  document: Schema.optionalKey(Document)
    .pipe(field(
      "The national tax document, of 3 to 32 characters; it is in no event and in no export",
      "123.456.789-09"
    )),
  grants: Schema.optionalKey(Schema.Array(NewStudentGrant).check(Schema.isMaxLength(100)))
    .pipe(field("The deliveries that they get access to from the beginning, up to 100")),
  send_invite: Schema.optionalKey(Schema.Boolean)
    .pipe(field("True mails them a link that signs them in; false if absent"))
})

/** Absent fields stay unchanged. A new address is unverified. */
export const StudentPatch = Schema.Struct({
  name: Schema.optionalKey(PersonName)
    .pipe(field("The student's name, of 1 to 200 characters; unchanged without it", "Bia Lima")),
  email: Schema.optionalKey(Email).pipe(field(
    "The address that they sign in with, of up to 320 characters; unchanged without it. Another one ends their sessions, and is unproven until they use a mailed link",
    "bia.souza@example.com"
  )),
  document: Schema.optionalKey(Schema.NullOr(Document)).pipe(field(
    "The national tax document, of 3 to 32 characters; null takes it away. Unchanged without it",
    "123.456.789-09"
  ))
})

const Flag = Schema.Literals(["true", "false"]).pipe(Schema.decodeTo(
  Schema.Boolean,
  SchemaTransformation.transform({
    decode: (flag) => flag === "true",
    encode: (flag): "true" | "false" => flag ? "true" : "false"
  })
))

/** Which students to list. */
export const StudentFilter = {
  search: Schema.optionalKey(anyText(1, 100)).pipe(field(
    "Words, of 1 to 100 characters in all: each is in the name or the address, whatever its case and accents",
    "bia lima"
  )),
  delivery_id: Schema.optionalKey(sentId(DeliveryId))
    .pipe(field("Those alone who have or had access to this delivery")),
  cohort_id: Schema.optionalKey(sentId(CohortId)).pipe(field("Those alone who are or were in this cohort")),
  active: Schema.optionalKey(Flag).pipe(field(
    "`true`: only students with an access that lets them in now; `false`: only the others. It is the access to the named delivery or cohort, or any access",
    "true"
  ))
}

/** The counts of deleted data of a removal. */
export const StudentErasure = Schema.Struct({
  student_id: StudentId.pipe(field("The student who was removed")),
  erased_at: Instant.pipe(field("When they were removed")),
  counts: Schema.Record(Schema.String, Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)))
    .pipe(field("How many records of each kind were deleted or emptied", { sessions: 2, posts: 1 }))
}).annotate({ identifier: "StudentErasure", description: "The data that the removal of a student deleted" })

/** A student of the club has this address. */
export class StudentExists extends ApiError<StudentExists>()("StudentExists", {
  status: 409,
  code: "student_exists",
  message: {
    en: "email must be one that no student of this club has",
    "pt-BR": "Um aluno deste clube já tem este e-mail."
  }
}) {}

/** Another student of the club has this address. */
export class EmailInUse extends ApiError<EmailInUse>()("EmailInUse", {
  status: 409,
  code: "email_in_use",
  message: {
    en: "email must be one that no other student of this club has",
    "pt-BR": "Outro aluno deste clube já tem este e-mail."
  }
}) {}
