import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { administration, AllowedRoles, ClubMember, clubPath } from "../../identity/authentication/Authentication.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { ClubWrites, PlatformHooks } from "../../identity/limits/RateLimit.ts"
import { KeyFeature } from "../../identity/people/Scope.ts"
import { CohortOfOtherDelivery, DeliveryUnknown } from "../../membership/access/Enrollment.ts"
import { AgentTool } from "../../platform/http/AgentTool.ts"
import { GroupAudience } from "../../platform/http/Audience.ts"
import { described } from "../../platform/http/Described.ts"
import {
  InternalError,
  MalformedRequest,
  NotFound,
  PayloadTooLarge,
  TemporarilyUnavailable
} from "../../platform/http/errors.ts"
import { field } from "../../platform/http/Field.ts"
import { NoStore } from "../../platform/http/NoStore.ts"
import { Data, InvalidCursor, Page, PageQuery, WholeList } from "../../platform/http/Page.ts"
import { sentId } from "../../platform/http/Text.ts"
import { Idempotent } from "../../platform/idempotency/Idempotency.ts"
import { PayloadPurged } from "../../webhooks/history/delivery/Delivery.ts"
import {
  ClubEventFilter,
  EventFilter,
  EventNotReprocessable,
  InboundEvent,
  InboundEventDetail,
  InboundEventId,
  InvalidSignature,
  Receipt
} from "./inbound/InboundEvent.ts"
import {
  CreateInboundWebhook,
  InboundWebhook,
  InboundWebhookId,
  InboundWebhookLimitReached,
  PatchInboundWebhook,
  SalesPlatform,
  SecretInvalid
} from "./inbound/InboundWebhook.ts"
import {
  CreateMapping,
  MappingExists,
  MappingId,
  PatchMapping,
  ProductMapping,
  ProductMappingDetail,
  Requeued
} from "./mapping/Mapping.ts"
import { UnmappedProduct } from "./mapping/UnmappedProduct.ts"
import { Purchase, Subscription } from "./purchase/StudentSale.ts"

/** The fields for agents. */
const shown = {
  inboundWebhook: "id platform name secret_set token_only enabled last_event_at created_at",
  inboundEvent:
    "id inbound_webhook_id platform event_name external_event_id outcome detail student_id received_at finished_at failures raw_available",
  productMapping:
    "id platform external_product_id external_offer_id delivery_id cohort_id access_days created_at unmapped_events"
}

const hook = { ...clubPath, inboundWebhookId: sentId(InboundWebhookId).pipe(field("The address of the club")) }
const event = { ...clubPath, inboundEventId: sentId(InboundEventId).pipe(field("What came in")) }
const mapping = { ...clubPath, mappingId: sentId(MappingId).pipe(field("The product mapping")) }
const oneHook = "/inbound-webhooks/:inboundWebhookId"
const oneEvent = "/inbound-events/:inboundEventId"
const oneMapping = "/product-mappings/:mappingId"

/**
 * The addresses for a club's sales platforms (http-surface, Inbound sales platforms). URLs hold tokens: no answer is
 * kept.
 */
