import { Effect } from "effect"
import { residentMemory } from "./ResidentMemory.ts"

/** All metrics of this process, in Prometheus' text. The code that writes it is loaded at the first question. */
export const processMetrics: Effect.Effect<string> = Effect.gen(function*() {
  const [{ format }, { processFigures }] = yield* Effect.promise(() =>
    Promise.all([import("effect/observability/PrometheusMetrics"), import("./figures/processFigures.ts")])
  )
  return (yield* format()) + residentMemory() + (yield* processFigures)
})
