import { Schema } from "effect"
import { EventId, EventType } from "../../../events/EventType.ts"
import { exampleEvent } from "../../../events/ExampleEvent.ts"
import { StudentId } from "../../../identity/ids/StudentId.ts"
import { personalData } from "../../../identity/people/PersonalData.ts"
import { ApiError } from "../../../platform/http/ApiError.ts"
import { Count } from "../../../platform/http/Count.ts"
import { field } from "../../../platform/http/Field.ts"
import { PageQuery } from "../../../platform/http/Page.ts"
import { sentId } from "../../../platform/http/Text.ts"
import { Timestamp } from "../../../platform/http/Timestamp.ts"
import { Instant, InstantOrNull } from "../../../platform/schema/Instant.ts"
import { WebhookCause } from "../../endpoint/causes/Cause.ts"
import { AttemptError } from "../../model/AttemptError.ts"
import { AttemptPhases } from "../../model/AttemptPhases.ts"
import { CancelReason, DeliveryStatus, Trigger } from "../../model/DeliveryStatus.ts"
import { EndpointId } from "../../model/EndpointId.ts"
import { AttemptId, WebhookDeliveryId } from "../../model/WebhookDeliveryId.ts"

const EventTypeName = EventType.pipe(field("Which kind of fact it tells"))
const AboutStudent = Schema.NullOr(StudentId).pipe(field("The student that the event is about; null: no student"))
const PayloadPurgedFlag = Schema.Boolean
  .pipe(field("True once the body was erased: 30 days after the event, or when its student was removed", false))

/** An event on its way to one endpoint (http-surface, Outgoing webhooks). */
export const WebhookDelivery = Schema.Struct({
  id: WebhookDeliveryId.pipe(field("Names the delivery. Later ones have greater ids")),
  endpoint_id: EndpointId.pipe(field("Where the event is sent; the endpoint may be deleted by now")),
  event_id: EventId.pipe(field("The event: `webhook-id` of every attempt and `id` in the body")),
  event_type: EventTypeName,
  status: DeliveryStatus.pipe(field(
    "Its state: `pending` until an attempt is accepted, the last one fails (the 8th, or the one of a recovery), or it is canceled",
    "succeeded"
  )),
  cancel_reason: Schema.NullOr(CancelReason).pipe(field(
    "Why it was canceled: it waited for 30 days, its student was removed, or its endpoint was disabled or deleted; null unless it is canceled",
    null
  )),
  payload_purged: PayloadPurgedFlag,
  attempts_count: Count.pipe(field("How often it was sent so far, resends too", 1)),
  next_attempt_at: InstantOrNull
    .pipe(field("When the next attempt is due, also one that a person asked for; null if no attempt follows", null)),
  last_attempt_at: InstantOrNull.pipe(field("When the latest attempt began; null before the first one")),
  last_status_code: Schema.NullOr(Count)
    .pipe(field(
      "The HTTP status of the latest attempt's answer; null before the first attempt or without an answer",
      200
    )),
  last_error: Schema.NullOr(AttemptError)
    .pipe(field("Why the latest attempt failed; null before the first one or where it was accepted", null)),
  student_id: AboutStudent,
  created_at: Instant.pipe(field("When the body was assembled and the delivery made, some seconds after the event")),
  finished_at: InstantOrNull.pipe(field("When it succeeded, failed for good or was canceled; null while it is pending"))
}).annotate({ identifier: "WebhookDelivery", description: "An event on its way to one endpoint. Kept for 90 days" })
export type WebhookDelivery = typeof WebhookDelivery.Type

const WebhookRequestHeaders = Schema.Struct({
  "content-type": Schema.String.pipe(field("That the body is JSON", "application/json")),
  "user-agent": Schema.String.pipe(field("Who sends", "Turma-webhooks/1")),
  "webhook-id": EventId.pipe(field("The event")),
  "webhook-timestamp": Schema.String.pipe(field("When it was signed, in Unix seconds", "1775035803")),
  "webhook-signature": Schema.String.pipe(field(
    "A signature for each secret and key that signed, newest first",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="
  ))
}).annotate({
  identifier: "WebhookRequestHeaders",
  description: "The headers of an attempt as they were sent, except the endpoint's own"
})

