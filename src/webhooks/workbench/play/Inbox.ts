import { Schema } from "effect"
import { personalData } from "../../../identity/people/PersonalData.ts"
import { ApiError } from "../../../platform/http/ApiError.ts"
import { Count } from "../../../platform/http/Count.ts"
import { field } from "../../../platform/http/Field.ts"
import { sentEvent } from "../../../platform/http/ServerSentEvents.ts"
import { Instant } from "../../../platform/schema/Instant.ts"
import { InboxId } from "../../model/InboxId.ts"
import { inboxLimit, InboxRequestId } from "../inbox/Inbox.ts"
import { RequestHead } from "../inbox/RequestHead.ts"
import { SignatureCheck } from "../inbox/SignatureCheck.ts"

const Status = Schema.Int.check(Schema.isBetween({ minimum: 200, maximum: 599 }))
const Delay = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20_000 }))
const RetryAfter = Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 86_400 })))

const answerTexts = {
  status: "The status that it answers with, from 200 to 599; a 3xx leads nowhere",
  delay_ms: "For how many milliseconds it waits before it answers, 20,000 at most",
  retry_after_seconds: "The `Retry-After` of its answers, in seconds; null without one"
}

/** An inbox as administrators see it. */
export const WebhookInbox = Schema.Struct({
  id: InboxId.pipe(field("Names the inbox")),
  url: Schema.RedactedFromValue(Schema.String.annotate({ format: "uri" })).pipe(field(
    "Where it takes requests of any method. Anybody who knows it can write to it. A webhook endpoint of the club may have it",
    "https://turma.example/play/3q2-7wEr5t6yZ8uI9oP0aSdFgHjKlMnBvCxZ1234567"
  )),
  status: Status.pipe(field(answerTexts.status, 200)),
  delay_ms: Delay.pipe(field(answerTexts.delay_ms, 0)),
  retry_after_seconds: RetryAfter.pipe(field(answerTexts.retry_after_seconds, null)),
  received: Count.pipe(field("How many requests it has received; the newest 100 are kept", 3)),
  created_at: Instant.pipe(field("When it was created")),
  expires_at: Instant.pipe(field("When it ends and loses all its requests: an hour after its creation"))
}).annotate({ identifier: "WebhookInbox", description: "An address of our own that shows what is sent to it" })
export type WebhookInbox = typeof WebhookInbox.Type

/** How it is to answer; 200 at once unless sent. */
export const CreateInbox = Schema.Struct({
  status: Schema.optionalKey(Status).pipe(field(answerTexts.status, 200)),
  delay_ms: Schema.optionalKey(Delay).pipe(field(answerTexts.delay_ms, 0)),
  retry_after_seconds: Schema.optionalKey(RetryAfter).pipe(field(answerTexts.retry_after_seconds, null))
})

/** Absent is unchanged. */
export const PatchInbox = Schema.Struct({
  status: Schema.optionalKey(Status).pipe(field(answerTexts.status, 200)),
  delay_ms: Schema.optionalKey(Delay).pipe(field(answerTexts.delay_ms, 0)),
  retry_after_seconds: Schema.optionalKey(RetryAfter).pipe(field(answerTexts.retry_after_seconds, null))
})

const { fields: checked } = SignatureCheck

const Signature = Schema.Struct({
  verified: checked.verified.pipe(field("True if a receiver that knows the club's secrets would accept it")),
  problem: checked.problem
    .pipe(field("Why it would not: `timestamp_off` is more than 5 minutes from our clock; null where it would", null)),
  endpoint_id: checked.endpoint_id.pipe(field("The endpoint with the secret that it fits; null if it fits no secret")),
  position: checked.position
    .pipe(field("The signature in the header that fits, counted from 1; null if no signature fits", 1)),
  secret: checked.secret
    .pipe(field("newest or previous, by the secret that signed; null if no signature matches")),
  clock_seconds: checked.clock_seconds
    .pipe(field("How many seconds our clock is ahead of its timestamp; null where that cannot be read", 0))
}).annotate({
  identifier: "WebhookInboxSignature",
  description: "The judgement of a signature, by the secrets of all endpoints of the club"
})

const { fields: sent } = RequestHead

/** A request in short. */
export const InboxRequest = Schema.Struct({
  id: InboxRequestId.pipe(field("Names the request")),
  number: Schema.Int.pipe(field("Which request of the inbox it was, from 1 on", 3)),
  received_at: Instant.pipe(field("When it came")),
  method: Schema.String.pipe(field("The method of the request, in capitals", "POST")),
  query: sent.query.pipe(field("The query after the path, with its question mark; empty without one", "")),
  source: sent.source.pipe(field("`engine`: a delivery of this service, handed over without a connection")),
  size_bytes: sent.size_bytes.pipe(field("Of its body; null for more than 65,536, which is not kept", 512)),
  status: Schema.Int.pipe(field("The status that it was answered with: as told, or 413", 200)),
  delay_ms: Count.pipe(field("After how many milliseconds", 0)),
  repeated: Schema.Boolean.pipe(field("True if a kept request came before it with the same `webhook-id`", false)),
  signature: Schema.NullOr(Signature).pipe(field("The judgement of its `webhook-signature`; null without one"))
}).annotate({ identifier: "WebhookInboxRequest", description: "A request that an inbox has taken" })
export type InboxRequest = typeof InboxRequest.Type

const Header = Schema.Struct({
  name: Schema.String.pipe(field("Its name, in lower case", "webhook-id")),
  value: Schema.String
    .pipe(field("Its value; `(sealed)` for one of an endpoint's own", "019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5c"))
}).annotate({ identifier: "WebhookInboxHeader", description: "A header of a request" })

/** A request as a whole. */
export const InboxRequestDetail = Schema.Struct({
  ...InboxRequest.fields,
  headers: Schema.Array(Header).pipe(field("Its headers, without cookies and those of proxies")),
  body: Schema.NullOr(Schema.String).pipe(field("Its body as text; null where it was too large", "{\"id\":\"1\"}"))
}).annotate({
  identifier: "WebhookInboxRequestDetail",
  description: "A request that an inbox has taken, with headers and body",
  ...personalData
})
export type InboxRequestDetail = typeof InboxRequestDetail.Type

const exampleRequest = {
  id: "0198a0c4-5b1e-7d62-8f3a-2c9e4b7d1a04",
  number: 1,
  received_at: "2026-08-14T12:00:02.000Z",
  method: "POST",
  query: "",
  source: "engine",
  size_bytes: 512,
  status: 200,
  delay_ms: 0,
  repeated: false,
  signature: null
}

/** An event of an inbox's stream. */
export const InboxEvent = sentEvent("request", {
  id: Schema.optionalKey(Schema.String).pipe(field("The request's number", "1")),
  event: "A request came",
  data: "JSON of the WebhookInboxRequest",
  example: JSON.stringify(exampleRequest)
}, Schema.Struct(InboxRequest.fields)).annotate({
  identifier: "WebhookInboxEvent",
  description: "An event of an inbox's stream"
})
export type InboxEvent = typeof InboxEvent.Type

/** Those whose hour is over do not count. */
export class InboxLimitReached extends ApiError<InboxLimitReached>()("InboxLimitReached", {
  status: 409,
  code: "inbox_limit_reached",
  message: {
    en: `A club has at most ${inboxLimit} inboxes at a time: delete one, or wait until one is over`,
    "pt-BR": "O clube chegou ao máximo de caixas de teste: exclua uma ou espere uma terminar."
  }
}) {}
