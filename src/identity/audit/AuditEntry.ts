import { Schema } from "effect"
import { field } from "../../platform/http/Field.ts"
import { PageQuery } from "../../platform/http/Page.ts"
import { sentId } from "../../platform/http/Text.ts"
import { Timestamp } from "../../platform/http/Timestamp.ts"
import { Uuid } from "../../platform/schema/brandedId.ts"
import { Instant } from "../../platform/schema/Instant.ts"
import { ClubKeyId } from "../ids/ClubKeyId.ts"
import { StudentId } from "../ids/StudentId.ts"
import { UserId } from "../ids/UserId.ts"

const operationShape = /^[A-Za-z]{1,60}\.[A-Za-z]{1,39}$/u
const Operation = Schema.String
  .check(Schema.isPattern(operationShape, { expected: "the operationId of an operation, such as students.remove" }))

const Outcome = Schema.Literals(["done", "refused"])

/** One request of an administrator, or of a key, that has changed something or was not allowed to. */
export const AuditEntry = Schema.Struct({
  id: Uuid.pipe(field("Names the entry; entries are in the order of their ids")),
  at: Instant.pipe(field("When the request came")),
  actor: Schema.Struct({
    user_id: UserId.pipe(field("The account of the administrator")),
    name: Schema.String.pipe(field("Their name as it is today", "Ana Souza")),
    email: Schema.String.annotate({ format: "email" })
      .pipe(field("The address that the account signs in with", "ana@school.example"))
  }).pipe(field("The person who did it; for a key, the member it acted for")),
  key: Schema.NullOr(Schema.Struct({
    id: ClubKeyId.pipe(field("Names the key")),
    name: Schema.String.pipe(field("The key's name in the club", "Loja")),
    prefix: Schema.String.pipe(field("The 8 characters after `turma_` in its token", "k3J9xQ2a"))
  })).pipe(field("The key that did it, revoked or not; null for a session", null)),
  operation: Schema.String
    .pipe(field("The requested operation, by its `operationId` in the OpenAPI document", "students.update")),
  targets: Schema.Record(Schema.String, Schema.String)
    .pipe(field("The ids in the path of the request, by their names there; without the club's", {
      studentId: "018f0000-0000-7000-8000-000000000001"
    })),
  student_id: Schema.NullOr(StudentId)
    .pipe(field("The student that it is about, by the path or by the thing that was created or changed; null without a student")),
  created_id: Schema.NullOr(Uuid)
    .pipe(field("The `id` of the created thing; null if nothing was created", "018f0000-0000-7000-8000-000000000002")),
  request_id: Schema.NullOr(Schema.String).pipe(field(
    "The `X-Request-Id` of the answer; null once the student it is about was removed",
    "018f0000-0000-7000-8000-000000000003"
  )),
  outcome: Outcome
    .pipe(field("`done`: something was changed, or the request succeeded; `refused`: role or key do not allow it"))
}).annotate({ identifier: "AuditEntry", description: "A change in the club, with its author and key" })
export type AuditEntry = typeof AuditEntry.Type

/** Which entries. Filters narrow each other. */
export const AuditQuery = {
  ...PageQuery,
  user_id: Schema.optionalKey(sentId(UserId))
    .pipe(field("Only what this administrator did, or keys that acted for them")),
  key_id: Schema.optionalKey(sentId(ClubKeyId)).pipe(field("Only requests with this key")),
  student_id: Schema.optionalKey(sentId(StudentId)).pipe(field("Only what is about this student")),
  operation: Schema.optionalKey(Operation).pipe(field("Only this operation, by its `operationId`", "students.update")),
  outcome: Schema.optionalKey(Outcome).pipe(field("Only successful requests, or only refused ones")),
  since: Schema.optionalKey(Timestamp).pipe(field("Only entries from this time or later", "2026-04-01T00:00:00Z")),
  until: Schema.optionalKey(Timestamp).pipe(field("Only what came before this time", "2026-05-01T00:00:00Z"))
}

const Query = Schema.Struct(AuditQuery)
/** What `AuditQuery` decodes to. */
export type AuditQuery = typeof Query.Type

/** How often a key has read data about people, in one hour. */
export const AuditReads = Schema.Struct({
  id: Uuid.pipe(field("Names the count; counts are in the order of their ids")),
  key_id: ClubKeyId.pipe(field("The key that has read")),
  operation: Schema.String
    .pipe(field("The reading operation, by its `operationId` in the OpenAPI document", "students.list")),
  hour: Instant.pipe(field("When the hour began")),
  count: Schema.Int.pipe(field("How many requests there were", 12))
}).annotate({ identifier: "AuditReads", description: "How often a key has read personal data, by the hour" })
export type AuditReads = typeof AuditReads.Type

/** Which counts. */
export const AuditReadsQuery = {
  ...PageQuery,
  key_id: AuditQuery.key_id
}

const ReadsQuery = Schema.Struct(AuditReadsQuery)
/** What `AuditReadsQuery` decodes to. */
export type AuditReadsQuery = typeof ReadsQuery.Type