export const WebhookAttempt = Schema.Struct({
  id: AttemptId.pipe(field("Names the attempt. Later ones have greater ids")),
  delivery_id: WebhookDeliveryId.pipe(field("The delivery that was sent")),
  number: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))
    .pipe(field("Which attempt of its delivery it is, the first being 1", 1)),
  trigger: Trigger
    .pipe(field("Its origin: the retry schedule, or a person by resending (`manual`), the test button or recovering")),
  started_at: Instant.pipe(field("When it began")),
  duration_ms: Count.pipe(field("How long it took, in milliseconds", 184)),
  status_code: Schema.NullOr(Count).pipe(field("The HTTP status of the answer; null if no answer came", 200)),
  error: Schema.NullOr(AttemptError).pipe(field(
    "Why it failed: `http_status` is an answer other than 2xx, `redirect` one of 3xx; null where it was accepted",
    null
  )),
  response_body: Schema.NullOr(Schema.String)
    .pipe(field("The start of the answer, 2 KB at most; null if no answer came", "ok")),
  retry_after_seconds: Schema.NullOr(Count)
    .pipe(field("For how long the answer asked to wait, in seconds; null where it did not", null)),
  phases: Schema.NullOr(AttemptPhases)
    .pipe(field("Where the time went; null where that is not known, as of what a listener received")),
  connection_reused: Schema.NullOr(Schema.Boolean).pipe(field(
    "True if it was sent on the connection of an earlier attempt; null if it was not sent or that is not known",
    false
  )),
  peer_address: Schema.NullOr(Schema.String)
    .pipe(field("The address that it connected to; null if it never connected, or if unknown", "203.0.113.7")),
  tls_version: Schema.NullOr(Schema.String)
    .pipe(field("The version of TLS; null where the connection was not secured or that is not known", "TLSv1.3")),
  certificate_ends_at: InstantOrNull
    .pipe(field("When the receiver's certificate ends; null without a certificate, or if unknown")),
  request_headers: Schema.NullOr(WebhookRequestHeaders)
    .pipe(field("Its headers as signed; null where it was not sent, a listener received it, or its student was removed")),
  body_sha256: Schema.NullOr(Schema.String).pipe(field(
    "SHA-256 of the signed body, in hexadecimal; null if `request_headers` are, or once the body was erased",
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
  ))
}).annotate({ identifier: "WebhookAttempt", description: "One POST and what came of it. Kept for 30 days" })
export type WebhookAttempt = typeof WebhookAttempt.Type

const Payload = Schema.Json.annotate(personalData).pipe(field(
  "The body as it is sent, with its envelope; null once it was erased",
  exampleEvent
))

export const WebhookDeliveryDetail = Schema.Struct({
  ...WebhookDelivery.fields,
  payload: Payload,
  diagnosis: Schema.NullOr(WebhookCause)
    .pipe(field("Why it is not delivered, and what to do; null where it was accepted", null)),
  attempts: Schema.Array(WebhookAttempt).pipe(field("The latest attempts, 100 at most, oldest first"))
}).annotate({
  identifier: "WebhookDeliveryDetail",
  description: "A delivery with the body that is sent and what came of its attempts"
})
export type WebhookDeliveryDetail = typeof WebhookDeliveryDetail.Type

export const WebhookEvent = Schema.Struct({
  id: EventId.pipe(field("Names the event: `webhook-id` of every attempt and `id` in the body")),
  type: EventTypeName,
  student_id: AboutStudent,
  created_at: Instant.pipe(field("When its body was assembled, some seconds after it happened")),
  payload_purged: PayloadPurgedFlag,
  payload: Payload,
  deliveries: Schema.Array(WebhookDelivery)
    .pipe(field("Its deliveries to every endpoint that wanted it, deleted ones too, oldest first")),
  diagnoses: Schema.Array(Schema.Struct({
    delivery_id: WebhookDeliveryId.pipe(field("One of the deliveries")),
    diagnosis: WebhookCause.pipe(field("Why it is not delivered"))
  })).pipe(field("Why each of the deliveries that was not accepted was not", []))
}).annotate({ identifier: "WebhookEvent", description: "An event as it is sent, and where it was sent" })
export type WebhookEvent = typeof WebhookEvent.Type

/** The deliveries to list. */
export const DeliveryFilter = {
  status: Schema.optionalKey(DeliveryStatus).pipe(field("Only deliveries with this status")),
  event_type: Schema.optionalKey(EventType).pipe(field("Only deliveries of events of this type")),
  since: Schema.optionalKey(Timestamp).pipe(field("Only deliveries created at this moment or later")),
  until: Schema.optionalKey(Timestamp).pipe(field("Only deliveries created before this moment")),
  student_id: Schema.optionalKey(sentId(StudentId)).pipe(field("Only deliveries of events about this student")),
  event_id: Schema.optionalKey(sentId(EventId)).pipe(field("Only deliveries of this event"))
}

