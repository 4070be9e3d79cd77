import { Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { Unauthenticated } from "../../identity/authentication/Authentication.ts"
import { challenge } from "../../identity/authentication/Challenge.ts"
import { internalSecret } from "./InternalSecret.ts"
import { SecretGuesses } from "./SecretGuesses.ts"

const scheme = "Bearer "

const secretWanted = "This route wants the service's own secret: Authorization: Bearer <INTERNAL_SECRET>"

/**
 * Adds a route at this path under `/internal`, for callers with `INTERNAL_SECRET`: wrong secrets are counted. Without a
 * secret there is no such route.
 */
export const internalRouteLayer = <E, R>(
  path: `/internal/${string}`,
  answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
) =>
  HttpRouter.use(Effect.fnUntraced(function*(router) {
    const secret = yield* internalSecret
    if (Option.isNone(secret)) return
    const context = yield* Effect.context<R>()
    const guesses = yield* SecretGuesses
    yield* router.add(
      "GET",
      path,
      Effect.gen(function*() {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const presented = headers["authorization"] ?? ""
        const isIt = presented.startsWith(scheme) &&
          (yield* guesses.isIt(secret.value, presented.slice(scheme.length)))
        if (!isIt) {
          yield* challenge(presented !== "")
          return yield* new Unauthenticated({ error: { message: secretWanted } })
        }
        return yield* Effect.provide(answer, context)
      })
    )
  }))
