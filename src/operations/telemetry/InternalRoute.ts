import { Effect, Option, Redacted } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { createHash, timingSafeEqual } from "node:crypto"
import { Unauthenticated } from "../../identity/authentication/Authentication.ts"
import { challenge } from "../../identity/authentication/Challenge.ts"
import { telemetrySettings } from "./TelemetrySettings.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest()

const secretWanted = "This route wants the service's own secret: Authorization: Bearer <INTERNAL_SECRET>"

/** Reads at this path under `/internal`, for who holds `INTERNAL_SECRET`. Without a secret there is no such route. */
export const internalRouteLayer = <E, R>(
  path: `/internal/${string}`,
  answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
) =>
  HttpRouter.use(Effect.fnUntraced(function*(router) {
    const secret = yield* telemetrySettings.INTERNAL_SECRET.read
    if (Option.isNone(secret)) return
    const context = yield* Effect.context<R>()
    const expected = sha256(`Bearer ${Redacted.value(secret.value)}`)
    yield* router.add(
      "GET",
      path,
      Effect.gen(function*() {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const presented = headers["authorization"] ?? ""
        if (!timingSafeEqual(sha256(presented), expected)) {
          yield* challenge(presented !== "")
          return yield* new Unauthenticated({ error: { message: secretWanted } })
        }
        return yield* Effect.provide(answer, context)
      })
    )
  }))
