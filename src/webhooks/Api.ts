import { Effect, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { EventId, EventType } from "../events/EventType.ts"
import { exampleEvent } from "../events/ExampleEvent.ts"
import { administration, AllowedRoles, ClubMember, clubPath } from "../identity/authentication/Authentication.ts"
import { ClubWrites } from "../identity/limits/RateLimit.ts"
import { KeyFeature } from "../identity/people/Scope.ts"
import { AgentTool } from "../platform/http/AgentTool.ts"
import { GroupAudience } from "../platform/http/Audience.ts"
import { Conditional } from "../platform/http/Conditional.ts"
import { described } from "../platform/http/Described.ts"
import { NotFound, TemporarilyUnavailable } from "../platform/http/errors.ts"
import { field } from "../platform/http/Field.ts"
import { NoStore } from "../platform/http/NoStore.ts"
import { Data, InvalidCursor, Page, PageQuery, WholeList } from "../platform/http/Page.ts"
import { sentId } from "../platform/http/Text.ts"
import { Idempotent } from "../platform/idempotency/Idempotency.ts"
import { EndpointDiagnosis, WebhookDiagnosis } from "./endpoint/Diagnosis.ts"
import {
  CreateEndpoint,
  EndpointLimitReached,
  EndpointNotEnabled,
  InboxUnknown,
  InvalidTransition,
  ListenerHasNoUrl,
  PatchEndpoint,
  RotationLimitReached,
  WebhookEndpoint,
  WebhookEndpointWithSecret
} from "./endpoint/Endpoint.ts"
import { EventTypeUnknown } from "./endpoint/EventTypeNames.ts"
import { FilterInvalid } from "./endpoint/filter/Filter.ts"
import { ListenerPolls, NothingToDrain } from "./endpoint/TrafficLimits.ts"
import {
  ClubDeliveryFilter,
  DeliveryFilter,
  PayloadPurged,
  Recoverable,
  Recovered,
  SinceInFuture,
  SinceTooOld,
  StatsWindow,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookEvent,
  WebhookStats
} from "./history/delivery/Delivery.ts"
import { RecoverSince } from "./history/delivery/RecoverSince.ts"
import { ClubFollowQuery, DeliveryEvent, DeliveryStreamLimit, FollowQuery } from "./history/live/DeliveryEvent.ts"
import { EndpointSeries, SeriesWindow, WebhookSeries } from "./history/series/Series.ts"
import { EndpointId } from "./model/EndpointId.ts"
import { WebhookDeliveryId } from "./model/WebhookDeliveryId.ts"
import { UrlNotHttps, UrlNotPublic } from "./send/AddressRules.ts"
import { HeaderNotAllowed } from "./send/OwnHeaders.ts"

/** The fields that agents get. */
const shown = {
  webhookEndpoint:
    "id url description status event_types hold_until disabled_reason disabled_at consecutive_failures last_success_at last_failure_at",
  webhookEndpoint2:
    "id endpoint_id event_id event_type status cancel_reason attempts_count last_attempt_at last_status_code last_error next_attempt_at student_id created_at finished_at"
}

const endpoint = { ...clubPath, endpointId: sentId(EndpointId).pipe(field("The endpoint; 404 once it is deleted")) }
const delivery = {
  ...endpoint,
  deliveryId: sentId(WebhookDeliveryId).pipe(field("The delivery, which is to this endpoint"))
}
const one = "/webhook-endpoints/:endpointId"

const JsonObject = Schema.Record(Schema.String, Schema.Unknown)

const WebhookEventType = Schema.Struct({
  type: EventType.pipe(field("The name by which endpoints list it")),
  description: Schema.String.pipe(field("When it is sent", "A student account is born in the club")),
  schema: JsonObject.pipe(field("The JSON Schema (draft 2020-12) of the whole body. Bodies may gain fields", {
    title: "student.created",
    type: "object"
  })),
  example: JsonObject.pipe(field("A whole body of this type", exampleEvent))
}).annotate({ identifier: "WebhookEventType", description: "A type of event that can be sent to webhook endpoints" })

const Window = SeriesWindow.pipe(
  Schema.withDecodingDefaultKey(Effect.succeed("24h" as const)),
  field("How far back: a day or seven by the hour, or 30 days by the day. A day unless said otherwise")
)

const accepted = Data(WebhookDelivery).pipe(HttpApiSchema.status(202))

/** The endpoints of a club (contract, Events, and States and transitions; http-surface, Outgoing webhooks). */
export class WebhookEndpointsApi extends HttpApiGroup.make("webhookEndpoints")
  .add(
    HttpApiEndpoint.get("eventTypes", "/webhook-event-types", {
      params: clubPath,
      success: WholeList(WebhookEventType)
    })
      .annotate(AgentTool, { name: "webhook_event_types_list", fields: "type description", own: "type description" })
      .annotateMerge(described(
        "List the types of events that can be sent",
        "All of them on one page, the same for every club. New versions may add some; an endpoint gets only those that it lists"
      )).middleware(Conditional),
    HttpApiEndpoint.post("create", "/webhook-endpoints", {
      params: clubPath,
      payload: CreateEndpoint,
      success: Data(WebhookEndpointWithSecret).pipe(HttpApiSchema.status(201)),
      error: [
        UrlNotHttps,
        UrlNotPublic,
        InboxUnknown,
        EventTypeUnknown,
        FilterInvalid,
        HeaderNotAllowed,
        EndpointLimitReached
      ]
    }).annotateMerge(described(
      "Register a webhook endpoint",
      "From then on, events of its types are posted to it, signed with the `secret` of the answer, which is never shown again. A club has 20 endpoints at most. Nothing is sent to it now: use the test for that"
    )).middleware(Idempotent).middleware(NoStore),
    HttpApiEndpoint.get("list", "/webhook-endpoints", {
      params: clubPath,
      query: PageQuery,
      success: Page(WebhookEndpoint),
      error: InvalidCursor
    }).annotate(AgentTool, { name: "webhook_endpoints_list", fields: shown.webhookEndpoint, own: "event_types" })
      .annotateMerge(described("List the webhook endpoints", "Oldest first, without their secrets")),
    HttpApiEndpoint.get("get", one, { params: endpoint, success: Data(WebhookEndpoint), error: NotFound }).annotate(
      AgentTool,
      { name: "webhook_endpoints_show", fields: shown.webhookEndpoint, own: "event_types" }
    ).annotateMerge(described("Read a webhook endpoint", "Without its secret, which nothing shows again")),
    HttpApiEndpoint.patch("update", one, {
      params: endpoint,
      payload: PatchEndpoint,
      success: Data(WebhookEndpoint),
      error: [
        UrlNotHttps,
        UrlNotPublic,
        InboxUnknown,
        EventTypeUnknown,
        FilterInvalid,
        HeaderNotAllowed,
        InvalidTransition,
        ListenerPolls,
        ListenerHasNoUrl,
        NothingToDrain,
        NotFound
      ]
    }).annotateMerge(described(
      "Change, pause, disable or enable a webhook endpoint",
      "Omitted fields keep their values; either every change applies or no change does. Pausing keeps new events waiting. Disabling cancels what waits, and from then on nothing is kept for the endpoint. Enabling sends what waits and forgets earlier failures. A disabled endpoint cannot be paused"
    )),
    HttpApiEndpoint.delete("remove", one, {
      params: endpoint,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotate(AgentTool, { name: "webhook_endpoints_remove", fields: "" }).annotateMerge(described(
      "Delete a webhook endpoint",
      "Cancels what waits for it and erases its secrets. Deliveries stay readable by their event, for 90 days"
    )),
    HttpApiEndpoint.post("rotateSecret", `${one}/rotate-secret`, {
      params: endpoint,
      success: Data(WebhookEndpointWithSecret),
      error: [NotFound, RotationLimitReached, TemporarilyUnavailable]
    }).annotateMerge(described(
      "Replace the signing secret of a webhook endpoint and its key",
      "The new secret is in the answer and never shown again. A replaced secret goes on signing beside it, with its key, for 24 hours of its own. At most five do: a sixth rotation within 24 hours is 409 `rotation_limit_reached`"
    )).middleware(Idempotent).middleware(NoStore),
    HttpApiEndpoint.get("stats", `${one}/stats`, {
      params: endpoint,
      query: {
        window: StatsWindow.pipe(
          Schema.withDecodingDefaultKey(Effect.succeed("24h" as const)),
          field("How far back to count: a day, or seven. A day unless said otherwise")
        )
      },
      success: Data(WebhookStats),
      error: NotFound
    }).annotate(AgentTool, {
      name: "webhook_endpoints_stats",
      fields: "window capped succeeded failed canceled pending p50_ms p95_ms"
    }).annotateMerge(described(
      "Count the latest webhook deliveries by result",
      "Counts the deliveries created in the window. If there are more than 100,000, capped is true and the newest of them count"
    )),
    HttpApiEndpoint.get("series", `${one}/series`, {
      params: endpoint,
      query: { window: Window },
      success: Data(WebhookSeries),
      error: NotFound
    }).annotateMerge(described(
      "Count the attempts of a webhook endpoint by hour or day",
      "Counted as each attempt ends, also those of persons and tests. Kept for 90 days; removing a student changes nothing"
    )),
    HttpApiEndpoint.get("seriesOfAll", "/webhook-endpoints/series", {
      params: clubPath,
      query: { window: Window },
      success: WholeList(EndpointSeries)
    }).annotateMerge(described(
      "Count the attempts of every webhook endpoint by hour or day",
      "As of one endpoint, in short, for all at once; oldest endpoint first"
    )),
    HttpApiEndpoint.get("diagnose", `${one}/diagnosis`, {
      params: endpoint,
      success: Data(WebhookDiagnosis),
      error: NotFound
    }).annotate(AgentTool, {
      name: "webhook_endpoints_diagnose",
      fields:
        "status disabled_reason held hold_until consecutive_failures queue_depth queue_depth_capped oldest_pending_at next_attempt_at failing_since projected_disable_at summary last_failure.cause last_failure.status_code last_failure.at last_failure.sentence last_failure.next_step advice.about advice.sentence",
      own: "summary last_failure.sentence last_failure.next_step advice.sentence"
    }).annotateMerge(described(
      "Say why a webhook endpoint is or is not delivering",
      "Its status, the waiting deliveries and their age, whether it is held after failures, and when it would be disabled"
    )),
    HttpApiEndpoint.get("diagnoseAll", "/webhook-endpoints/diagnoses", {
      params: clubPath,
      success: WholeList(EndpointDiagnosis)
    }).annotateMerge(described(
      "Say of every webhook endpoint why it is or is not delivering",
      "The diagnosis of each, oldest endpoint first; of each queue 1,000 deliveries are counted at most"
    ))
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .annotateEndpoints(AllowedRoles, administration)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "webhooks")
  .annotate(GroupAudience, "webhooks")
  .annotate(OpenApi.Title, "Webhook endpoints")
  .annotate(OpenApi.Description, "Where a club has its events sent, and which ones")
{}

const following =
  "Server-Sent Events. First, a `delivery` comes for each of the first page, oldest first, then `listed` {at}. After that, a `delivery` comes within about a second for each that is new or has changed. It also comes for one that no longer passes the filter, until newer ones push it off the page. It lasts 5 minutes at most, and ends with the session or its right; a comment comes every 15 seconds. A club has 20 at a time, a session or key 5; more if several processes run"

/** The webhook deliveries of a club's endpoints (contract, Delivery, and Delivery behavior 7 and 8). */
export class WebhookDeliveriesApi extends HttpApiGroup.make("webhookDeliveries")
  .add(
    HttpApiEndpoint.post("test", `${one}/test`, {
      params: endpoint,
      success: accepted,
      error: [EndpointNotEnabled, NotFound]
    }).annotate(AgentTool, {
      name: "webhook_endpoints_test",
      fields: shown.webhookEndpoint2,
      own: "event_type",
      reachesOthers: true
    }).annotateMerge(described(
      "Send a test to a webhook endpoint",
      "Makes a `webhook.test` event for this endpoint alone, regardless of its types, and sends it at once, also while the endpoint is held after failures. It is tried again like any other. The answer does not wait for it: read the delivery for the result. The endpoint must be enabled"
    )).middleware(Idempotent),
    HttpApiEndpoint.get("list", `${one}/deliveries`, {
      params: endpoint,
      query: { ...PageQuery, ...DeliveryFilter },
      success: Page(WebhookDelivery),
      error: [InvalidCursor, NotFound]
    }).annotate(AgentTool, { name: "webhook_deliveries_list", fields: shown.webhookEndpoint2, own: "event_type" })
      .annotateMerge(described(
        "List the deliveries to a webhook endpoint",
        "Newest first, of the last 90 days. A filtered page looks at 25,000 deliveries at most: it may be short, even empty, and still have a next_cursor to go on from"
      )),
    HttpApiEndpoint.get("listAll", "/webhook-deliveries", {
      params: clubPath,
      query: { ...PageQuery, ...ClubDeliveryFilter },
      success: Page(WebhookDelivery),
      error: InvalidCursor
    }).annotateMerge(described(
      "List the deliveries to all webhook endpoints",
      "As of one endpoint, newest first; those to endpoints that were deleted too. A filtered page looks at 15,000 deliveries at most, shared by all endpoints"
    )),
    HttpApiEndpoint.get("stream", `${one}/deliveries/stream`, {
      params: endpoint,
      query: FollowQuery,
      success: HttpApiSchema.StreamSse({ events: DeliveryEvent }),
      error: [NotFound, DeliveryStreamLimit]
    }).annotateMerge(described("Follow the deliveries to a webhook endpoint", following))
      .middleware(NoStore),
    HttpApiEndpoint.get("streamAll", "/webhook-deliveries/stream", {
      params: clubPath,
      query: ClubFollowQuery,
      success: HttpApiSchema.StreamSse({ events: DeliveryEvent }),
      error: DeliveryStreamLimit
    }).annotateMerge(described("Follow the deliveries to all webhook endpoints", "As of one endpoint"))
      .middleware(NoStore),
    HttpApiEndpoint.get("get", `${one}/deliveries/:deliveryId`, {
      params: delivery,
      success: Data(WebhookDeliveryDetail),
      error: NotFound
    }).annotate(AgentTool, {
      name: "webhook_deliveries_show",
      fields:
        "id endpoint_id event_id event_type status cancel_reason attempts_count last_attempt_at last_status_code last_error next_attempt_at student_id created_at finished_at payload_purged payload diagnosis.cause diagnosis.sentence diagnosis.next_step attempts.number attempts.trigger attempts.started_at attempts.duration_ms attempts.status_code attempts.error attempts.response_body attempts.retry_after_seconds",
      own: "event_type diagnosis.sentence diagnosis.next_step"
    }).annotateMerge(described(
      "Read a webhook delivery, its payload and its attempts",
      "The payload and the attempts of the last 30 days, 100 attempts at most; the delivery itself for 90 days"
    )),
    HttpApiEndpoint.post("resend", `${one}/deliveries/:deliveryId/resend`, {
      params: delivery,
      success: accepted,
      error: [EndpointNotEnabled, NotFound, PayloadPurged]
    }).annotate(AgentTool, {
      name: "webhook_deliveries_resend",
      fields: shown.webhookEndpoint2,
      own: "event_type",
      reachesOthers: true
    }).annotateMerge(described(
      "Send a webhook delivery again",
      "Brings the next attempt of a pending delivery forward. Of any other it asks for exactly one attempt more, whose outcome becomes its status; until then the status stays. The event keeps its id, so a receiver that has seen it may ignore it. The endpoint must be enabled and the payload still exist"
    )).middleware(Idempotent),
    HttpApiEndpoint.post("recover", `${one}/recover`, {
      params: endpoint,
      payload: Schema.Struct({
        since: RecoverSince.pipe(field("From when on deliveries are sent again, by when they were created"))
      }),
      success: Data(Recovered).pipe(HttpApiSchema.status(202)),
      error: [EndpointNotEnabled, NotFound, SinceInFuture, SinceTooOld]
    }).annotate(AgentTool, { name: "webhook_deliveries_recover", fields: "recovered", reachesOthers: true })
      .annotateMerge(described(
        "Send failed webhook deliveries again",
        "Every failed delivery since then gets exactly one more attempt, and so does every one that was canceled while the endpoint was disabled. `since` is a timestamp, or a date, which begins in the club's time zone; at most 30 days back. 30 days ago as the caller reckoned it up to 5 minutes earlier, and the date of 30 days ago, are within them"
      )),
    HttpApiEndpoint.get("previewRecovery", `${one}/recover`, {
      params: endpoint,
      query: {
        since: Schema.optionalKey(RecoverSince).pipe(field("From when on, as for recovering; 30 days back without it"))
      },
      success: Data(Recoverable),
      error: [EndpointNotEnabled, NotFound, SinceInFuture, SinceTooOld]
    }).annotateMerge(described(
      "Count what recovering would send again",
      "`total` is the answer that the same call by POST would give at this moment, unless `capped`. Refusals are the same. Nothing is changed"
    )),
    HttpApiEndpoint.get("event", "/webhook-events/:eventId", {
      params: { ...clubPath, eventId: sentId(EventId).pipe(field("The event: `webhook-id` of what was received")) },
      success: Data(WebhookEvent),
      error: NotFound
    }).annotate(AgentTool, {
      name: "webhook_events_show",
      fields:
        "id type student_id created_at payload_purged payload deliveries.id deliveries.endpoint_id deliveries.status deliveries.attempts_count deliveries.last_status_code deliveries.last_error deliveries.last_attempt_at",
      own: "type"
    }).annotateMerge(described(
      "Read an event and all of its webhook deliveries",
      "By the id that receivers get as `webhook-id`, for 90 days; the payload, and an event that no endpoint wanted, for 30"
    ))
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .annotateEndpoints(AllowedRoles, administration)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "webhooks")
  .annotate(GroupAudience, "webhooks")
  .annotate(OpenApi.Title, "Webhook deliveries")
  .annotate(OpenApi.Description, "Deliveries to a club's webhook endpoints, their results, and sending them again")
{}
