import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  administration,
  AllowedRoles,
  ClubMember,
  clubPath,
  ClubStudent,
  contentStaff
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
} from "../registration/RegistrationLink.ts"
import { Cohort, CohortInUse, CohortPatch, CreateCohort, EndsAtNotLater } from "./Cohort.ts"
import {
  CohortId,
  CreateDelivery,
  Delivery,
  DeliveryFilter,
  DeliveryId,
  DeliveryInUse,
  DeliveryPatch,
  ItemUnknown
} from "./Delivery.ts"

const delivery = { ...clubPath, deliveryId: sentId(DeliveryId) }
const cohort = { ...delivery, cohortId: sentId(CohortId) }
const link = { ...clubPath, linkId: sentId(RegistrationLinkId) }

const oneDelivery = "/deliveries/:deliveryId"
const oneCohort = `${oneDelivery}/cohorts/:cohortId` as const
const oneLink = "/registration-links/:linkId"

/** What a club gives access to, and its cohorts (http-surface, Catalog). */
export class DeliveriesApi extends HttpApiGroup.make("deliveries")
  .add(
    HttpApiEndpoint.get("list", "/deliveries", {
      params: clubPath,
      query: { ...PageQuery, ...DeliveryFilter },
      success: Page(Delivery),
      error: InvalidCursor
    }).annotate(OpenApi.Summary, "List the deliveries").annotate(
      OpenApi.Description,
      "Oldest first. With archived=true the archived ones alone, otherwise all others"
    ),
    HttpApiEndpoint.post("create", "/deliveries", {
      params: clubPath,
      payload: CreateDelivery,
      success: Data(Delivery).pipe(HttpApiSchema.status(201)),
      error: ItemUnknown
    }).annotate(OpenApi.Summary, "Create a delivery").annotate(
      OpenApi.Description,
      "A free delivery is given to every student of the club, within moments, and to new students as they come"
    ).annotate(AllowedRoles, contentStaff).middleware(Idempotent),
    HttpApiEndpoint.get("get", oneDelivery, { params: delivery, success: Data(Delivery), error: NotFound }).annotate(
      OpenApi.Summary,
      "Read a delivery"
    ),
    HttpApiEndpoint.patch("update", oneDelivery, {
      params: delivery,
      payload: DeliveryPatch,
      success: Data(Delivery),
      error: [ItemUnknown, NotFound]
    }).annotate(OpenApi.Summary, "Change, archive or bring back a delivery").annotate(
      OpenApi.Description,
      "Items are the whole list. Archiving it or ending that it is free takes it from nobody"
    ).annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.delete("remove", oneDelivery, {
      params: delivery,
      success: HttpApiSchema.NoContent,
      error: [DeliveryInUse, NotFound]
    }).annotate(OpenApi.Summary, "Delete a delivery that nothing refers to, with its cohorts").annotate(
      AllowedRoles,
      contentStaff
    ),
    HttpApiEndpoint.get("listCohorts", `${oneDelivery}/cohorts`, {
      params: delivery,
      query: PageQuery,
      success: Page(Cohort),
      error: [InvalidCursor, NotFound]
    }).annotate(OpenApi.Summary, "List the cohorts of a delivery"),
    HttpApiEndpoint.post("createCohort", `${oneDelivery}/cohorts`, {
      params: delivery,
      payload: CreateCohort,
      success: Data(Cohort).pipe(HttpApiSchema.status(201)),
      error: [EndsAtNotLater, NotFound]
    }).annotate(OpenApi.Summary, "Create a cohort").annotate(AllowedRoles, contentStaff).middleware(Idempotent),
    HttpApiEndpoint.get("getCohort", oneCohort, { params: cohort, success: Data(Cohort), error: NotFound }).annotate(
      OpenApi.Summary,
      "Read a cohort"
    ),
    HttpApiEndpoint.patch("updateCohort", oneCohort, {
      params: cohort,
      payload: CohortPatch,
      success: Data(Cohort),
      error: [EndsAtNotLater, NotFound]
    }).annotate(OpenApi.Summary, "Change a cohort").annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.delete("removeCohort", oneCohort, {
      params: cohort,
      success: HttpApiSchema.NoContent,
      error: [CohortInUse, NotFound]
    }).annotate(OpenApi.Summary, "Delete a cohort that nothing refers to").annotate(AllowedRoles, contentStaff)
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .prefix("/clubs/:clubId")
  .annotate(OpenApi.Title, "Deliveries")
  .annotate(OpenApi.Description, "What a club gives students access to, and the cohorts in which they come")
{}

/** Links that register for a delivery. Who has the code can use it, so they are shown to the administration alone. */
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
