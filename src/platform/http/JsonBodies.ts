import { Effect, Layer } from "effect"
import { HttpMethod, HttpServerRequest } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import { jsonText } from "./JsonText.ts"

/** Declared on the whole API: no body is parsed that is not UTF-8, or whose JSON would hold up everybody else. */
export class JsonBodies extends HttpApiMiddleware.Service<JsonBodies>()("turma/platform/http/JsonBodies") {}

// The builder reads `text` of the request that everybody shares, and takes a failure of it for a defect, which has its own
// answer. A copy of the request would read the body a second time.
const readStrictly = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
  const text = Effect.flatMap(request.arrayBuffer, (bytes) => Effect.orDie(jsonText(new Uint8Array(bytes))))
  Object.defineProperty(request, "text", { value: yield* Effect.cached(text) })
})

/** Looks at a body when it is read, so that a stranger's is not. */
export const JsonBodiesLayer = Layer.succeed(
  JsonBodies,
  (httpEffect, { endpoint }) =>
    HttpMethod.hasBody(endpoint.method)
      ? Effect.andThen(Effect.flatMap(HttpServerRequest.HttpServerRequest, readStrictly), httpEffect)
      : httpEffect
)
