import { Duration, Effect, Layer } from "effect"
import { waitingFacts } from "../../../events/Outbox.ts"
import { batchWorker } from "../../../platform/jobs/BatchWorker.ts"
import type { ClockGuard } from "../../../platform/jobs/ClockGuard.ts"
import { untilDue } from "../../../platform/jobs/UntilDue.ts"
import { Assembler, batch } from "./Assembler.ts"

/**
 * How long a batch in flight may delay a shutdown. A batch that is cut off is rolled back and assembled by another
 * worker.
 */
const drain = Duration.seconds(10)

interface AssemblerWorkerOptions {
  /** How often it looks for more while there is something to do. */
  readonly pollEvery?: Duration.Input
  /** How long before they are due facts come: the delay of the assembly. */
  readonly notice?: Duration.Duration
}

/**
 * Assembles facts that are due for as long as the layer lives. Any number of processes may run it. It ends between two
 * batches.
 */
export const assemblerWorkerLayer = (
  { notice = Duration.seconds(2), pollEvery = "250 millis" }: AssemblerWorkerOptions = {}
): Layer.Layer<never, never, Assembler | ClockGuard> =>
  Layer.effectDiscard(Effect.gen(function*() {
    const { assemble } = yield* Assembler
    yield* batchWorker({
      tick: assemble(),
      full: batch,
      idle: yield* untilDue(waitingFacts(notice), { pollEvery }),
      pollEvery,
      drain,
      onFailure: "Assembly of events failed",
      onCutOff: "An assembly is cut off"
    })
  }))
