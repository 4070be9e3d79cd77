import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { TemporarilyUnavailable } from "../../platform/http/errors.ts"
import { Supervisor } from "../../platform/processes/Supervisor.ts"
import { ServiceFigures } from "./figures/ServiceFigures.ts"
import { metricsSubject } from "./FleetMetrics.ts"
import { internalRouteLayer } from "./InternalRoute.ts"
import { processMetrics } from "./ProcessMetrics.ts"

/** Where they are read. */
export const metricsPath = "/internal/metrics"

/** More than the supervisor waits for its processes. */
const patience = "2 seconds"

/** The metrics of all processes of a command: one process alone would show sums that go down. */
export const metrics = Effect.flatMap(
  Supervisor,
  (supervisor) =>
    supervisor === undefined ? processMetrics : supervisor.ask(metricsSubject, null, patience).pipe(
      Effect.map(String),
      Effect.mapError(() => new TemporarilyUnavailable())
    )
)

/** The metrics of all its processes, and their shared figures. The process that is asked reads these once. */
const allMetrics = Effect.flatMap(
  ServiceFigures,
  ({ read }) => Effect.zipWith(metrics, read, (ofProcesses, ofService) => ofProcesses + ofService, { concurrent: true })
)

/** `GET /internal/metrics` in Prometheus' format. */
export const MetricsRouteLayer = internalRouteLayer(
  metricsPath,
  Effect.map(
    allMetrics,
    (text) => HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
  )
)
