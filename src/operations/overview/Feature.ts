import { Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { internalRouteLayer } from "../telemetry/InternalRoute.ts"
import { Overview } from "./Overview.ts"

const answer = Effect.flatMap(
  Overview,
  ({ read }) =>
    Effect.map(read, (data) => HttpServerResponse.jsonUnsafe({ data }, { headers: { "cache-control": "no-store" } }))
)

/** `GET /internal/overview`: how queues, lanes, processes and what they stand on are. */
export const overview = {
  services: Overview.layer,
  routes: internalRouteLayer("/internal/overview", answer),
  workers: Layer.empty
}
