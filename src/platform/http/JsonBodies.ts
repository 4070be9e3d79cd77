import { Effect, Layer } from "effect"
import { HttpMethod, HttpServerRequest } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import { setText } from "../patches/RequestText.ts"
import { jsonText } from "./JsonText.ts"

/** Declared on the whole API: no body is parsed that is not UTF-8, or whose JSON would hold up everybody else. */
export class JsonBodies extends HttpApiMiddleware.Service<JsonBodies>()("turma/platform/http/JsonBodies") {}

// The builder takes a failure of `text` for a defect, and this defect has its own answer.
const readStrictly = (request: HttpServerRequest.HttpServerRequest) =>
  setText(
    request,
    Effect.flatMap(request.arrayBuffer, (bytes) => Effect.orDie(jsonText(new Uint8Array(bytes))))
  )

/** Looks at a body when it is read, so that a stranger's is not. */
export const JsonBodiesLayer = Layer.succeed(
  JsonBodies,
  (httpEffect, { endpoint }) =>
    HttpMethod.hasBody(endpoint.method)
      ? Effect.andThen(Effect.flatMap(HttpServerRequest.HttpServerRequest, readStrictly), httpEffect)
      : httpEffect
)
