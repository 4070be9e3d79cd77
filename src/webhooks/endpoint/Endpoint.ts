import { Schema } from "effect"
import { EventType } from "../../events/EventType.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import { Count } from "../../platform/http/Count.ts"
import { field } from "../../platform/http/Field.ts"
import { sentId, text } from "../../platform/http/Text.ts"
import { Instant } from "../../platform/schema/Instant.ts"
import { InstantOrNull } from "../../platform/schema/Instant.ts"
import { EndpointId } from "../model/EndpointId.ts"
import { EndpointStatus } from "../model/EndpointStatus.ts"
import { InboxId } from "../model/InboxId.ts"
import { Signing } from "../model/Signing.ts"
import { longestUrl } from "../send/AddressRules.ts"
import { askedHeaders, shownHeaders } from "../send/OwnHeaders.ts"
import { EventTypeNames } from "./EventTypeNames.ts"
import { askedFilter, filterExample, shownFilter } from "./filter/StoredFilter.ts"
import { askedDrainRate, askedLimits, trafficLimits } from "./TrafficLimits.ts"

/** Why an endpoint is disabled: it accepted nothing for days, or a person did it. */
const DisabledReason = Schema.Literals(["failing", "manual"])

/** How an endpoint receives: it has an address, it asks for what waits, or it is an inbox of ours. */
const EndpointKind = Schema.Literals(["https", "inbox", "listener"])

/** The service judges URLs: it has codes of its own for them, and for their length. */
const Url = Schema.String.annotate({ format: "uri" })
  .check(Schema.makeFilter(() => true, { toJsonSchema: () => ({ maxLength: longestUrl }) }))
// Its name resolves, so an example that a reader pastes from the reference works.
const urlExample = "https://example.com/turma"

/** An endpoint as administrators see it (http-surface, Outgoing webhooks). */
export const WebhookEndpoint = Schema.Struct({
  id: EndpointId.pipe(field("Names the endpoint. Later ones have greater ids")),
  kind: EndpointKind
    .pipe(field("`https`: events are posted to its URL. `inbox`: they are handed to an inbox of the club. `listener`: it has no address, and its client polls for them")),
  url: Url.pipe(field(
    "The address that events are posted to, in the form that URL parsers give it. A listener has `listener:` and its id, an inbox `inbox:` and its own",
    urlExample
  )),
  inbox_id: Schema.NullOr(InboxId)
    .pipe(field("The inbox that its events are handed to; null for the other kinds", null)),
  description: Schema.String.pipe(field("A note for administrators; empty without one", "Our CRM")),
  status: EndpointStatus
    .pipe(field("`enabled`: events are sent. `paused`: they are kept and wait. `disabled`: what waited was canceled, and new events are not kept for it")),
  event_types: Schema.Array(EventType).pipe(field("The types of events that are sent to it", ["student.created"])),
  notices: Schema.Boolean.pipe(field(
    "True if owners and admins are mailed when it is held for an hour, back, about to be disabled, or a replaced secret ends",
    true
  )),
  hold_until: InstantOrNull.pipe(field(
    "The end of the hold that follows 5 failed attempts in a row. Until then, only deliveries that a person asks for are sent. After it, one attempt at a time is sent until one is accepted. The hold grows from a minute to an hour; null while nothing is held",
    null
  )),
  disabled_reason: Schema.NullOr(DisabledReason).pipe(field(
    "Why it is disabled: `failing` after 5 days without an accepted attempt, `manual` by an administrator; null while it is not",
    null
  )),
  disabled_at: InstantOrNull.pipe(field("When it was disabled; null while it is not", null)),
  consecutive_failures: Count
    .pipe(field("Failed attempts since the last one that was accepted, or since the endpoint was enabled", 0)),
  last_success_at: InstantOrNull.pipe(field("When an attempt was accepted last; null: never")),
  last_failure_at: InstantOrNull.pipe(field("When an attempt failed last; null: never", null)),
  previous_secret_expires_at: InstantOrNull
    .pipe(field("When the last of the replaced secrets stops signing; null while only the newest one signs", null)),
  signing: Signing
    .pipe(field("The signature: `hmac` by its secret alone (`v1`), `both` by its Ed25519 key (`v1a`) too")),
  public_key: Schema.NullOr(Schema.String).pipe(field(
    "The Ed25519 key to verify `v1a` with; null before it has one. With those that were replaced, it is at `/.well-known/turma/webhook-keys/{id}`",
    "whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4="
  )),
  listening_until: InstantOrNull.pipe(field(
    "When a listener is deleted unless it polls before: an hour after its latest poll, give or take a minute; null for `https`",
    null
  )),
  filter: shownFilter,
  header_names: shownHeaders,
  ...trafficLimits,
  created_at: Instant.pipe(field("When it was registered")),
  updated_at: Instant.pipe(field("When its settings, status or secret were changed last"))
}).annotate({
  identifier: "WebhookEndpoint",
  description: "Where a club's events are posted to, which ones, and how that goes"
})
export type WebhookEndpoint = typeof WebhookEndpoint.Type

