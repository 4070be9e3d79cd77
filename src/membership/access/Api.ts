import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AllowedRoles, ClubMember, clubPath, supportStaff } from "../../identity/authentication/Authentication.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { ClubWrites } from "../../identity/limits/RateLimit.ts"
import { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { NotFound } from "../../platform/http/errors.ts"
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

const enrollment = { ...clubPath, enrollmentId: sentId(EnrollmentId) }
const one = "/enrollments/:enrollmentId"

/** Of an operation whose payload may be undefined, which the document would otherwise ask for. */
const withOptionalBody = (operation: Record<string, unknown>) => ({
  ...operation,
  requestBody: { ...Object(operation["requestBody"]), required: false }
})

/** Access of students, as members give, take and change it (contract, Student; http-surface, Students). */
export class EnrollmentsApi extends HttpApiGroup.make("enrollments")
  .add(
    HttpApiEndpoint.post("grant", "/students/:studentId/grants", {
      params: { ...clubPath, studentId: sentId(StudentId) },
      payload: CreateGrant,
      success: Data(Enrollment).pipe(HttpApiSchema.status(201)),
      error: [AlreadyEnrolled, CohortOfOtherDelivery, DeliveryUnknown, ExpiresAtNotLater, NotFound, StudentRemoved]
    }).annotate(OpenApi.Summary, "Give a student access to a delivery").annotate(
      OpenApi.Description,
      "It starts now, or with the cohort if that is later, unless starts_at says otherwise. Without expires_at it ends after the delivery's default_access_days, else with the cohort; null is never"
    ).middleware(Idempotent),
    HttpApiEndpoint.post("revoke", `${one}/revoke`, {
      params: enrollment,
      payload: OptionalReason,
      success: Data(Enrollment),
      error: [EnrollmentNotActive, NotFound, StudentRemoved]
    }).annotate(OpenApi.Summary, "Take an access away").annotate(OpenApi.Transform, withOptionalBody),
    HttpApiEndpoint.post("restore", `${one}/restore`, {
      params: enrollment,
      payload: OptionalReason,
      success: Data(Enrollment),
      error: [AlreadyEnrolled, EnrollmentNotRevoked, NotFound, StudentRemoved]
    }).annotate(OpenApi.Summary, "Give a revoked access back").annotate(
      OpenApi.Description,
      "As it was: one whose end has come meanwhile is over. One that was not bought is already_enrolled where the student has the delivery by another enrollment"
    ).annotate(OpenApi.Transform, withOptionalBody),
    HttpApiEndpoint.post("extend", `${one}/extend`, {
      params: enrollment,
      payload: Extension,
      success: Data(Enrollment),
      error: [AlreadyEnrolled, EnrollmentNotActive, ExpiresAtNotLater, NotFound, StudentRemoved]
    }).annotate(OpenApi.Summary, "Make an access end later, or never").annotate(
      OpenApi.Description,
      "To a time in the future. One that is over begins again; if it was not bought, it is already_enrolled where the student has the delivery by another enrollment"
    ),
    HttpApiEndpoint.post("shorten", `${one}/shorten`, {
      params: enrollment,
      payload: Shortening,
      success: Data(Enrollment),
      error: [EnrollmentNotActive, ExpiresAtNotEarlier, NotFound, StudentRemoved]
    }).annotate(OpenApi.Summary, "Make an access end earlier").annotate(
      OpenApi.Description,
      "An end in the past, after the start, ends it now"
    ),
    HttpApiEndpoint.post("move", `${one}/move`, {
      params: enrollment,
      payload: Move,
      success: Data(Enrollment),
      error: [CohortOfOtherDelivery, EnrollmentNotActive, NotFound, StudentRemoved]
    }).annotate(OpenApi.Summary, "Put an access into another cohort").annotate(
      OpenApi.Description,
      "Start and end stay as they are"
    )
  )
  .annotateEndpoints(AllowedRoles, supportStaff)
  .add(
    HttpApiEndpoint.get("get", one, { params: enrollment, success: Data(Enrollment), error: NotFound }).annotate(
      OpenApi.Summary,
      "Read an enrollment"
    )
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .prefix("/clubs/:clubId")
  .annotate(OpenApi.Title, "Enrollments")
  .annotate(OpenApi.Description, "Which deliveries a student has access to, from when until when")
{}
