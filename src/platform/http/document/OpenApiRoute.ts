import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { type HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"
import { staticAnswer } from "../server/StaticAnswer.ts"

/** The document of the contract, made when somebody first asks for it. */
export const openApiLayer = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  path: `/${string}`
) =>
  HttpRouter.use(Effect.fnUntraced(function*(router) {
    const document = yield* Effect.cached(
      Effect.sync(() => staticAnswer(HttpServerResponse.jsonUnsafe(OpenApi.fromApi(api))))
    )
    yield* router.add("GET", path, document)
  }))