export const WebhookEndpointWithSecret = Schema.Struct({
  ...WebhookEndpoint.fields,
  secret: Schema.RedactedFromValue(Schema.String).pipe(field(
    "The key that signs what is sent, `whsec_` and base64. It is shown this once",
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
  ))
}).annotate({
  identifier: "WebhookEndpointWithSecret",
  description: "A webhook endpoint with its new signing secret"
})
export type WebhookEndpointWithSecret = typeof WebhookEndpointWithSecret.Type

const Description = text(0, 500)

const sentUrl = field<typeof Url>("A public https URL without user or password. Setting it calls nothing", urlExample)
const sentInbox = Schema.optionalKey(sentId(InboxId))
  .pipe(field(
    "Instead of a URL: an inbox of the club, which then shows what is sent",
    "019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5c"
  ))
const eitherWords = "url or inbox_id, and not both"
const sentTypes = field<typeof EventTypeNames>(
  "Which types of events to send, each once and by its full name: there are no wildcards",
  ["student.created", "purchase.paid"]
)

export const CreateEndpoint = Schema.Struct({
  url: Schema.optionalKey(Url.pipe(sentUrl)),
  inbox_id: sentInbox,
  event_types: EventTypeNames.pipe(sentTypes),
  description: Schema.optionalKey(Description).pipe(field("A note for administrators; empty unless sent", "Our CRM")),
  status: Schema.optionalKey(Schema.Literals(["enabled", "paused"]))
    .pipe(field("`paused` to keep events until the receiver is ready; `enabled` unless sent")),
  signing: Schema.optionalKey(Signing).pipe(field("The signature; `hmac` unless sent")),
  notices: Schema.optionalKey(Schema.Boolean)
    .pipe(field("True mails owners and admins about it; true if absent", true)),
  filter: askedFilter,
  headers: askedHeaders,
  ...askedLimits
}).check(Schema.makeFilter(({ inbox_id, url }) => (url === undefined) !== (inbox_id === undefined), {
  expected: `one with ${eitherWords}`
})).pipe(Schema.annotateEncoded({
  examples: [{
    url: urlExample,
    event_types: ["purchase.paid", "purchase.refunded"],
    description: "Our CRM",
    // Until it is changed, nothing about students goes to a host that is not theirs.
    status: "paused",
    filter: filterExample,
    headers: { "x-api-key": "k-4711" },
    max_per_second: 50
  }]
}))

/** Without an address. It is enabled. */
export const CreateListener = Schema.Struct({
  event_types: CreateEndpoint.fields.event_types,
  description: CreateEndpoint.fields.description
})

