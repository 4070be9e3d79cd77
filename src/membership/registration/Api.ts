import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  administration,
  AllowedRoles,
  ClubMember,
  clubPath,
  ClubStudent
} from "../../identity/authentication/Authentication.ts"
import { ClubWrites, StudentWrites } from "../../identity/limits/RateLimit.ts"
import { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { NotFound } from "../../platform/http/errors.ts"
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

const link = { ...clubPath, linkId: sentId(RegistrationLinkId) }

const oneLink = "/registration-links/:linkId"

/** Links that register for a delivery. Anybody with the code can use it, so only the administration sees them. */
export class RegistrationLinksApi extends HttpApiGroup.make("registrationLinks")
  .add(
    HttpApiEndpoint.get("list", "/registration-links", {
      params: clubPath,
      query: PageQuery,
      success: Page(RegistrationLink),
      error: InvalidCursor
    }).annotate(OpenApi.Summary, "List the registration links"),
    HttpApiEndpoint.post("create", "/registration-links", {
      params: clubPath,
      payload: CreateRegistrationLink,
      success: Data(RegistrationLink).pipe(HttpApiSchema.status(201)),
      error: [CohortOfOtherDelivery, DeliveryUnknown]
    }).annotate(OpenApi.Summary, "Create a registration link").annotate(
      OpenApi.Description,
      "Without a delivery it lets people sign up, in a closed club too, and gives them nothing"
    ).middleware(Idempotent),
    HttpApiEndpoint.get("get", oneLink, { params: link, success: Data(RegistrationLink), error: NotFound }).annotate(
      OpenApi.Summary,
      "Read a registration link"
    ),
    HttpApiEndpoint.patch("update", oneLink, {
      params: link,
      payload: RegistrationLinkPatch,
      success: Data(RegistrationLink),
      error: [MaxUsesBelowUses, NotFound]
    }).annotate(OpenApi.Summary, "Change how often and how long a registration link can be used"),
    HttpApiEndpoint.delete("remove", oneLink, {
      params: link,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotate(OpenApi.Summary, "Delete a registration link")
  )
  .middleware(NoStore)
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .annotateEndpoints(AllowedRoles, administration)
  .prefix("/clubs/:clubId")
  .annotate(OpenApi.Title, "Registration links")
  .annotate(OpenApi.Description, "Links that let people sign up in a club and give them a delivery")
{}

/** Registration links as students use them. */
export class RegistrationsApi extends HttpApiGroup.make("registrations")
  .add(
    HttpApiEndpoint.post("register", "/classroom/registrations", {
      params: clubPath,
      payload: Registration,
      success: Data(Enrollment).pipe(HttpApiSchema.status(201)),
      error: [AlreadyEnrolled, RegistrationCodeInvalid, StudentRemoved]
    }).annotate(OpenApi.Summary, "Get a delivery by the code of a registration link").middleware(Idempotent)
  )
  .middleware(StudentWrites)
  .middleware(ClubStudent)
  .prefix("/clubs/:clubId")
  .annotate(OpenApi.Title, "Registrations")
  .annotate(OpenApi.Description, "How a student gets a delivery by a registration link")
{}
