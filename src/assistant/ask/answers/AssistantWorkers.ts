import { Duration, Layer } from "effect"
import { Answers } from "./Answers.ts"
import { AnswerSignal } from "./AnswerSignal.ts"
import { answerWorkerLayer } from "./AnswerWorker.ts"

/** Number of answers that a process generates at once. Many, because each mostly waits for a provider. */
const concurrency = 16

/**
 * The worker that generates answers. An announcement from any process starts it at once. Leaves `Assistant` to the
 * caller.
 */
export const AssistantWorkersLayer = answerWorkerLayer({ concurrency, pollEvery: Duration.millis(250) })
  .pipe(Layer.provide([Answers.layer, AnswerSignal.layer]))
