import { Effect } from "effect"
import { residentMemory } from "./ResidentMemory.ts"

/** All that this process measures, in Prometheus' text. What writes it is loaded when somebody asks. */
export const processMetrics: Effect.Effect<string> = Effect.gen(function*() {
  const [{ format }, { processFigures }] = yield* Effect.promise(() =>
    Promise.all([import("effect/observability/PrometheusMetrics"), import("./figures/processFigures.ts")])
  )
  return (yield* format()) + residentMemory() + (yield* processFigures)
})
