import { Schema } from "effect"
import { ApiError } from "../../../platform/http/ApiError.ts"
import { field } from "../../../platform/http/Field.ts"
import { PageQuery } from "../../../platform/http/Page.ts"
import { sentEvent } from "../../../platform/http/ServerSentEvents.ts"
import { Instant } from "../../../platform/schema/Instant.ts"
import { ClubDeliveryFilter, DeliveryFilter, WebhookDelivery } from "../delivery/Delivery.ts"

const id = Schema.optionalKey(Schema.String)
  .pipe(field("When the first page was read; a stream that begins anew tells that page again", "1795255200000"))

const exampleDelivery = {
  id: "0198a0c4-5b1e-7d62-8f3a-2c9e4b7d1a04",
  endpoint_id: "0198a0c4-5b1e-7d62-8f3a-2c9e4b7d1a05",
  event_id: "0198a0c4-5b1e-7d62-8f3a-2c9e4b7d1a06",
  event_type: "student.created",
  status: "succeeded",
  cancel_reason: null,
  payload_purged: false,
  attempts_count: 1,
  next_attempt_at: null,
  last_attempt_at: "2026-08-14T12:00:02.000Z",
  last_status_code: 200,
  last_error: null,
  student_id: null,
  created_at: "2026-08-14T12:00:00.000Z",
  finished_at: "2026-08-14T12:00:02.000Z"
}

/** An event of a stream of deliveries. */
export const DeliveryEvent = Schema.Union([
  sentEvent("listed", {
    id,
    event: "The first page was sent; changes follow",
    data: "JSON of when it was read",
    example: "{\"at\":\"2026-08-14T12:00:03.000Z\"}"
  }, Schema.Struct({ at: Instant.pipe(field("When it was read")) })),
  sentEvent("delivery", {
    id,
    event: "A delivery is new, or has changed",
    data: "JSON of the WebhookDelivery",
    example: JSON.stringify(exampleDelivery)
  }, Schema.Struct(WebhookDelivery.fields))
]).annotate({ identifier: "WebhookDeliveryEvent", description: "An event of a stream of deliveries" })
export type DeliveryEvent = typeof DeliveryEvent.Type

/** The deliveries of an endpoint to follow, and how many at a time. */
export const FollowQuery = { limit: PageQuery.limit, ...DeliveryFilter }

/** The same of all endpoints. */
export const ClubFollowQuery = { limit: PageQuery.limit, ...ClubDeliveryFilter }

const Followed = Schema.Struct(ClubFollowQuery)
/** The page that a stream follows: a page without a cursor. */
export type Followed = typeof Followed.Type

/** The club, or one of its sessions or keys, has its most streams open. */
export class DeliveryStreamLimit extends ApiError<DeliveryStreamLimit>()("DeliveryStreamLimit", {
  status: 429,
  code: "delivery_stream_limit_reached",
  message: {
    en:
      "The club, or this session or key, follows as many lists as it may: end one, or try again after Retry-After seconds",
    "pt-BR": "O clube, a sessão ou a chave já acompanha o máximo de listas: feche uma."
  }
}) {}