const DeliveryQuery = Schema.Struct({ ...PageQuery, ...DeliveryFilter })
/** A filter and the page of what passes it. */
export type DeliveryQuery = typeof DeliveryQuery.Type

/** The deliveries of a club to list. */
export const ClubDeliveryFilter = {
  endpoint_id: Schema.optionalKey(sentId(EndpointId))
    .pipe(field("Only deliveries to this endpoint, which may be deleted by now")),
  ...DeliveryFilter
}

const ClubDeliveryQuery = Schema.Struct({ ...PageQuery, ...ClubDeliveryFilter })
/** The same of all endpoints. */
export type ClubDeliveryQuery = typeof ClubDeliveryQuery.Type

export const Recovered = Schema.Struct({
  recovered: Count.pipe(field("How many deliveries are pending again", 12))
})

export const Recoverable = Schema.Struct({
  total: Count.pipe(field("How many deliveries would be sent again", 12)),
  failed: Count.pipe(field("How many of those failed", 9)),
  endpoint_disabled: Count.pipe(field("How many of those were canceled while the endpoint was disabled", 3)),
  left_out: Schema.Struct({
    student_removed: Count.pipe(field("Canceled because their student was removed", 1)),
    expired: Count.pipe(field("Canceled because they waited for 30 days", 0)),
    payload_purged: Count.pipe(field("Failed, or canceled by disabling, and without a body by now", 0))
  }).pipe(field("How many others failed or were canceled since then, and stay as they are")),
  oldest_created_at: InstantOrNull.pipe(field("When the first of those to be sent was created; null without any")),
  newest_created_at: InstantOrNull.pipe(field("When the last of those to be sent was created; null without any")),
  capped: Schema.Boolean
    .pipe(field(
      "True if counting stopped after the oldest 100,000. A recovery also sends later ones",
      false
    ))
}).annotate({
  identifier: "WebhookRecoverable",
  description: "The deliveries that recovering would send again, and those that it would not"
})
export type Recoverable = typeof Recoverable.Type

/** How far back `WebhookStats` look. */
export const StatsWindow = Schema.Literals(["24h", "7d"])
export type StatsWindow = typeof StatsWindow.Type

export const WebhookCounts = Schema.Struct({
  capped: Schema.Boolean.pipe(field("True if there are more than 100,000; then the newest are counted", false)),
  succeeded: Count.pipe(field("How many were accepted", 1840)),
  failed: Count.pipe(field("How many failed their last attempt", 2)),
  canceled: Count.pipe(field("How many were canceled before they were accepted", 0)),
  pending: Count.pipe(field("How many have an attempt to come", 5)),
  p50_ms: Schema.NullOr(Count)
    .pipe(field(
      "How long the faster half of the latest attempts took at most, in milliseconds; null without attempts",
      120
    )),
  p95_ms: Schema.NullOr(Count).pipe(field(
    "How long the fastest 95 of 100 of the latest attempts took at most, in milliseconds; null without attempts",
    480
  ))
})

export const WebhookStats = Schema.Struct({
  window: StatsWindow.pipe(field("How far back was counted, from now")),
  ...WebhookCounts.fields
}).annotate({
  identifier: "WebhookStats",
  description: "The results of the deliveries that were created in a window, and how fast the receiver answers"
})
export type WebhookStats = typeof WebhookStats.Type

/** There is nothing left to send. */
export class PayloadPurged extends ApiError<PayloadPurged>()("PayloadPurged", {
  status: 409,
  code: "payload_purged",
  message: {
    en: "The body of this delivery no longer exists",
    "pt-BR": "O conteúdo deste envio não existe mais."
  }
}) {}

/** Contract, Delivery behavior 8: at most 30 days back. */
export class SinceTooOld extends ApiError<SinceTooOld>()("SinceTooOld", {
  status: 422,
  code: "since_too_old",
  message: {
    en: "since must be a time of the last 30 days",
    "pt-BR": "O período pode começar há 30 dias, no máximo."
  }
}) {}

/** Nothing has been created since. */
export class SinceInFuture extends ApiError<SinceInFuture>()("SinceInFuture", {
  status: 422,
  code: "since_in_future",
  message: {
    en: "since must be a time in the past",
    "pt-BR": "O começo do período precisa estar no passado."
  }
}) {}