export class InboundWebhooksApi extends HttpApiGroup.make("inboundWebhooks")
  .add(
    HttpApiEndpoint.post("create", "/inbound-webhooks", {
      params: clubPath,
      payload: CreateInboundWebhook,
      success: Data(InboundWebhook).pipe(HttpApiSchema.status(201)),
      error: [SecretInvalid, InboundWebhookLimitReached]
    }).annotateMerge(described(
      "Make an address for a sales platform",
      "Enter the `url` of the answer on the platform, as its `setup_steps` say. Without a secret and without `token_only` it answers the platform 401 until a secret is set. A club has 50 at most"
    )).middleware(Idempotent).middleware(NoStore),
    HttpApiEndpoint.get("list", "/inbound-webhooks", {
      params: clubPath,
      query: PageQuery,
      success: Page(InboundWebhook),
      error: InvalidCursor
    }).annotate(AgentTool, { name: "inbound_webhooks_list", fields: shown.inboundWebhook })
      .annotateMerge(described("List the inbound webhooks", "Oldest first, with their URLs and without their secrets"))
      .middleware(NoStore),
    HttpApiEndpoint.get("get", oneHook, { params: hook, success: Data(InboundWebhook), error: NotFound }).annotate(
      AgentTool,
      { name: "inbound_webhooks_show", fields: shown.inboundWebhook }
    ).annotateMerge(described("Read an inbound webhook", "With its URL; its secret is never shown"))
      .middleware(NoStore),
    HttpApiEndpoint.patch("update", oneHook, {
      params: hook,
      payload: PatchInboundWebhook,
      success: Data(InboundWebhook),
      error: [SecretInvalid, NotFound]
    }).annotateMerge(described(
      "Change, disable or enable an inbound webhook",
      "Omitted fields keep their values. Events that have come in are processed in any case"
    )).middleware(NoStore),
    HttpApiEndpoint.delete("remove", oneHook, {
      params: hook,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotateMerge(described(
      "Delete an inbound webhook",
      "The platform is answered 404 from then on. Events that have come in are processed, and stay readable as long as they are kept"
    )),
    HttpApiEndpoint.post("rotateToken", `${oneHook}/rotate-token`, {
      params: hook,
      success: Data(InboundWebhook),
      error: [NotFound, TemporarilyUnavailable]
    }).annotateMerge(described(
      "Replace the URL of an inbound webhook",
      "Enter the new `url` on the platform. The URL before goes on working for 24 hours, older ones stop at once. The secret stays"
    )).middleware(Idempotent).middleware(NoStore)
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .annotateEndpoints(AllowedRoles, administration)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "sales")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Inbound webhooks")
  .annotate(OpenApi.Description, "The addresses that sales platforms write to, and the secrets that they sign with")
{}

/** The events that came to an address, and their outcomes. */
export class InboundEventsApi extends HttpApiGroup.make("inboundEvents")
  .add(
    HttpApiEndpoint.get("list", `${oneHook}/events`, {
      params: hook,
      query: {
        ...PageQuery,
        outcome: Schema.optionalKey(EventFilter)
          .pipe(field("Only events with this outcome; `pending` are those that wait for theirs"))
      },
      success: Page(InboundEvent),
      error: [InvalidCursor, NotFound]
    }).annotate(AgentTool, { name: "inbound_events_list", fields: shown.inboundEvent }).annotateMerge(described(
      "List what a sales platform has sent",
      "At one address, newest first, without the bodies. A deleted address still has its list"
    )),
    HttpApiEndpoint.get("listAll", "/inbound-events", {
      params: clubPath,
      query: { ...PageQuery, ...ClubEventFilter },
      success: Page(InboundEvent),
      error: InvalidCursor
    }).annotateMerge(described(
      "List what all sales platforms have sent",
      "At all addresses of the club, deleted ones too, newest first. Filters narrow it together"
    )),
    HttpApiEndpoint.get("get", oneEvent, {
      params: event,
      success: Data(InboundEventDetail),
      error: NotFound
    }).annotate(AgentTool, {
      name: "inbound_events_show",
      fields:
        "id inbound_webhook_id platform event_name external_event_id outcome detail student_id received_at finished_at failures raw_available body"
    }).annotateMerge(described(
      "Read what a sales platform has sent, as it came",
      "The body has the platform's data about the buyer. Only owner and admin in person see the tax document. It is erased with its student"
    )).middleware(NoStore),
    HttpApiEndpoint.post("reprocess", `${oneEvent}/reprocess`, {
      params: event,
      success: Data(InboundEvent).pipe(HttpApiSchema.status(202)),
      error: [EventNotReprocessable, NotFound, PayloadPurged]
    }).annotate(AgentTool, { name: "inbound_events_reprocess", fields: shown.inboundEvent }).annotateMerge(described(
      "Process an inbound event again",
      "Puts an event that is `unmapped`, `failed` or `ignored` back into the queue. Finished work is not repeated: nobody gets access, an event or a mail twice"
    ))
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .annotateEndpoints(AllowedRoles, administration)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "sales")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Inbound events")
  .annotate(OpenApi.Description, "Events of sales platforms, their outcomes, and processing them again")
{}

/** The platforms, and the deliveries that their products give. */
export class ProductMappingsApi extends HttpApiGroup.make("productMappings")
  .add(
    HttpApiEndpoint.get("platforms", "/sales-platforms", { params: clubPath, success: WholeList(SalesPlatform) })
      .annotate(AgentTool, { name: "sales_platforms_list", fields: "key name events", own: "key name events" })
      .annotateMerge(described(
        "List the sales platforms and how to connect them",
        "All of them on one page, the same for every club"
      )),
    HttpApiEndpoint.post("create", "/product-mappings", {
      params: clubPath,
      payload: CreateMapping,
      success: Data(ProductMappingDetail).pipe(HttpApiSchema.status(201)),
      error: [CohortOfOtherDelivery, DeliveryUnknown, MappingExists]
    }).annotate(AgentTool, { name: "product_mappings_create", fields: shown.productMapping }).annotateMerge(described(
      "Say what a product gives access to",
      "Sales from now on give this access. `unmapped_events` counts earlier sales that wait for this access; reprocess them to give it. A product may give several deliveries, each by its own mapping"
    )).annotate(AllowedRoles, administration)
      .middleware(Idempotent),
    HttpApiEndpoint.get("list", "/product-mappings", {
      params: clubPath,
      query: PageQuery,
      success: Page(ProductMapping),
      error: InvalidCursor
    }).annotate(AgentTool, {
      name: "product_mappings_list",
      fields: "id platform external_product_id external_offer_id delivery_id cohort_id access_days created_at"
    }).annotateMerge(described("List the product mappings", "Oldest first")),
    HttpApiEndpoint.get("unmapped", "/unmapped-products", {
      params: clubPath,
      query: PageQuery,
      success: Page(UnmappedProduct),
      error: InvalidCursor
    }).annotateMerge(described(
      "List the products that no mapping takes",
      "Of events that wait, by platform and product. A product leaves the list with its mapping, whose `reprocess` takes in what waited. A mapping of an archived delivery takes nothing"
    )),
    HttpApiEndpoint.get("get", oneMapping, {
      params: mapping,
      success: Data(ProductMappingDetail),
      error: NotFound
    }).annotate(AgentTool, { name: "product_mappings_show", fields: shown.productMapping })
      .annotateMerge(described("Read a product mapping", "And how many events wait for it")),
    HttpApiEndpoint.patch("update", oneMapping, {
      params: mapping,
      payload: PatchMapping,
      success: Data(ProductMappingDetail),
      error: [CohortOfOtherDelivery, DeliveryUnknown, MappingExists, NotFound]
    }).annotate(AgentTool, { name: "product_mappings_update", fields: shown.productMapping }).annotateMerge(described(
      "Change a product mapping",
      "Omitted fields keep their values; the platform cannot be changed. Access that sales have given already stays as it is"
    )).annotate(AllowedRoles, administration),
    HttpApiEndpoint.delete("remove", oneMapping, {
      params: mapping,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotate(AgentTool, { name: "product_mappings_remove", fields: "" }).annotateMerge(described(
      "Delete a product mapping",
      "Access that sales have given through it stays. Later sales of the product wait as `unmapped`, unless it has another mapping"
    )).annotate(AllowedRoles, administration),
    HttpApiEndpoint.post("reprocess", `${oneMapping}/reprocess`, {
      params: mapping,
      success: Data(Requeued).pipe(HttpApiSchema.status(202)),
      error: NotFound
    }).annotate(AgentTool, { name: "product_mappings_reprocess", fields: "requeued" }).annotateMerge(described(
      "Process what waited for a product mapping",
      "Puts the `unmapped` events that the mapping applies to back into the queue, if their bodies are still kept. Buyers get their access, and mails and events go out. Repeating it changes nothing"
    )).annotate(AllowedRoles, administration)
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "sales")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Product mappings")
  .annotate(OpenApi.Description, "The sales platforms, and what their products give access to in a club")
{}

const student = {
  ...clubPath,
  studentId: sentId(StudentId).pipe(field("The `id` of a student of the club, removed ones included"))
}

/** The purchases and subscriptions of a student. Every member reads them, as they read the student. */
export class StudentSalesApi extends HttpApiGroup.make("studentSales")
  .add(
    HttpApiEndpoint.get("purchases", "/students/:studentId/purchases", {
      params: student,
      query: PageQuery,
      success: Page(Purchase),
      error: [InvalidCursor, NotFound]
    }).annotateMerge(described("List a student's purchases", "Newest first, each charge of a subscription by itself")),
    HttpApiEndpoint.get("subscriptions", "/students/:studentId/subscriptions", {
      params: student,
      query: PageQuery,
      success: Page(Subscription),
      error: [InvalidCursor, NotFound]
    }).annotateMerge(described("List a student's subscriptions", "Newest first, with those that have ended"))
  )
  .middleware(ClubMember)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "sales")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Sales of a student")
  .annotate(OpenApi.Description, "A student's purchases on the sales platforms")
{}

const SentJson = Schema.Json.annotate({
  description: "The platform's JSON, in its own form",
  examples: [{ event: "PURCHASE_APPROVED", data: { product: { id: 788_921, name: "Flauta do zero" } } }]
})

/**
 * Where sales platforms write to (contract, `POST /webhooks/{platform}/{token}`). It stands outside `/v1`, and takes
 * JSON of any content type: its bytes are verified as they came.
 */
export class PlatformHooksApi extends HttpApiGroup.make("platformHooks")
  .add(HttpApiEndpoint.post("receive", "/webhooks/:platform/:token", {
    params: {
      platform: Schema.String.pipe(field("The key of the sales platform", "hotmart")),
      token: Schema.RedactedFromValue(Schema.String)
        .pipe(field("The last part of an inbound webhook's `url`", "3q2-7wEr5t6yZ8uI9oP0aSdFgHjKlMnB"))
    },
    payload: SentJson,
    success: Data(Receipt),
    error: [InternalError, InvalidSignature, MalformedRequest, NotFound, PayloadTooLarge, TemporarilyUnavailable]
  }).annotateMerge(described(
    "Take in what a sales platform sends",
    "For sales platforms, at the `url` of an inbound webhook: up to 256 KB of JSON, signed as the platform signs. It is stored before the answer and processed after it; the same bytes again are a duplicate. After 503, send it again"
  )))
  .middleware(PlatformHooks)
  .annotate(GroupAudience, "machines")
  .annotate(OpenApi.Title, "Sales hooks")
  .annotate(OpenApi.Description, "The address that sales platforms call when something is sold, refunded or canceled")
{}
