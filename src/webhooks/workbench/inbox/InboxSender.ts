import { Clock, Duration, Effect, Layer, Option, Schema, Semaphore } from "effect"
import { EventId } from "../../../events/EventType.ts"
import { NotFound } from "../../../platform/http/errors.ts"
import { PublicUrls } from "../../../platform/http/ServerSettings.ts"
import type { AttemptError } from "../../model/AttemptError.ts"
import { inboxIn, inboxScheme } from "../../model/InboxId.ts"
import { WebhookRules } from "../../model/WebhookSettings.ts"
import { isDenied } from "../../send/OwnHeaders.ts"
import { type OutgoingRequest, Sender, type SendResult } from "../../send/Sender.ts"
import { answerBody } from "./AnswerBody.ts"
import type { NamedInbox } from "./InboxesRepo.ts"
import { playPrefix, tokenIn } from "./PlayUrl.ts"
import { type InboxAnswer, Reception } from "./Reception.ts"

const nothing: SendResult = {
  error: "timeout",
  status_code: null,
  response_body: null,
  retry_after: null,
  phases: null,
  connection_reused: null,
  peer: null
}

const errorOf = (status: number): AttemptError | null => {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? "redirect" : "http_status"
}

/** The statuses that ask to wait. Sending again does no harm: contract, Delivery behavior 3. */
const asksToWait = (status: number) => status === 429 || status === 503

const resultOf = ({ retry_after_seconds, status }: InboxAnswer): SendResult => ({
  ...nothing,
  error: errorOf(status),
  status_code: status,
  response_body: answerBody(status),
  retry_after: retry_after_seconds === null || !asksToWait(status) ? null : `${retry_after_seconds}`
})

/** In place of what nobody is shown. */
const sealedValue = "(sealed)"

/** The answer of an unknown address of ours. */
const unknown: SendResult = {
  ...nothing,
  error: "http_status",
  status_code: 404,
  response_body: JSON.stringify({ error: new NotFound().error })
}

/** Values of an endpoint's own headers are sealed, and an inbox shows what it takes. */
const withoutOwn = (headers: OutgoingRequest["headers"]) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, isDenied(name) ? value : sealedValue]))

/** Deliveries that one process hands over at once: each needs a connection, and looks at everything that signs for a club. */
const mostAtOnce = 4

const isEventId = Schema.is(EventId)

/**
 * The sender beneath, except for requests to an inbox of ours. These go to the inbox without a socket, within the same
 * deadline. Each is an attempt like any other, without phases. The sender beneath refuses our own origin in every other
 * form.
 */
export const InboxSenderLayerNoDeps = Layer.effect(
  Sender,
  Effect.gen(function*() {
    const beneath = yield* Sender
    const { api } = yield* PublicUrls
    const { attempt_timeout } = yield* WebhookRules
    const reception = yield* Reception
    const prefix = playPrefix(api)
    const turns = yield* Semaphore.make(mostAtOnce)

    const namedBy = (url: string): Option.Option<NamedInbox> =>
      Option.orElse(
        Option.map(inboxIn(url), (id) => ({ id })),
        () => Option.map(tokenIn(url, prefix), (token) => ({ token }))
      )

    const handOver = Effect.fnUntraced(function*({ body, club_id, headers, is_probe, url }: OutgoingRequest) {
      const named = namedBy(url)
      const event_id = headers["webhook-id"]
      if (Option.isNone(named) || club_id === undefined || !isEventId(event_id)) return unknown
      const message = { club_id, event_id: is_probe ? null : event_id }
      const request = { method: "POST", query: "", headers: withoutOwn(headers), body }
      const asked_at = yield* Clock.currentTimeMillis
      const taken = yield* Effect.timeoutOption(
        turns.withPermits(1)(reception.deliver(message, named.value, request)),
        attempt_timeout
      )
      if (Option.isNone(taken)) return nothing
      const answer = taken.value
      if (Option.isNone(answer)) return unknown
      const left = Duration.toMillis(attempt_timeout) - ((yield* Clock.currentTimeMillis) - asked_at)
      const { delay_ms } = answer.value
      yield* Effect.sleep(Duration.millis(Math.min(delay_ms, left)))
      return { ...(delay_ms < left ? resultOf(answer.value) : nothing), handed_over: true as const }
    })

    const send = (request: OutgoingRequest) =>
      request.url.startsWith(inboxScheme) || request.url.startsWith(prefix)
        ? handOver(request).pipe(Effect.catchDefect((defect) =>
          Effect.as(Effect.logError("A delivery was not handed to its inbox", defect), {
            ...nothing,
            error: "connection" as const
          })
        ))
        : beneath.send(request)

    return Sender.of({ send })
  })
)

export const InboxSenderLayer = InboxSenderLayerNoDeps.pipe(Layer.provide([Reception.layer, PublicUrls.layer]))
