import { Duration, Option, Schema, SchemaTransformation } from "effect"
import { EventId } from "../../events/EventType.ts"
import { personalData } from "../../identity/people/PersonalData.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import { Count } from "../../platform/http/Count.ts"
import { field } from "../../platform/http/Field.ts"
import { PageQuery } from "../../platform/http/Page.ts"
import { queryNumber } from "../../platform/http/QueryNumber.ts"
import { sentId } from "../../platform/http/Text.ts"
import { AttemptError } from "../model/AttemptError.ts"
import { Trigger } from "../model/DeliveryStatus.ts"
import { WebhookDeliveryId } from "../model/WebhookDeliveryId.ts"

/** A listener that nobody has polled for this long is deleted, with what waits for it. */
export const unpolledFor = Duration.hours(1)

/** Polls move that time, but only by at least this much: most polls write nothing. */
export const movedBy = Duration.minutes(1)

/** How long a poll waits at most, in seconds: shorter than most proxies do. */
const longestWait = 25

/** The most deliveries that a poll answers or excepts, and the most results in a batch. */
export const mostDeliveries = 100

const example = "019d4860-dbb4-7a10-9c3e-4f5a6b7c8d9e"

const ExceptedIds = Schema.String.check(Schema.isPattern(/^[0-9a-fA-F-]{36}(?:,[0-9a-fA-F-]{36}){0,99}$/u, {
  expected: `ids of deliveries, separated by commas, ${mostDeliveries} at most`
})).pipe(Schema.decodeTo(
  Schema.Array(WebhookDeliveryId),
  SchemaTransformation.transform<ReadonlyArray<string>, string>({
    decode: (text) => text.toLowerCase().split(","),
    encode: (ids) => ids.join(",")
  })
))

/** The parameters of a poll. */
export const PollQuery = {
  limit: PageQuery.limit.pipe(field("How many deliveries to answer at most, from 1 to 100; 25 unless said otherwise")),
  wait: queryNumber({ minimum: 0, maximum: longestWait, usual: 0 })
    .pipe(field("How many seconds to wait if nothing is due, from 0 to 25; 0 unless said otherwise", "0")),
  except: Schema.optionalKey(ExceptedIds).pipe(field(
    "Deliveries that the caller has and has not told the result of yet, by their ids, separated by commas",
    example
  ))
}

/** The decoded form of `PollQuery`. */
export interface Poll {
  readonly limit: number
  readonly wait: number
  readonly except?: ReadonlyArray<WebhookDeliveryId>
}

const header = (description: string, example: string) => Schema.String.pipe(field(description, example))

const exampleBody = `{"id":"019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5c","type":"student.created"}`

/** A delivery as a listener gets it. */
export const ListenerDelivery = Schema.Struct({
  delivery_id: WebhookDeliveryId
    .pipe(field("Names the delivery, also under the endpoint of the same id as the listener")),
  event_id: EventId.pipe(field("The event: `webhook-id` of every attempt and `id` in the body")),
  attempt: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))
    .pipe(field("Which attempt of the delivery this is, the first being 1", 1)),
  receipt: Schema.String.pipe(field(
    "Names the attempt: send it back with the result, as it is. A result counts once for its receipt",
    "0.schedule"
  )),
  headers: Schema.Struct({
    "content-type": header("What the body is", "application/json"),
    "user-agent": header("Who sends it", "Turma-webhooks/1"),
    "webhook-id": header("The event's id", "019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5c"),
    "webhook-timestamp": header("When it was handed out, in Unix seconds", "1775035800"),
    "webhook-signature": header(
      "A signature for each secret and key that signs, newest first",
      "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="
    )
  }).pipe(field("The headers of the request that an endpoint with an address would get now")),
  body: Schema.String.pipe(field("The body of that request; the signature covers its bytes in UTF-8", exampleBody))
}).annotate({
  identifier: "WebhookListenerDelivery",
  description: "A delivery as a listener gets it",
  ...personalData
})
export type ListenerDelivery = typeof ListenerDelivery.Type

/** The answer to a poll. */
export const Polled = Schema.Struct({
  deliveries: Schema.Array(ListenerDelivery)
    .pipe(field("The due deliveries, longest due first; empty if nothing is due, and after every wait: then poll again"))
})

/** How long an attempt may have taken, in milliseconds. */
export const longestDuration = 3_600_000

/** The result of a listener's attempt. */
export const ListenerResult = Schema.Struct({
  delivery_id: sentId(WebhookDeliveryId).pipe(field("The delivery that was handed out")),
  receipt: Schema.String.check(Schema.isMaxLength(30)).pipe(field("As it was handed out", "0.schedule")),
  status_code: Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 200, maximum: 599 })))
    .pipe(field("The HTTP status that answered; 2xx is success. Null if no answer came", 200)),
  error: Schema.NullOr(AttemptError)
    .pipe(field("Why no answer came; null where one did, since then the status decides", null)),
  duration_ms: Count.check(Schema.isLessThanOrEqualTo(longestDuration))
    .pipe(field("How long it took, in milliseconds, an hour at most", 12)),
  response_body: Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(2048))))
    .pipe(field("The start of the answer, 2 KB are kept; absent or null without one", "ok")),
  retry_after_seconds: Schema.optionalKey(Schema.NullOr(Count.check(Schema.isLessThanOrEqualTo(2_147_483_647))))
    .pipe(field("For how long a 429 or 503 asked to wait, in seconds; absent or null where it did not", null))
})
export type ListenerResult = typeof ListenerResult.Type

/** A batch of results. */
export const ListenerResults = Schema.Struct({
  results: Schema.Array(ListenerResult).check(Schema.isMinLength(1), Schema.isMaxLength(mostDeliveries))
    .pipe(field("The results, in the order in which the attempts ended"))
})

/** Number of results that counted. */
export const Recorded = Schema.Struct({
  recorded: Count.pipe(field("How many results were recorded as attempts", 1)),
  ignored: Count
    .pipe(field("How many changed nothing: they were recorded before, or the listener has no such delivery", 0))
})
export type Recorded = typeof Recorded.Type

/** Another poll of the same listener began to wait. */
export class ListenerTakenOver extends ApiError<ListenerTakenOver>()("ListenerTakenOver", {
  status: 409,
  code: "listener_taken_over",
  message: {
    en: "Another poll of this listener has begun: only one may wait at a time",
    "pt-BR": "Outra consulta deste listener começou: só uma por vez."
  }
}) {}

/** A process has as many waiting polls as it allows. The next caller should try again soon. */
export class TooManyPolls extends Schema.TaggedError<TooManyPolls>()("TooManyPolls", {}) {}

/** The name of an attempt: the number of attempts before it, and its cause. */
interface Receipt {
  readonly attempts_count: number
  readonly trigger: Trigger
}

const isTrigger = Schema.is(Trigger)

export const receiptOf = ({ attempts_count, trigger }: Receipt): string => `${attempts_count}.${trigger}`

/** `None` if the text is not a receipt of ours. */
export const readReceipt = (text: string): Option.Option<Receipt> => {
  const [, count = "", trigger = ""] = /^(\d{1,9})\.([a-z]+)$/.exec(text) ?? []
  return count !== "" && isTrigger(trigger)
    ? Option.some({ attempts_count: Number(count), trigger })
    : Option.none()
}

/** The engine's error for the status of an answer, or for no answer. Null is success. */
export const errorOf = ({ error, status_code }: Pick<ListenerResult, "error" | "status_code">): AttemptError | null => {
  if (status_code === null) return error ?? "connection"
  if (status_code < 300) return null
  return status_code < 400 ? "redirect" : "http_status"
}
