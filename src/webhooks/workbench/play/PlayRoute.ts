import { ByteSize, Duration, Effect, Option, Redacted } from "effect"
import {
  HttpIncomingMessage,
  HttpRouter,
  type HttpServerError,
  HttpServerRequest,
  HttpServerResponse
} from "effect/http"
import { ClientAddress } from "../../../identity/limits/ClientAddress.ts"
import { WriteCounters } from "../../../identity/limits/WriteCounters.ts"
import { isToken } from "../../../identity/tokens/Token.ts"
import { MalformedRequest, NotFound } from "../../../platform/http/errors.ts"
import { waitsOutside } from "../../../platform/http/request/OutsideWaits.ts"
import { Shutdown } from "../../../platform/processes/Shutdown.ts"
import { answerBody } from "../inbox/AnswerBody.ts"
import { largestBody } from "../inbox/Inbox.ts"
import { playRoute } from "../inbox/PlayUrl.ts"
import { type InboxAnswer, Reception } from "../inbox/Reception.ts"

const methods = ["DELETE", "GET", "OPTIONS", "PATCH", "POST", "PUT"] as const

/** The route of the inboxes, outside of the contract, since it takes every method: those that pages of others may send. */
export const playRoutes = methods.map((method) => ({ method, path: playRoute, anyQuery: true }))

/** Whatever was sent, the answer is text of ours that runs nothing and leads nowhere. */
const harmless = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; sandbox",
  "x-content-type-options": "nosniff"
}

// Null if it is too large. The failure itself holds the request, whose URL is a secret.
const bodyOf = (request: HttpServerRequest.HttpServerRequest) =>
  request.arrayBuffer.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(largestBody)),
    Effect.map((bytes): Uint8Array | null => new Uint8Array(bytes)),
    Effect.catch(({ reason }: HttpServerError.HttpServerError) =>
      reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"
        ? Effect.succeed(null)
        : Effect.fail(new MalformedRequest())
    )
  )

/**
 * Headers that a sender may not set: a browser's sessions of this service, and the words of proxies about a connection.
 */
const isLeftOut = (name: string) =>
  ["cookie", "forwarded", "via", "x-real-ip"].includes(name) || /^(?:proxy|x-forwarded)-/.test(name)

const headersOf = ({ headers }: HttpServerRequest.HttpServerRequest) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !isLeftOut(name)))

const queryOf = ({ url }: HttpServerRequest.HttpServerRequest) => /\?.*$/s.exec(url)?.[0] ?? ""

const responseOf = ({ retry_after_seconds, status }: InboxAnswer) => {
  const headers = retry_after_seconds === null ? harmless : { ...harmless, "retry-after": `${retry_after_seconds}` }
  const body = answerBody(status)
  return body === null
    ? HttpServerResponse.empty({ status, headers })
    : HttpServerResponse.text(body, { status, headers, contentType: "application/json" })
}

/** `/play/{token}`: takes any request without a session, and gives its inbox's answer. */
export const PlayRoutesLayer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const reception = yield* Reception
  const counters = yield* WriteCounters
  const address = yield* ClientAddress
  const shutdown = yield* Shutdown

  // A request passes if the counter is unavailable, as with other addresses without credentials.
  const count = (...counted: Parameters<typeof counters.count>) =>
    Effect.catchTag(counters.count(...counted), "CounterUnavailable", () => Effect.void)

  const answer = Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    yield* count("play", yield* address.key)
    const { token = "" } = yield* HttpRouter.params
    const redacted = Redacted.make(token, { label: "token" })
    const inbox = isToken(redacted) ? yield* reception.find(redacted) : Option.none()
    if (Option.isNone(inbox)) return yield* new NotFound()
    yield* count("play-inbox", inbox.value.id)
    const answer = yield* reception.take(inbox.value, {
      method: request.method,
      query: queryOf(request),
      headers: headersOf(request),
      body: yield* bodyOf(request),
      source: "http"
    })
    // The delay of the inbox. It does not wait for the database, and ends with the process.
    yield* waitsOutside(Effect.raceFirst(Effect.sleep(Duration.millis(answer.delay_ms)), shutdown.begun))
    return responseOf(answer)
  })

  yield* router.add("*", playRoute, answer)
}))
