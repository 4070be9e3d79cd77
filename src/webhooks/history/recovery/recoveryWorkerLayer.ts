import { Duration, Effect, Layer } from "effect"
import { batchWorker } from "../../../platform/jobs/BatchWorker.ts"
import { untilDue } from "../../../platform/jobs/UntilDue.ts"
import { mostAtOnce, RecoveryWork } from "./RecoveryWork.ts"
import { waitingRecoveries } from "./waitingRecoveries.ts"

/** How long a look in hand may delay a shutdown. One that is cut off is rolled back. */
const drain = Duration.seconds(10)

/** Works on recoveries that are due for as long as the layer lives, in any number of processes. */
export const recoveryWorkerLayer = ({ pollEvery }: { readonly pollEvery: Duration.Input }) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const { tick } = yield* RecoveryWork
    yield* batchWorker({
      tick,
      full: mostAtOnce,
      idle: yield* untilDue(waitingRecoveries, { pollEvery }),
      pollEvery,
      drain,
      onFailure: "Recoveries of webhook deliveries are not worked on",
      onCutOff: "A recovery of webhook deliveries is left for later"
    })
  }))
