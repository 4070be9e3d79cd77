import { Duration, Effect, Layer } from "effect"
import { batchWorker } from "../../../platform/jobs/BatchWorker.ts"
import { untilDue } from "../../../platform/jobs/UntilDue.ts"
import { GradingWorker } from "./GradingWorker.ts"
import { waitingGradings } from "./waitingGradings.ts"

/** Gradings that a process makes at a time. */
const atOnce = 2

/** How long a grading in hand may delay a shutdown. One that is cut off is given back. */
const drain = Duration.seconds(10)

/** Makes gradings that were asked for, for as long as the layer lives, in any number of processes. */
export const gradingWorkerLayer = ({ pollEvery }: { readonly pollEvery: Duration.Input }) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const { makeOne } = yield* GradingWorker
    const worker = Effect.gen(function*() {
      yield* batchWorker({
        tick: Effect.map(makeOne, Number),
        full: 1,
        idle: yield* untilDue(waitingGradings, { pollEvery }),
        drain,
        onFailure: "A grading broke off; it is begun anew when its lease is over",
        onCutOff: "A grading is left to others"
      })
    })
    yield* Effect.forEach(Array.from({ length: atOnce }), () => worker, { discard: true })
  }))
