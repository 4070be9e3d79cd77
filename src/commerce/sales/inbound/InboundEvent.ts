import { Schema } from "effect"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { StudentId } from "../../../identity/ids/StudentId.ts"
import { personalData } from "../../../identity/people/PersonalData.ts"
import { ApiError } from "../../../platform/http/ApiError.ts"
import { Count } from "../../../platform/http/Count.ts"
import { field } from "../../../platform/http/Field.ts"
import { PageQuery } from "../../../platform/http/Page.ts"
import { sentId } from "../../../platform/http/Text.ts"
import { Timestamp } from "../../../platform/http/Timestamp.ts"
import { brandedId } from "../../../platform/schema/brandedId.ts"
import { Instant, InstantOrNull } from "../../../platform/schema/Instant.ts"
import { PlatformKey } from "../platform/Platform.ts"
import { InboundWebhookId } from "./InboundWebhook.ts"

/** UUIDv7, of the moment at which it was received. */
export const InboundEventId = brandedId("InboundEventId")
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

/** A product as a platform names it. */
const ToldProduct = Schema.Struct({
  external_id: Schema.String.pipe(field("The platform's id of the product", "788921")),
  name: Schema.NullOr(Schema.String)
    .pipe(field("The product's name on the platform; null where the platform did not tell it", "Flauta do zero"))
})

export const InboundEvent = Schema.Struct({
  id: InboundEventId.pipe(field("Names the event. Later ones have greater ids")),
  inbound_webhook_id: InboundWebhookId.pipe(field("The address at which it came in; it may be deleted by now")),
  platform: PlatformKey.pipe(field("The sales platform that sent it")),
  event_name: Schema.String
    .pipe(field("The platform's own name of the event; `unknown` if it has no name", "PURCHASE_APPROVED")),
  external_event_id: Schema.NullOr(Schema.String)
    .pipe(field("The platform's own id of the event; null if it has no id", "0f6e1c9e-3a1b-4d59-8d55-2f1f9b6a7e10")),
  product: Schema.NullOr(ToldProduct).pipe(field("The first product of the event; null if it names no product")),
  outcome: Schema.NullOr(Outcome).pipe(field(
    "What came of it. `unmapped`: no product mapping applies, or its purchase is not known yet. Null while it waits",
    "processed"
  )),
  detail: Schema.NullOr(Schema.String).pipe(field(
    "The error, in English, never with a value of the body; null without an error",
    null
  )),
  student_id: Schema.NullOr(StudentId).pipe(field("The student that it is about; null if unknown")),
  received_at: Instant.pipe(field("When it came in")),
  finished_at: InstantOrNull.pipe(field("When its processing ended; null while it waits")),
  failures: Count.pipe(field("How often processing has failed and was tried again, 20 times at most", 0)),
  raw_available: Schema.Boolean
    .pipe(field("True while its body is kept, at most 30 days. Only then can it be processed again"))
}).annotate({
  identifier: "InboundEvent",
  description: "A request from a sales platform, and its outcome"
})
export type InboundEvent = typeof InboundEvent.Type

export const InboundEventDetail = Schema.Struct({
  ...InboundEvent.fields,
  body: Schema.Json.annotate(personalData).pipe(field(
    "The JSON that came, without the platform's secret, and for keys with tax documents masked. Null once it is deleted, and where it has more than 20,000 marks, 100 levels, or a number too large to write",
    { event: "PURCHASE_APPROVED", data: { product: { id: 788_921, name: "Flauta do zero" } } }
  ))
}).annotate({ identifier: "InboundEventDetail", description: "A sales platform's event, with its body" })
export type InboundEventDetail = typeof InboundEventDetail.Type

/** Which events are listed: those with this outcome, or those that wait for theirs. */
export const EventFilter = Schema.Literals([...Outcome.literals, "pending"])
export type EventFilter = typeof EventFilter.Type

/** Which of the events of all addresses are listed. */
export const ClubEventFilter = {
  outcome: Schema.optionalKey(EventFilter)
    .pipe(field("Only events with this outcome; `pending` are those that wait for theirs")),
  platform: Schema.optionalKey(PlatformKey).pipe(field("Only events of this sales platform")),
  inbound_webhook_id: Schema.optionalKey(sentId(InboundWebhookId))
    .pipe(field("Only events that came in at this address; no events if the club has no such address")),
  since: Schema.optionalKey(Timestamp).pipe(field("Only events received at this moment or later")),
  until: Schema.optionalKey(Timestamp).pipe(field("Only events received before this moment"))
}

const ClubEventQuery = Schema.Struct({ ...PageQuery, ...ClubEventFilter })
/** A filter and the page of events that pass it. */
export type ClubEventQuery = typeof ClubEventQuery.Type

/** The answer to the platform. */
export const Receipt = Schema.Struct({
  status: Schema.Literals(["accepted", "duplicate", "ignored"])
    .pipe(field("`accepted`: it is stored and will be processed. `duplicate`: the same bytes came before. `ignored`: nothing follows from it"))
})
export type Receipt = typeof Receipt.Type

/** It waits in the queue, or is processed. */
export class EventNotReprocessable extends ApiError<EventNotReprocessable>()("EventNotReprocessable", {
  status: 409,
  code: "event_not_reprocessable",
  message: {
    en: "Only an event that is unmapped, failed or ignored can be processed again",
    "pt-BR": "Só dá para processar de novo um evento sem mapeamento, com falha ou ignorado."
  }
}) {}

/** The request was not signed with the secret of this address, or there is no secret to sign with. */
export class InvalidSignature extends ApiError<InvalidSignature>()("InvalidSignature", {
  status: 401,
  code: "invalid_signature",
  message: {
    en: "The request is not signed with the secret of this address: enter the platform's secret here again",
    "pt-BR": "A requisição não foi assinada com o segredo deste endereço: informe de novo o segredo da plataforma."
  }
}) {}
