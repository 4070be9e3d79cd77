import { Effect } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { residentMemory } from "./ResidentMemory.ts"

/** All that this process measures, in Prometheus' text. */
export const processMetrics: Effect.Effect<string> = Effect.map(
  PrometheusMetrics.format(),
  (text) => text + residentMemory()
)
