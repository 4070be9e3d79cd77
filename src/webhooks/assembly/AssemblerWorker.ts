import { Duration, Effect, Layer } from "effect"
import { batchWorker } from "../../platform/jobs/BatchWorker.ts"
import type { ClockGuard } from "../../platform/jobs/ClockGuard.ts"
import { Assembler, batch } from "./Assembler.ts"

/** How long a batch in flight may delay a shutdown. A batch that is cut off is rolled back and assembled by another worker. */
const drain = Duration.seconds(10)

/**
 * Assembles facts that are due for as long as the layer lives, and polls for more. Any number of processes may run it. It
 * ends between two batches.
 */
export const assemblerWorkerLayer = (
  { pollEvery = "250 millis" }: { readonly pollEvery?: Duration.Input } = {}
): Layer.Layer<never, never, Assembler | ClockGuard> =>
  Layer.effectDiscard(Effect.flatMap(Assembler, ({ assemble }) =>
    batchWorker({
      tick: assemble(),
      full: batch,
      idle: Effect.sleep(pollEvery),
      drain,
      onFailure: "Assembly of events failed",
      onCutOff: "An assembly is cut off"
    })))
