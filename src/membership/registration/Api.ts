import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  administration,
  AllowedRoles,
  ClubMember,
  clubPath,
  ClubStudent
} from "../../identity/authentication/Authentication.ts"
import { ClubWrites, StudentWrites } from "../../identity/limits/RateLimit.ts"
import { KeyFeature } from "../../identity/people/Scope.ts"
import { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { GroupAudience } from "../../platform/http/Audience.ts"
import { described } from "../../platform/http/Described.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { field } from "../../platform/http/Field.ts"
import { NoStore } from "../../platform/http/NoStore.ts"
import { Data, InvalidCursor, Page, PageQuery } from "../../platform/http/Page.ts"
import { sentId } from "../../platform/http/Text.ts"
import { Idempotent } from "../../platform/idempotency/Idempotency.ts"
import { AlreadyEnrolled, CohortOfOtherDelivery, DeliveryUnknown, Enrollment } from "../access/Enrollment.ts"
import {
  CreateRegistrationLink,
  MaxUsesBelowUses,
  Registration,
  RegistrationCodeInvalid,
  RegistrationLink,
  RegistrationLinkId,
  RegistrationLinkPatch
} from "./RegistrationLink.ts"

const link = {
  ...clubPath,
  linkId: sentId(RegistrationLinkId).pipe(field("The `id` of a registration link of the club"))
}

const oneLink = "/registration-links/:linkId"

/** Links that register for a delivery. Anybody with the code can use it, so only the administration sees them. */
export class RegistrationLinksApi extends HttpApiGroup.make("registrationLinks")
  .add(
    HttpApiEndpoint.get("list", "/registration-links", {
      params: clubPath,
      query: PageQuery,
      success: Page(RegistrationLink),
      error: InvalidCursor
    }).annotateMerge(described("List the registration links", "Oldest first, those that are over or used up too.")),
    HttpApiEndpoint.post("create", "/registration-links", {
      params: clubPath,
      payload: CreateRegistrationLink,
      success: Data(RegistrationLink).pipe(HttpApiSchema.status(201)),
      error: [CohortOfOtherDelivery, DeliveryUnknown]
    }).annotateMerge(described(
      "Create a registration link",
      "Anyone with the code, or the page with it, signs up in the club, even if it is closed, and gets the delivery. Without a delivery they only sign up."
    )).middleware(Idempotent),
    HttpApiEndpoint.get("get", oneLink, { params: link, success: Data(RegistrationLink), error: NotFound })
      .annotateMerge(described("Read a registration link", "With its code, and how often it has been used.")),
    HttpApiEndpoint.patch("update", oneLink, {
      params: link,
      payload: RegistrationLinkPatch,
      success: Data(RegistrationLink),
      error: [MaxUsesBelowUses, NotFound]
    }).annotateMerge(described(
      "Change how often and how long a registration link can be used",
      "Its code, its delivery and its cohort stay: another one needs another link."
    )),
    HttpApiEndpoint.delete("remove", oneLink, {
      params: link,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotateMerge(described(
      "Delete a registration link",
      "Its code is worth nothing from now on, for sign-ups too that are not confirmed yet. People who have used it keep what they got."
    ))
  )
  .middleware(NoStore)
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .annotateEndpoints(AllowedRoles, administration)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "catalog")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Registration links")
  .annotate(OpenApi.Description, "Links that let people sign up in a club and give them a delivery")
{}

/** Registration links as students use them. */
export class RegistrationsApi extends HttpApiGroup.make("registrations")
  .add(HttpApiEndpoint.post("register", "/classroom/registrations", {
    params: clubPath,
    payload: Registration,
    success: Data(Enrollment).pipe(HttpApiSchema.status(201)),
    error: [AlreadyEnrolled, RegistrationCodeInvalid, StudentRemoved]
  }).annotateMerge(described(
    "Get a delivery by the code of a registration link",
    "For a student who is there already; somebody new sends the code when they sign up. It counts as one use, and sends `access.granted`."
  )).middleware(Idempotent))
  .middleware(StudentWrites)
  .middleware(ClubStudent)
  .prefix("/clubs/:clubId")
  .annotate(GroupAudience, "classroom")
  .annotate(OpenApi.Title, "Registrations")
  .annotate(OpenApi.Description, "How a student gets a delivery by a registration link")
{}
