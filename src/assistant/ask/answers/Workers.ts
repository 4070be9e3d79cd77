import { Duration, Layer } from "effect"
import { Answers } from "./Answers.ts"
import { AnswerSignal } from "./AnswerSignal.ts"
import { answerWorkerLayer } from "./AnswerWorker.ts"

/** How many answers a process generates at once; each waits for a provider more than it works. */
const concurrency = 16

/**
 * What the assistant needs done in the background. A signal starts work at once; the interval is for what another process
 * was asked. Still asks for who answers.
 */
export const AssistantWorkersLayer = answerWorkerLayer({ concurrency, pollEvery: Duration.millis(250) }).pipe(
  Layer.provide([Answers.layer, AnswerSignal.layer])
)
