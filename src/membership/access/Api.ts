import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AllowedRoles, ClubMember, clubPath, supportStaff } from "../../identity/authentication/Authentication.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { ClubWrites } from "../../identity/limits/RateLimit.ts"
import { KeyFeature } from "../../identity/people/Scope.ts"
import { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { AgentTool } from "../../platform/http/AgentTool.ts"
import { GroupAudience } from "../../platform/http/Audience.ts"
import { described } from "../../platform/http/Described.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { field } from "../../platform/http/Field.ts"
import { Data } from "../../platform/http/Page.ts"
import { sentId } from "../../platform/http/Text.ts"
import { Idempotent } from "../../platform/idempotency/Idempotency.ts"
import {
  AlreadyEnrolled,
  CohortOfOtherDelivery,
  CreateGrant,
  DeliveryUnknown,
  Enrollment,
  EnrollmentId,
  EnrollmentNotActive,
  EnrollmentNotRevoked,
  ExpiresAtNotEarlier,
  ExpiresAtNotLater,
  Extension,
  Move,
  OptionalReason,
  Shortening
} from "./Enrollment.ts"

/** The fields for agents. */
const shown = {
  enrollment:
    "id delivery_id delivery_name cohort_id cohort_name source active starts_at expires_at revoked_at revoke_reason"
}

const enrollment = {
  ...clubPath,
  enrollmentId: sentId(EnrollmentId).pipe(field("The `id` of an enrollment of a student of the club"))
}
const one = "/enrollments/:enrollmentId"

/** Marks the body as optional if the payload may be undefined. The document would otherwise require it. */
const withOptionalBody = (operation: Record<string, unknown>) => ({
  ...operation,
  requestBody: { ...Object(operation["requestBody"]), required: false }
})

/** Access of students, as members grant, revoke and change it (contract, Student; http-surface, Students). */
export class EnrollmentsApi extends HttpApiGroup.make("enrollments")
  .add(
    HttpApiEndpoint.post("grant", "/students/:studentId/grants", {
      params: { ...clubPath, studentId: sentId(StudentId).pipe(field("The `id` of the student who gets it")) },
      payload: CreateGrant,
      success: Data(Enrollment).pipe(HttpApiSchema.status(201)),
      error: [AlreadyEnrolled, CohortOfOtherDelivery, DeliveryUnknown, ExpiresAtNotLater, NotFound, StudentRemoved]
    }).annotate(AgentTool, { name: "access_grant", fields: shown.enrollment }).annotateMerge(described(
      "Give a student access to a delivery",
      "It starts now, or with the cohort if that is later, unless starts_at says otherwise. Without expires_at it ends after the delivery's default_access_days, else with the cohort; null is never. It sends `access.granted`."
    )).middleware(Idempotent),
    HttpApiEndpoint.post("revoke", `${one}/revoke`, {
      params: enrollment,
      payload: OptionalReason,
      success: Data(Enrollment),
      error: [EnrollmentNotActive, NotFound, StudentRemoved]
    }).annotate(AgentTool, { name: "access_revoke", fields: shown.enrollment, destructive: true })
      .annotateMerge(described(
        "Take an access away",
        "At once, with the reason `manual`; it can be restored. It sends `access.revoked`. The body is optional."
      )).annotate(OpenApi.Transform, withOptionalBody),
    HttpApiEndpoint.post("restore", `${one}/restore`, {
      params: enrollment,
      payload: OptionalReason,
      success: Data(Enrollment),
      error: [AlreadyEnrolled, EnrollmentNotRevoked, NotFound, StudentRemoved]
    }).annotate(AgentTool, { name: "access_restore", fields: shown.enrollment }).annotateMerge(described(
      "Give a revoked access back",
      "As it was: one whose end has come meanwhile is over. One that was not bought is already_enrolled where the student has the delivery by another enrollment. It sends `access.restored`. The body is optional."
    )).annotate(OpenApi.Transform, withOptionalBody),
    HttpApiEndpoint.post("extend", `${one}/extend`, {
      params: enrollment,
      payload: Extension,
      success: Data(Enrollment),
      error: [AlreadyEnrolled, EnrollmentNotActive, ExpiresAtNotLater, NotFound, StudentRemoved]
    }).annotate(AgentTool, { name: "access_extend", fields: shown.enrollment }).annotateMerge(described(
      "Make an access end later, or never",
      "To a time in the future. One that is over begins again; if it was not bought, it is already_enrolled where the student has the delivery by another enrollment. It sends `access.extended`."
    )),
    HttpApiEndpoint.post("shorten", `${one}/shorten`, {
      params: enrollment,
      payload: Shortening,
      success: Data(Enrollment),
      error: [EnrollmentNotActive, ExpiresAtNotEarlier, NotFound, StudentRemoved]
    }).annotate(AgentTool, { name: "access_shorten", fields: shown.enrollment, destructive: true })
      .annotateMerge(described(
        "Make an access end earlier",
        "An end in the past, after the start, ends it now. It sends `access.shortened`."
      )),
    HttpApiEndpoint.post("move", `${one}/move`, {
      params: enrollment,
      payload: Move,
      success: Data(Enrollment),
      error: [CohortOfOtherDelivery, EnrollmentNotActive, NotFound, StudentRemoved]
    }).annotate(AgentTool, { name: "access_move", fields: shown.enrollment, destructive: true })
      .annotateMerge(described(
        "Put an access into another cohort",
        "Start and end stay as they are. It sends `access.moved`."
      ))
  )
  .annotateEndpoints(AllowedRoles, supportStaff)
  .add(HttpApiEndpoint.get("get", one, { params: enrollment, success: Data(Enrollment), error: NotFound }).annotate(
    AgentTool,
    { name: "access_show", fields: shown.enrollment }
  ).annotateMerge(described("Read an enrollment", "`active` is computed as of now.")))
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "students")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Enrollments")
  .annotate(OpenApi.Description, "Which deliveries a student has access to, from when until when")
{}
