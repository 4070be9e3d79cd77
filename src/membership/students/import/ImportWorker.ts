import { Duration, Effect, Layer } from "effect"
import { batchWorker } from "../../../platform/jobs/BatchWorker.ts"
import { ImportQueue } from "./ImportQueue.ts"

const pollEvery = "1 second"

/** How long a chunk in hand may hold up a shutdown. One that is cut off is undone and done again. */
const drain = Duration.seconds(10)

/**
 * Works through imports for as long as the layer lives. Any number of processes may run it; of one club one import at a
 * time is worked on, and clubs take turns.
 */
export const ImportWorkerLayerNoDeps = Layer.effectDiscard(Effect.gen(function*() {
  const queue = yield* ImportQueue
  yield* batchWorker({
    tick: queue.tick,
    full: 1,
    idle: Effect.sleep(pollEvery),
    drain,
    onFailure: "Import worker tick failed",
    onCutOff: "A chunk of an import is left for later"
  })
}))

/** The worker on the real queue. */
export const ImportWorkerLayer = ImportWorkerLayerNoDeps.pipe(Layer.provide(ImportQueue.layer))