/** Absent is unchanged. */
export const PatchEndpoint = Schema.Struct({
  url: Schema.optionalKey(Url.pipe(sentUrl)),
  inbox_id: sentInbox,
  event_types: Schema.optionalKey(EventTypeNames.pipe(sentTypes)),
  description: Schema.optionalKey(Schema.NullOr(Description))
    .pipe(field("A note for administrators; null empties it", "Our CRM, since March")),
  status: Schema.optionalKey(EndpointStatus)
    .pipe(field("`enabled` to send again, and what waits first; `paused` to keep events until then; `disabled` to cancel what waits and keep nothing")),
  signing: Schema.optionalKey(Signing)
    .pipe(field("The signature from the next attempt on. An endpoint keeps its secret and key in any case; a listener's secret always signs")),
  notices: Schema.optionalKey(Schema.Boolean)
    .pipe(field(
      "True if owners and admins are mailed about it. They always get a mail if it was disabled for failing",
      false
    )),
  filter: askedFilter,
  headers: askedHeaders,
  ...askedLimits,
  drain_rate: askedDrainRate
}).check(Schema.makeFilter(({ inbox_id, url }) => url === undefined || inbox_id === undefined, {
  expected: `one with ${eitherWords}`
})).pipe(Schema.annotateEncoded({
  examples: [{
    url: urlExample,
    event_types: ["student.created", "purchase.paid"],
    description: "Our CRM, since March",
    status: "enabled",
    notices: false
  }]
}))

/** The most endpoints of a club (contract, Address rules). */
export const endpointLimit = 20

/** The most replaced secrets that sign beside the newest one (http-surface, Outgoing webhooks). */
export const overlapLimit = 5

/** Deleted endpoints do not count. */
export class EndpointLimitReached extends ApiError<EndpointLimitReached>()("EndpointLimitReached", {
  status: 409,
  code: "endpoint_limit_reached",
  message: {
    en: `A club has at most ${endpointLimit} webhook endpoints: delete one first`,
    "pt-BR": "O clube chegou ao máximo de endpoints: exclua um antes."
  }
}) {}

/** Every secret signs for its own time, so there is no room for one more before the oldest has. */
export class RotationLimitReached extends ApiError<RotationLimitReached>()("RotationLimitReached", {
  status: 409,
  code: "rotation_limit_reached",
  message: {
    en: `The last ${overlapLimit} secrets that were replaced still sign: rotate again once the oldest has expired`,
    "pt-BR": "Os últimos segredos trocados ainda assinam: troque de novo quando o mais antigo expirar."
  }
}) {}

/** From disabled only to enabled. */
export class InvalidTransition extends ApiError<InvalidTransition>()("InvalidTransition", {
  status: 409,
  code: "invalid_transition",
  message: {
    en: "status must be enabled: a disabled endpoint cannot be paused",
    "pt-BR": "Um endpoint desativado não pode ser pausado: ative-o."
  }
}) {}

/** A listener polls, so there is nothing that could be posted to. */
export class ListenerHasNoUrl extends ApiError<ListenerHasNoUrl>()("ListenerHasNoUrl", {
  status: 409,
  code: "listener_has_no_url",
  message: {
    en: "url must not be sent for a listener, which polls: register an endpoint for an address",
    "pt-BR": "Um listener não tem URL: registre um endpoint com endereço."
  }
}) {}

/** The club has no such inbox, or its hour is over. */
export class InboxUnknown extends ApiError<InboxUnknown>()("InboxUnknown", {
  status: 422,
  code: "inbox_unknown",
  message: {
    en: "inbox_id must be an inbox of this club whose hour is not over",
    "pt-BR": "Esta caixa de teste não existe mais: crie outra."
  }
}) {}

/** A paused or disabled endpoint gets nothing, even at a person's request. */
export class EndpointNotEnabled extends ApiError<EndpointNotEnabled>()("EndpointNotEnabled", {
  status: 409,
  code: "endpoint_not_enabled",
  message: {
    en: "The endpoint is not enabled: set its status to enabled first",
    "pt-BR": "O endpoint não está ativo: ative-o primeiro."
  }
}) {}
