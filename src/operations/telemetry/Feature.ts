import { Layer } from "effect"
import { ServiceFigures } from "./figures/ServiceFigures.ts"
import { MetricsRouteLayer } from "./Metrics.ts"

/** Figures for who watches the service. */
export const telemetry = { services: ServiceFigures.layer, routes: MetricsRouteLayer, workers: Layer.empty }
