import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { TemporarilyUnavailable } from "../../platform/http/errors.ts"
import { Supervisor } from "../../platform/processes/Supervisor.ts"
import { metricsSubject } from "./FleetMetrics.ts"
import { internalRouteLayer } from "./InternalRoute.ts"
import { processMetrics } from "./ProcessMetrics.ts"

/** More than the supervisor waits for its processes. */
const patience = "2 seconds"

/** What all processes of a command measure together: a sum without the others would go down. */
export const metrics = Effect.flatMap(
  Supervisor,
  (supervisor) =>
    supervisor === undefined ? processMetrics : supervisor.ask(metricsSubject, null, patience).pipe(
      Effect.map(String),
      Effect.mapError(() => new TemporarilyUnavailable())
    )
)

/** `GET /internal/metrics` in Prometheus' format. */
export const MetricsRouteLayer = internalRouteLayer(
  "/internal/metrics",
  Effect.map(
    metrics,
    (text) => HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
  )
)
