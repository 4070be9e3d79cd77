import { Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { Unauthenticated } from "../../identity/authentication/Authentication.ts"
import { challenge } from "../../identity/authentication/Challenge.ts"
import { internalSecret } from "./InternalSecret.ts"

const scheme = "Bearer "

const secretWanted = "This route wants the service's own secret: Authorization: Bearer <INTERNAL_SECRET>"

/** Reads at this path under `/internal`, for who holds `INTERNAL_SECRET`. Without a secret there is no such route. */
export const internalRouteLayer = <E, R>(
  path: `/internal/${string}`,
  answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
) =>
  HttpRouter.use(Effect.fnUntraced(function*(router) {
    const secret = yield* internalSecret
    if (Option.isNone(secret)) return
    const context = yield* Effect.context<R>()
    const { isIt } = secret.value
    yield* router.add(
      "GET",
      path,
      Effect.gen(function*() {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const presented = headers["authorization"] ?? ""
        if (!presented.startsWith(scheme) || !isIt(presented.slice(scheme.length))) {
          yield* challenge(presented !== "")
          return yield* new Unauthenticated({ error: { message: secretWanted } })
        }
        return yield* Effect.provide(answer, context)
      })
    )
  }))
