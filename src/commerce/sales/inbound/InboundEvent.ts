import { Schema } from "effect"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { StudentId } from "../../../identity/ids/StudentId.ts"
import { ApiError } from "../../../platform/http/ApiError.ts"
import { PlatformKey } from "../platform/Platform.ts"
import { InboundWebhookId } from "./InboundWebhook.ts"

/** UUIDv7, of the moment at which it was received. */
export const InboundEventId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("InboundEventId"))
export type InboundEventId = typeof InboundEventId.Type

/** Identifies an event among those of all clubs. */
export interface EventKey {
  readonly club_id: ClubId
  readonly id: InboundEventId
}

/** Binds a sealed request to its event. */
export const bindingOfRaw = (id: InboundEventId): string => `inbound_events:${id}:raw`

/** The result of processing an event. */
export const Outcome = Schema.Literals(["processed", "ignored", "duplicate", "unmapped", "failed"])
export type Outcome = typeof Outcome.Type

const Moment = Schema.NullOr(Schema.DateTimeUtcFromDate)

/**
 * One accepted request of a platform. `outcome` null: it waits to be processed. `detail` names what is wrong, never a
 * value. `raw_available`: its body is still there, so it can be processed again.
 */
export const InboundEvent = Schema.Struct({
  id: InboundEventId,
  inbound_webhook_id: InboundWebhookId,
  platform: PlatformKey,
  event_name: Schema.String,
  external_event_id: Schema.NullOr(Schema.String),
  outcome: Schema.NullOr(Outcome),
  detail: Schema.NullOr(Schema.String),
  student_id: Schema.NullOr(StudentId),
  received_at: Schema.DateTimeUtcFromDate,
  finished_at: Moment,
  failures: Schema.Int,
  raw_available: Schema.Boolean
}).annotate({ identifier: "InboundEvent" })
export type InboundEvent = typeof InboundEvent.Type

/**
 * `body` is the JSON that came, but for the platform's secret where that is in it; null once it is deleted, or where it has
 * more than 20,000 marks of structure or 100 levels, or a number that is too large for JSON to be written again.
 */
export const InboundEventDetail = Schema.Struct({
  ...InboundEvent.fields,
  body: Schema.Json
}).annotate({ identifier: "InboundEventDetail" })
export type InboundEventDetail = typeof InboundEventDetail.Type

/** Which events are listed: those with this outcome, or those that wait for theirs. */
export const EventFilter = Schema.Literals([...Outcome.literals, "pending"])
export type EventFilter = typeof EventFilter.Type

/** The answer to the platform. `duplicate`: the same bytes came before. `ignored`: nothing follows from it. */
export const Receipt = Schema.Struct({ status: Schema.Literals(["accepted", "duplicate", "ignored"]) })
export type Receipt = typeof Receipt.Type

/** It waits in the queue, or is processed. */
export class EventNotReprocessable extends ApiError<EventNotReprocessable>()("EventNotReprocessable", {
  status: 409,
  code: "event_not_reprocessable",
  message: "Only an event that is unmapped, failed or ignored can be processed again"
}) {}

/** The request was not signed with the secret of this address, or there is no secret to sign with. */
export class InvalidSignature extends ApiError<InvalidSignature>()("InvalidSignature", {
  status: 401,
  code: "invalid_signature",
  message: "The request is not signed with the secret of this address: enter the platform's secret here again"
}) {}
