import { Cause, Clock, Effect, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { Headers, HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { AllowedMethods } from "./AllowedMethods.ts"
import { recordRequest, RequestLine } from "./RequestLog.ts"

const codes: Record<number, readonly [code: string, message: string]> = {
  400: ["malformed_request", "The request could not be read"],
  404: ["not_found", "No such route"],
  405: ["method_not_allowed", "The route does not take this method; see Allow"],
  413: ["payload_too_large", "The request body is too large"],
  415: ["unsupported_media_type", "The request body must be application/json"]
}

const isJson = (response: HttpServerResponse.HttpServerResponse) =>
  response.headers["content-type"]?.startsWith("application/json") === true

// The router and the builder answer an unknown route, a 413, a 415 and a defect with
// an empty or plain-text body.
const envelope = (response: HttpServerResponse.HttpServerResponse) => {
  if (response.status < 400 || isJson(response)) return response
  const [code, message] = codes[response.status] ?? ["internal_error", "Something went wrong"]
  return HttpServerResponse.jsonUnsafe({ error: { code, message } }, {
    status: response.status,
    headers: Headers.remove(response.headers, "content-type")
  })
}

const inboundId = /^[A-Za-z0-9._-]{1,64}$/

const isRouteNotFound = (cause: Cause.Cause<unknown>) =>
  Option.exists(
    Cause.findErrorOption(cause),
    (error) => HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"
  )

/** Percent-encoding that is no UTF-8 text matches no route and is none that could exist. */
const isDecodable = (url: string) => {
  try {
    decodeURIComponent(url.split("?", 1)[0] ?? "")
    return true
  } catch {
    return false
  }
}

const withoutRoute = (url: string, methods: ReadonlyArray<string>) => {
  if (methods.length > 0) return HttpServerResponse.empty({ status: 405, headers: { allow: methods.join(", ") } })
  return HttpServerResponse.empty({ status: isDecodable(url) ? 404 : 400 })
}

/**
 * The outermost middleware. Whatever went wrong, the body is `{ error: { code,
 * message } }` and nothing internal is in it; every answer carries
 * `X-Request-Id`, and so does every line logged on its way.
 */
export const envelopeLayer = (allowed: AllowedMethods) =>
  HttpRouter.middleware(
    Effect.gen(function*() {
      const random = yield* SecureRandom.SecureRandom

      const answer = Effect.fnUntraced(
        function*(cause: Cause.Cause<unknown>, request: HttpServerRequest.HttpServerRequest) {
          if (isRouteNotFound(cause)) return withoutRoute(request.url, allowed(request.url))
          const [response] = yield* HttpServerError.causeResponse(cause)
          if (response.status >= 500) yield* Effect.logError("A request failed unexpectedly", cause)
          return response
        }
      )

      return (httpEffect) =>
        Effect.gen(function*() {
          const request = yield* HttpServerRequest.HttpServerRequest
          const inbound = request.headers["x-request-id"] ?? ""
          const id = inboundId.test(inbound) ? inbound : yield* Effect.orDie(random.uuidV7())
          const line = { route: "unknown" }
          const start = yield* Clock.currentTimeMillis
          return yield* httpEffect.pipe(
            Effect.catchCause((cause) =>
              Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : answer(cause, request)
            ),
            Effect.map((response) => HttpServerResponse.setHeader(envelope(response), "x-request-id", id)),
            Effect.tap(Effect.fnUntraced(function*(response) {
              const millis = (yield* Clock.currentTimeMillis) - start
              yield* recordRequest({ method: request.method, route: line.route, status: response.status, millis })
            })),
            Effect.provideService(RequestLine, line),
            Effect.annotateLogs("request_id", id)
          )
        })
    }),
    { global: true }
  )
