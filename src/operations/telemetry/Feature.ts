import { Layer } from "effect"
import { MetricsRouteLayer } from "./Metrics.ts"

/** Figures for who watches the service. */
export const telemetry = { services: Layer.empty, routes: MetricsRouteLayer, workers: Layer.empty }
