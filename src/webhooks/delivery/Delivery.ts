import { Schema } from "effect"
import { EventId, EventType } from "../../events/EventType.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import { PageQuery } from "../../platform/http/Page.ts"
import { sentId } from "../../platform/http/Text.ts"
import { Timestamp } from "../../platform/http/Timestamp.ts"
import { AttemptError } from "../model/AttemptError.ts"
import { CancelReason, DeliveryStatus, Trigger } from "../model/DeliveryStatus.ts"
import { EndpointId } from "../model/EndpointId.ts"
import { AttemptId, WebhookDeliveryId } from "../model/WebhookDeliveryId.ts"

const Instant = Schema.DateTimeUtcFromDate
const Moment = Schema.NullOr(Instant)

/**
 * An event on its way to one endpoint (http-surface, Outgoing webhooks). `next_attempt_at` is null unless another
 * attempt follows; the `last_` fields are of the latest attempt. `payload_purged`: the body is erased or past its age.
 */
export const WebhookDelivery = Schema.Struct({
  id: WebhookDeliveryId,
  endpoint_id: EndpointId,
  event_id: EventId,
  event_type: EventType,
  status: DeliveryStatus,
  cancel_reason: Schema.NullOr(CancelReason),
  payload_purged: Schema.Boolean,
  attempts_count: Schema.Int,
  next_attempt_at: Moment,
  last_attempt_at: Moment,
  last_status_code: Schema.NullOr(Schema.Int),
  last_error: Schema.NullOr(AttemptError),
  student_id: Schema.NullOr(StudentId),
  created_at: Instant,
  finished_at: Moment
}).annotate({ identifier: "WebhookDelivery" })
export type WebhookDelivery = typeof WebhookDelivery.Type

/** One POST and what came of it. `response_body` is the start of the answer, at most 2 KB. */
export const WebhookAttempt = Schema.Struct({
  id: AttemptId,
  delivery_id: WebhookDeliveryId,
  number: Schema.Int,
  trigger: Trigger,
  started_at: Instant,
  duration_ms: Schema.Int,
  status_code: Schema.NullOr(Schema.Int),
  error: Schema.NullOr(AttemptError),
  response_body: Schema.NullOr(Schema.String),
  retry_after_seconds: Schema.NullOr(Schema.Int)
}).annotate({ identifier: "WebhookAttempt" })
export type WebhookAttempt = typeof WebhookAttempt.Type

/** What is sent, parsed; null once it is purged. */
const Payload = Schema.NullOr(Schema.Json)

/** With its payload and its latest attempts, at most 100, oldest first. */
export const WebhookDeliveryDetail = Schema.Struct({
  ...WebhookDelivery.fields,
  payload: Payload,
  attempts: Schema.Array(WebhookAttempt)
}).annotate({ identifier: "WebhookDeliveryDetail" })
export type WebhookDeliveryDetail = typeof WebhookDeliveryDetail.Type

/** An event with its payload and its deliveries to all endpoints, deleted ones too, oldest first. */
export const WebhookEvent = Schema.Struct({
  id: EventId,
  type: EventType,
  student_id: Schema.NullOr(StudentId),
  created_at: Instant,
  payload_purged: Schema.Boolean,
  payload: Payload,
  deliveries: Schema.Array(WebhookDelivery)
}).annotate({ identifier: "WebhookEvent" })
export type WebhookEvent = typeof WebhookEvent.Type

/** Which deliveries to list: those created from `since` on and before `until`. */
export const DeliveryFilter = {
  status: Schema.optionalKey(DeliveryStatus),
  event_type: Schema.optionalKey(EventType),
  since: Schema.optionalKey(Timestamp),
  until: Schema.optionalKey(Timestamp),
  student_id: Schema.optionalKey(sentId(StudentId))
}

const DeliveryQuery = Schema.Struct({ ...PageQuery, ...DeliveryFilter })
/** A filter and the page of what passes it. */
export type DeliveryQuery = typeof DeliveryQuery.Type

/** How many deliveries are pending again. */
export const Recovered = Schema.Struct({ recovered: Schema.Int })

/** How far back `WebhookStats` look. */
export const StatsWindow = Schema.Literals(["24h", "7d"])
export type StatsWindow = typeof StatsWindow.Type

/**
 * Deliveries by status, and how long their latest attempts took, in milliseconds; null where there was none. `capped`:
 * there are more, and the newest 100 000 are counted.
 */
export const WebhookCounts = Schema.Struct({
  capped: Schema.Boolean,
  succeeded: Schema.Int,
  failed: Schema.Int,
  canceled: Schema.Int,
  pending: Schema.Int,
  p50_ms: Schema.NullOr(Schema.Int),
  p95_ms: Schema.NullOr(Schema.Int)
})

/** The counts of the deliveries created in the window. */
export const WebhookStats = Schema.Struct({ window: StatsWindow, ...WebhookCounts.fields }).annotate({
  identifier: "WebhookStats"
})
export type WebhookStats = typeof WebhookStats.Type

/** There is nothing left to send. */
export class PayloadPurged extends ApiError<PayloadPurged>()("PayloadPurged", {
  status: 409,
  code: "payload_purged",
  message: "The body of this delivery no longer exists"
}) {}

/** Contract, Delivery behavior 8: at most 30 days back. */
export class SinceTooOld extends ApiError<SinceTooOld>()("SinceTooOld", {
  status: 422,
  code: "since_too_old",
  message: "since must be a time of the last 30 days"
}) {}

/** Nothing has been created since. */
export class SinceInFuture extends ApiError<SinceInFuture>()("SinceInFuture", {
  status: 422,
  code: "since_in_future",
  message: "since must be a time in the past"
}) {}
