import { Layer } from "effect"
import { ServiceFigures } from "./figures/ServiceFigures.ts"
import { MetricsRouteLayer } from "./Metrics.ts"
import { SecretGuesses } from "./SecretGuesses.ts"

/** Figures for monitoring, and the count of guesses at the secret that opens them. */
export const telemetry = {
  services: Layer.merge(SecretGuesses.layer, ServiceFigures.layer),
  routes: MetricsRouteLayer,
  workers: Layer.empty
}
