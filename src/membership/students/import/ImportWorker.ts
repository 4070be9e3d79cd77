import { Duration, Effect, Layer } from "effect"
import { batchWorker } from "../../../platform/jobs/BatchWorker.ts"
import { untilDue } from "../../../platform/jobs/UntilDue.ts"
import { ImportQueue } from "./ImportQueue.ts"
import { waitingImports } from "./WaitingImports.ts"

const pollEvery = "1 second"

/** How long a chunk may delay a shutdown. An interrupted one is rolled back and processed again. */
const shutdownGrace = Duration.seconds(10)

/**
 * Processes imports for as long as the layer lives, in any number of processes. Each club has one import processed at a
 * time, and clubs take turns.
 */
const ImportWorkerLayerNoDeps = Layer.effectDiscard(Effect.gen(function*() {
  const queue = yield* ImportQueue
  yield* batchWorker({
    tick: queue.tick,
    full: 1,
    idle: yield* untilDue(waitingImports, { pollEvery }),
    shutdownGrace,
    onFailure: "Import worker tick failed",
    onCutOff: "A chunk of an import is processed later"
  })
}))

/** The worker on the real queue. */
export const ImportWorkerLayer = ImportWorkerLayerNoDeps.pipe(Layer.provide(ImportQueue.layer))
