import { Duration, Effect, Layer, Option, Schema } from "effect"
import { EventId } from "../../events/EventType.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { PublicUrls } from "../../platform/http/ServerSettings.ts"
import type { AttemptError } from "../model/AttemptError.ts"
import { WebhookRules } from "../model/WebhookSettings.ts"
import { type OutgoingRequest, Sender, type SendResult } from "../sender/Sender.ts"
import { answerBody } from "./AnswerBody.ts"
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

/** What is sent again without harm: contract, Delivery behavior 3. */
const asksToWait = (status: number) => status === 429 || status === 503

const resultOf = ({ retry_after_seconds, status }: InboxAnswer): SendResult => ({
  ...nothing,
  error: errorOf(status),
  status_code: status,
  response_body: answerBody(status),
  retry_after: retry_after_seconds === null || !asksToWait(status) ? null : `${retry_after_seconds}`
})

/** As an unknown address of ours answers. */
const unknown: SendResult = {
  ...nothing,
  error: "http_status",
  status_code: 404,
  response_body: JSON.stringify({ error: new NotFound().error })
}

const isEventId = Schema.is(EventId)

/**
 * The sender beneath, but for what goes to an inbox of ours: that is handed over without a socket, within the same
 * deadline, and is an attempt like any other, without phases. The sender beneath refuses our own origin in every other form.
 */
export const InboxSenderLayerNoDeps = Layer.effect(
  Sender,
  Effect.gen(function*() {
    const beneath = yield* Sender
    const { api } = yield* PublicUrls
    const { attempt_timeout } = yield* WebhookRules
    const reception = yield* Reception
    const prefix = playPrefix(api)

    const handOver = Effect.fnUntraced(function*({ body, club_id, headers, url }: OutgoingRequest) {
      const token = tokenIn(url, prefix)
      const event_id = headers["webhook-id"]
      if (Option.isNone(token) || club_id === undefined || !isEventId(event_id)) return unknown
      const request = { method: "POST", query: "", headers, body }
      const answer = yield* reception.deliver({ club_id, event_id }, token.value, request)
      if (Option.isNone(answer)) return unknown
      yield* Effect.sleep(Duration.millis(answer.value.delay_ms))
      return resultOf(answer.value)
    })

    const send = (request: OutgoingRequest) =>
      request.url.startsWith(prefix)
        ? handOver(request).pipe(
          Effect.timeoutOption(attempt_timeout),
          Effect.map(Option.getOrElse(() => nothing)),
          Effect.catchDefect((defect) =>
            Effect.as(Effect.logError("A delivery was not handed to its inbox", defect), {
              ...nothing,
              error: "connection" as const
            })
          )
        )
        : beneath.send(request)

    return Sender.of({ send })
  })
)

export const InboxSenderLayer = InboxSenderLayerNoDeps.pipe(Layer.provide([Reception.layer, PublicUrls.layer]))
