import { Effect, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { EventId, EventType } from "../events/EventType.ts"
import { administration, AllowedRoles, ClubMember, clubPath } from "../identity/authentication/Authentication.ts"
import { ClubWrites } from "../identity/limits/RateLimit.ts"
import { Conditional } from "../platform/http/Conditional.ts"
import { NotFound, TemporarilyUnavailable } from "../platform/http/errors.ts"
import { NoStore } from "../platform/http/NoStore.ts"
import { Data, InvalidCursor, Page, PageQuery } from "../platform/http/Page.ts"
import { sentId } from "../platform/http/Text.ts"
import { Idempotent } from "../platform/idempotency/Idempotency.ts"
import { UrlNotHttps, UrlNotPublic } from "./address/AddressRules.ts"
import {
  DeliveryFilter,
  PayloadPurged,
  Recovered,
  SinceInFuture,
  SinceTooOld,
  StatsWindow,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookEvent,
  WebhookStats
} from "./delivery/Delivery.ts"
import { RecoverSince } from "./delivery/RecoverSince.ts"
import { WebhookDiagnosis } from "./endpoint/Diagnosis.ts"
import {
  CreateEndpoint,
  EndpointLimitReached,
  EndpointNotEnabled,
  EventTypeUnknown,
  InvalidTransition,
  PatchEndpoint,
  RotationLimitReached,
  WebhookEndpoint,
  WebhookEndpointWithSecret
} from "./endpoint/Endpoint.ts"
import { EndpointId } from "./model/EndpointId.ts"
import { WebhookDeliveryId } from "./model/WebhookDeliveryId.ts"

const endpoint = { ...clubPath, endpointId: sentId(EndpointId) }
const delivery = { ...endpoint, deliveryId: sentId(WebhookDeliveryId) }
const one = "/webhook-endpoints/:endpointId"

const JsonObject = Schema.Record(Schema.String, Schema.Unknown)

/** A type of event; `schema` (JSON Schema) and `example` are of the whole body. */
const WebhookEventType = Schema.Struct({
  type: EventType,
  description: Schema.String,
  schema: JsonObject,
  example: JsonObject
}).annotate({ identifier: "WebhookEventType" })

const accepted = Data(WebhookDelivery).pipe(HttpApiSchema.status(202))

/** The endpoints of a club (contract, Events, and States and transitions; http-surface, Outgoing webhooks). */
export class WebhookEndpointsApi extends HttpApiGroup.make("webhookEndpoints")
  .add(
    HttpApiEndpoint.get("eventTypes", "/webhook-event-types", { params: clubPath, success: Page(WebhookEventType) })
      .annotate(OpenApi.Summary, "List the types of events that can be sent").middleware(Conditional),
    HttpApiEndpoint.post("create", "/webhook-endpoints", {
      params: clubPath,
      payload: CreateEndpoint,
      success: Data(WebhookEndpointWithSecret).pipe(HttpApiSchema.status(201)),
      error: [UrlNotHttps, UrlNotPublic, EventTypeUnknown, EndpointLimitReached]
    }).annotate(OpenApi.Summary, "Register a webhook endpoint").middleware(Idempotent).middleware(NoStore),
    HttpApiEndpoint.get("list", "/webhook-endpoints", {
      params: clubPath,
      query: PageQuery,
      success: Page(WebhookEndpoint),
      error: InvalidCursor
    }).annotate(OpenApi.Summary, "List the webhook endpoints"),
    HttpApiEndpoint.get("get", one, { params: endpoint, success: Data(WebhookEndpoint), error: NotFound }).annotate(
      OpenApi.Summary,
      "Read a webhook endpoint"
    ),
    HttpApiEndpoint.patch("update", one, {
      params: endpoint,
      payload: PatchEndpoint,
      success: Data(WebhookEndpoint),
      error: [UrlNotHttps, UrlNotPublic, EventTypeUnknown, InvalidTransition, NotFound]
    }).annotate(OpenApi.Summary, "Change, pause, disable or enable a webhook endpoint"),
    HttpApiEndpoint.delete("remove", one, {
      params: endpoint,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotate(OpenApi.Summary, "Delete a webhook endpoint"),
    HttpApiEndpoint.post("rotateSecret", `${one}/rotate-secret`, {
      params: endpoint,
      success: Data(WebhookEndpointWithSecret),
      error: [NotFound, RotationLimitReached, TemporarilyUnavailable]
    }).annotate(OpenApi.Summary, "Replace the signing secret of a webhook endpoint").annotate(
      OpenApi.Description,
      "Each secret that was replaced goes on signing for its own 24 hours, five of them at most beside the newest one: a sixth rotation within 24 hours is 409 rotation_limit_reached"
    ).middleware(Idempotent).middleware(NoStore),
    HttpApiEndpoint.get("stats", `${one}/stats`, {
      params: endpoint,
      query: { window: StatsWindow.pipe(Schema.withDecodingDefaultKey(Effect.succeed("24h" as const))) },
      success: Data(WebhookStats),
      error: NotFound
    }).annotate(OpenApi.Summary, "Count what became of the latest webhook deliveries").annotate(
      OpenApi.Description,
      "Of the deliveries created in the window; where there are more than 100,000, capped is true and the newest of them count"
    ),
    HttpApiEndpoint.get("diagnose", `${one}/diagnosis`, {
      params: endpoint,
      success: Data(WebhookDiagnosis),
      error: NotFound
    }).annotate(OpenApi.Summary, "Say why a webhook endpoint is or is not delivering")
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .annotateEndpoints(AllowedRoles, administration)
  .prefix("/clubs/:clubId")
  .annotate(OpenApi.Title, "Webhook endpoints")
  .annotate(OpenApi.Description, "Where a club has its events sent, and which ones")
{}

/** What was sent to them (contract, Delivery, and Delivery behavior 7 and 8). */
export class WebhookDeliveriesApi extends HttpApiGroup.make("webhookDeliveries")
  .add(
    HttpApiEndpoint.post("test", `${one}/test`, {
      params: endpoint,
      success: accepted,
      error: [EndpointNotEnabled, NotFound]
    }).annotate(OpenApi.Summary, "Send a test to a webhook endpoint").middleware(Idempotent),
    HttpApiEndpoint.get("list", `${one}/deliveries`, {
      params: endpoint,
      query: { ...PageQuery, ...DeliveryFilter },
      success: Page(WebhookDelivery),
      error: [InvalidCursor, NotFound]
    }).annotate(OpenApi.Summary, "List the deliveries to a webhook endpoint").annotate(
      OpenApi.Description,
      "Newest first. A page of one type or status looks at 50,000 deliveries at most: it may be short, even empty, and still have a next_cursor to go on from"
    ),
    HttpApiEndpoint.get("get", `${one}/deliveries/:deliveryId`, {
      params: delivery,
      success: Data(WebhookDeliveryDetail),
      error: NotFound
    }).annotate(OpenApi.Summary, "Read a webhook delivery, its payload and its attempts"),
    HttpApiEndpoint.post("resend", `${one}/deliveries/:deliveryId/resend`, {
      params: delivery,
      success: accepted,
      error: [EndpointNotEnabled, NotFound, PayloadPurged]
    }).annotate(OpenApi.Summary, "Send a webhook delivery again").middleware(Idempotent),
    HttpApiEndpoint.post("recover", `${one}/recover`, {
      params: endpoint,
      payload: Schema.Struct({ since: RecoverSince }),
      success: Data(Recovered).pipe(HttpApiSchema.status(202)),
      error: [EndpointNotEnabled, NotFound, SinceInFuture, SinceTooOld]
    }).annotate(OpenApi.Summary, "Send failed webhook deliveries again").annotate(
      OpenApi.Description,
      "since is a timestamp, or a date, which begins in the club's time zone; at most 30 days back. 30 days ago as the caller reckoned it up to 5 minutes earlier, and the date of 30 days ago, are within them"
    ),
    HttpApiEndpoint.get("event", "/webhook-events/:eventId", {
      params: { ...clubPath, eventId: sentId(EventId) },
      success: Data(WebhookEvent),
      error: NotFound
    }).annotate(OpenApi.Summary, "Read an event and all of its webhook deliveries")
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .annotateEndpoints(AllowedRoles, administration)
  .prefix("/clubs/:clubId")
  .annotate(OpenApi.Title, "Webhook deliveries")
  .annotate(OpenApi.Description, "What was sent to a club's webhook endpoints, what came of it, and sending it again")
{}
