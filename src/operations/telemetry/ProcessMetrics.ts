import { Effect } from "effect"
import { residentMemory } from "./ResidentMemory.ts"

/** All that this process measures, in Prometheus' text. What writes it is loaded when somebody asks. */
export const processMetrics: Effect.Effect<string> = Effect.promise(() =>
  import("effect/observability/PrometheusMetrics")
)
  .pipe(
    Effect.flatMap(({ format }) => format()),
    Effect.map((text) => text + residentMemory())
  )
