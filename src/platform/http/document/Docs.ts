import { Effect, Scope } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { type HttpApi, type HttpApiGroup, HttpApiScalar } from "effect/http-api"
import { staticAnswer } from "../server/StaticAnswer.ts"

// Everything is in the page. Whatever it would load from elsewhere, the browser refuses.
const policy = "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:"

/**
 * A page that documents the contract and works offline. Its script is 3 MB of
 * source (30 ms and 16 MB to load), so it is loaded when somebody first asks.
 */
export const docsLayer = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  path: `/${string}`
) =>
  HttpRouter.use(Effect.fnUntraced(function*(router) {
    const scope = yield* Effect.scope
    const page = yield* HttpRouter.toHttpEffect(
      HttpApiScalar.layer(api, { path, scalar: { withDefaultFonts: false } })
    ).pipe(
      Effect.flatten,
      Effect.map((made) => staticAnswer(HttpServerResponse.setHeader(made, "content-security-policy", policy))),
      Scope.provide(scope),
      Effect.cached
    )
    yield* router.add("GET", path, page)
  }))
