import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  administration,
  AllowedRoles,
  ClubMember,
  clubPath,
  ClubStudent,
  supportStaff
} from "../../identity/authentication/Authentication.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { ClubWrites, StudentWrites } from "../../identity/limits/RateLimit.ts"
import { KeyFeature } from "../../identity/people/Scope.ts"
import { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { AgentTool } from "../../platform/http/AgentTool.ts"
import { GroupAudience } from "../../platform/http/Audience.ts"
import { described } from "../../platform/http/Described.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { field } from "../../platform/http/Field.ts"
import { NoStore } from "../../platform/http/NoStore.ts"
import { Data, InvalidCursor, Page, PageQuery } from "../../platform/http/Page.ts"
import { sentId } from "../../platform/http/Text.ts"
import { Idempotent } from "../../platform/idempotency/Idempotency.ts"
import { MailLimitReached } from "../caps/MailLimitReached.ts"
import { grantRefusals } from "./GrantRefused.ts"
import { OwnAccount, OwnAccountPatch } from "./OwnAccount.ts"
import {
  CreateStudent,
  EmailInUse,
  StudentDetail,
  StudentErasure,
  StudentExists,
  StudentFilter,
  StudentPatch,
  StudentSummary
} from "./StudentDetail.ts"

/** The fields for agents. */
const shown = {
  student: "id name email verified has_password anonymized created_at"
}

const student = { ...clubPath, studentId: sentId(StudentId).pipe(field("The `id` of a student of the club")) }
const one = "/students/:studentId"

/**
 * The students of a club (contract, Student and Endpoints 7; http-surface, Students). Answers contain documents, so
 * caches must not store them.
 */
export class StudentsApi extends HttpApiGroup.make("students")
  .add(
    HttpApiEndpoint.get("list", "/students", {
      params: clubPath,
      query: { ...PageQuery, ...StudentFilter },
      success: Page(StudentSummary),
      error: InvalidCursor
    }).annotate(AgentTool, { name: "students_search", fields: shown.student }).annotateMerge(described(
      "List the students",
      "Newest first, without those who were removed. A page with search, delivery_id, cohort_id or active looks at a bounded number of students. It may be short, even empty, and still have a next_cursor to continue from"
    )),
    HttpApiEndpoint.get("get", one, { params: student, success: Data(StudentDetail), error: NotFound }).annotate(
      AgentTool,
      {
        name: "students_show",
        fields:
          "id name email verified has_password anonymized created_at enrollments access_events.enrollment_id access_events.kind access_events.occurred_at access_events.effective_expires_at access_events.reason"
      }
    ).annotateMerge(described(
      "Read a student, their enrollments and their access history",
      "The tax document is shown to owner and admin in person, and null to everybody else and to keys"
    )),
    HttpApiEndpoint.post("create", "/students", {
      params: clubPath,
      payload: CreateStudent,
      success: Data(StudentDetail).pipe(HttpApiSchema.status(201)),
      error: [MailLimitReached, StudentExists, ...grantRefusals]
    }).annotate(AgentTool, {
      name: "students_create",
      fields: "id name email verified has_password anonymized created_at enrollments",
      reachesOthers: true
    }).annotateMerge(described(
      "Let somebody in as a student",
      "Makes the account, without a password, and gives it the deliveries of `grants` and all that are free. With `send_invite` it is mailed a link that signs in. It sends `student.created`, and `access.granted` for each delivery."
    )).annotate(AllowedRoles, supportStaff)
      .middleware(Idempotent),
    HttpApiEndpoint.patch("update", one, {
      params: student,
      payload: StudentPatch,
      success: Data(StudentDetail),
      error: [EmailInUse, MailLimitReached, NotFound, StudentRemoved]
    }).annotate(AgentTool, { name: "students_update", fields: shown.student, withheld: "email" })
      .annotateMerge(described(
        "Correct a student's details",
        "Another address ends every session of the student, and both addresses are mailed. It sends `student.updated` where name or address became another."
      )).annotate(AllowedRoles, supportStaff),
    HttpApiEndpoint.delete("remove", one, {
      params: student,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotate(AgentTool, { name: "students_remove", fields: "" }).annotateMerge(described(
      "Remove a student and forget the person",
      "For good: name, address and document are erased, with everything that the person wrote and uploaded. Their sessions end. Webhook messages about them lose their bodies and are not sent. It sends `student.removed` with the id alone. Once more, it does nothing."
    )).annotate(AllowedRoles, administration),
    HttpApiEndpoint.get("erasure", `${one}/erasure`, {
      params: student,
      success: Data(StudentErasure),
      error: NotFound
    }).annotateMerge(described(
      "Read what a removal deleted",
      "How many records of each kind, for 90 days after the removal."
    )).annotate(AllowedRoles, administration)
  )
  .middleware(NoStore)
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "students")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Students")
  .annotate(OpenApi.Description, "The students of a club, what they have access to, and forgetting them")
{}

/** A student's own account, for its holder (http-surface, classroom). */
export class OwnAccountApi extends HttpApiGroup.make("ownAccount")
  .add(
    HttpApiEndpoint.get("read", "/classroom/me", {
      params: clubPath,
      success: Data(OwnAccount),
      error: NotFound
    }).annotateMerge(described(
      "Read one's own account",
      "With the club that it belongs to, its language and time zone"
    )),
    HttpApiEndpoint.patch("update", "/classroom/me", {
      params: clubPath,
      payload: OwnAccountPatch,
      success: Data(OwnAccount),
      error: [NotFound, StudentRemoved]
    }).annotateMerge(described(
      "Change one's own name in a club",
      "Others see the new name from then on, on older comments and posts too. It sends `student.updated` where it is another. The staff changes the address"
    ))
  )
  .middleware(NoStore)
  .middleware(StudentWrites)
  .middleware(ClubStudent)
  .prefix("/clubs/:clubId")
  .annotate(GroupAudience, "classroom")
  .annotate(OpenApi.Title, "Own account")
  .annotate(OpenApi.Description, "A student's own name, and the club that they learn in")
{}
