import { Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"

/** For groups whose answers hold a secret: `Cache-Control: no-store`, on failures too. */
export class NoStore extends HttpApiMiddleware.Service<NoStore>()("turma/platform/http/NoStore") {}

/** Sets the header on successes; failures have it from the envelope too. */
export const NoStoreLayer = Layer.succeed(
  NoStore,
  (httpEffect) => Effect.map(httpEffect, HttpServerResponse.setHeader("cache-control", "no-store"))
)
