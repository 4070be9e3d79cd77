import { ByteSize, Effect } from "effect"
import {
  HttpIncomingMessage,
  HttpRouter,
  type HttpServerError,
  HttpServerRequest,
  HttpServerResponse
} from "effect/http"
import { MalformedRequest, PayloadTooLarge } from "../../../platform/http/errors.ts"
import { StripeEvents } from "./StripeEvents.ts"

const largest = ByteSize.kibibytes(256)

const refusedBody = ({ reason }: HttpServerError.HttpServerError) =>
  reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"
    ? new PayloadTooLarge()
    : new MalformedRequest()

/**
 * `POST /internal/billing/stripe`, for Stripe: the signature is its only authentication. It has no rate limit: a busy day's
 * events must not be refused, and a request without a valid signature costs one hash.
 */
export const StripeEventsHttp = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const stripeEvents = yield* StripeEvents
  yield* router.add(
    "POST",
    "/internal/billing/stripe",
    Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      const body = yield* request.arrayBuffer.pipe(
        Effect.provideService(HttpIncomingMessage.MaxBodySize, largest),
        Effect.mapError(refusedBody)
      )
      yield* stripeEvents.receive(new Uint8Array(body), request.headers["stripe-signature"] ?? "")
      return HttpServerResponse.jsonUnsafe({ data: { received: true } })
    })
  )
}))
