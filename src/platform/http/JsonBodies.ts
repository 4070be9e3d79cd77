import { Effect, Layer } from "effect"
import { HttpMethod, HttpServerRequest } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import { PayloadTooLarge } from "./errors.ts"
import { isLight } from "./json/JsonMarks.ts"

/** Declared on the whole API: no body's JSON is parsed that would hold up everybody else. */
export class JsonBodies extends HttpApiMiddleware.Service<JsonBodies>()("turma/platform/http/JsonBodies") {}

/** In characters. A longer text is decoded, looked at and parsed with others having the processor in between. */
const long = 65_536

const tooHeavy = new PayloadTooLarge({ error: { message: "The body has too many values: send fewer at a time" } })

const orRefuse = (text: string) => isLight(text) ? Effect.succeed(text) : Effect.die(tooHeavy)

const checked = (text: string) =>
  text.length < long
    ? orRefuse(text)
    : Effect.yieldNow.pipe(Effect.andThen(Effect.suspend(() => orRefuse(text))), Effect.tap(Effect.yieldNow))

// The builder reads `text` of the request that everybody shares, and takes a failure of it for a defect, which has its own
// answer. A copy of the request would read the body a second time.
const refuseHeavy = (request: HttpServerRequest.HttpServerRequest) => {
  Object.defineProperty(request, "text", { value: Effect.flatMap(request.text, checked) })
}

/** Looks at a body when it is read, so that a stranger's is not. */
export const JsonBodiesLayer = Layer.succeed(
  JsonBodies,
  (httpEffect, { endpoint }) =>
    HttpMethod.hasBody(endpoint.method)
      ? Effect.andThen(Effect.map(HttpServerRequest.HttpServerRequest, refuseHeavy), httpEffect)
      : httpEffect
)
