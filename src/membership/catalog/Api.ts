import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AllowedRoles, ClubMember, clubPath, contentStaff } from "../../identity/authentication/Authentication.ts"
import { ClubWrites } from "../../identity/limits/RateLimit.ts"
import { KeyFeature } from "../../identity/people/Scope.ts"
import { AgentTool } from "../../platform/http/AgentTool.ts"
import { GroupAudience } from "../../platform/http/Audience.ts"
import { described } from "../../platform/http/Described.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { field } from "../../platform/http/Field.ts"
import { Data, InvalidCursor, Page, PageQuery } from "../../platform/http/Page.ts"
import { sentId } from "../../platform/http/Text.ts"
import { Idempotent } from "../../platform/idempotency/Idempotency.ts"
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

/** The fields for agents. */
const shown = {
  deliverie: "id name free default_access_days items archived created_at",
  cohort: "id delivery_id name starts_at ends_at created_at"
}

const delivery = { ...clubPath, deliveryId: sentId(DeliveryId).pipe(field("The `id` of a delivery of the club")) }
const cohort = { ...delivery, cohortId: sentId(CohortId).pipe(field("The `id` of a cohort of the delivery")) }

const oneDelivery = "/deliveries/:deliveryId"
const oneCohort = `${oneDelivery}/cohorts/:cohortId` as const

/** The deliveries of a club and their cohorts (http-surface, Catalog). */
export class DeliveriesApi extends HttpApiGroup.make("deliveries")
  .add(
    HttpApiEndpoint.get("list", "/deliveries", {
      params: clubPath,
      query: { ...PageQuery, ...DeliveryFilter },
      success: Page(Delivery),
      error: InvalidCursor
    }).annotate(AgentTool, { name: "deliveries_list", fields: "id name free default_access_days archived created_at" })
      .annotateMerge(described(
        "List the deliveries",
        "Oldest first. With archived=true the archived ones alone, otherwise all others"
      )),
    HttpApiEndpoint.post("create", "/deliveries", {
      params: clubPath,
      payload: CreateDelivery,
      success: Data(Delivery).pipe(HttpApiSchema.status(201)),
      error: ItemUnknown
    }).annotate(AgentTool, { name: "deliveries_create", fields: shown.deliverie }).annotateMerge(described(
      "Create a delivery",
      "Every student of the club gets a free delivery within moments, and new students get it as they come"
    )).annotate(AllowedRoles, contentStaff).middleware(Idempotent),
    HttpApiEndpoint.get("get", oneDelivery, { params: delivery, success: Data(Delivery), error: NotFound }).annotate(
      AgentTool,
      { name: "deliveries_show", fields: shown.deliverie }
    ).annotateMerge(described("Read a delivery", "With everything in it, archived or not.")),
    HttpApiEndpoint.patch("update", oneDelivery, {
      params: delivery,
      payload: DeliveryPatch,
      success: Data(Delivery),
      error: [ItemUnknown, NotFound]
    }).annotate(AgentTool, { name: "deliveries_update", fields: shown.deliverie }).annotateMerge(described(
      "Change, archive or bring back a delivery",
      "Items are the whole list. Archiving it or ending that it is free takes it from nobody"
    )).annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.delete("remove", oneDelivery, {
      params: delivery,
      success: HttpApiSchema.NoContent,
      error: [DeliveryInUse, NotFound]
    }).annotate(AgentTool, { name: "deliveries_remove", fields: "" }).annotateMerge(described(
      "Delete a delivery that nothing refers to, with its cohorts",
      "Refused with 409 `delivery_in_use` while an enrollment, a product mapping or a registration link refers to it: archive it instead."
    )).annotate(
      AllowedRoles,
      contentStaff
    ),
    HttpApiEndpoint.get("listCohorts", `${oneDelivery}/cohorts`, {
      params: delivery,
      query: PageQuery,
      success: Page(Cohort),
      error: [InvalidCursor, NotFound]
    }).annotate(AgentTool, { name: "cohorts_list", fields: shown.cohort })
      .annotateMerge(described("List the cohorts of a delivery", "Oldest first.")),
    HttpApiEndpoint.post("createCohort", `${oneDelivery}/cohorts`, {
      params: delivery,
      payload: CreateCohort,
      success: Data(Cohort).pipe(HttpApiSchema.status(201)),
      error: [EndsAtNotLater, NotFound]
    }).annotate(AgentTool, { name: "cohorts_create", fields: shown.cohort }).annotateMerge(described(
      "Create a cohort",
      "This puts nobody into it: a grant, a product mapping or a registration link names it."
    )).annotate(AllowedRoles, contentStaff).middleware(Idempotent),
    HttpApiEndpoint.get("getCohort", oneCohort, { params: cohort, success: Data(Cohort), error: NotFound }).annotate(
      AgentTool,
      { name: "cohorts_show", fields: shown.cohort }
    ).annotateMerge(described("Read a cohort", "With the times between which access in it lasts.")),
    HttpApiEndpoint.patch("updateCohort", oneCohort, {
      params: cohort,
      payload: CohortPatch,
      success: Data(Cohort),
      error: [EndsAtNotLater, NotFound]
    }).annotate(AgentTool, { name: "cohorts_update", fields: shown.cohort }).annotateMerge(described(
      "Change a cohort",
      "Accesses that were granted before stay as they are; other times count for those to come."
    )).annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.delete("removeCohort", oneCohort, {
      params: cohort,
      success: HttpApiSchema.NoContent,
      error: [CohortInUse, NotFound]
    }).annotate(AgentTool, { name: "cohorts_remove", fields: "" }).annotateMerge(described(
      "Delete a cohort that nothing refers to",
      "Refused with 409 `cohort_in_use` while an enrollment, a product mapping or a registration link refers to it."
    )).annotate(AllowedRoles, contentStaff)
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "catalog")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Deliveries")
  .annotate(OpenApi.Description, "The deliveries that give students access, and their cohorts")
{}
