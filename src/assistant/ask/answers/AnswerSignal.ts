import { Context, Effect, Layer, Queue } from "effect"

/**
 * Tells this process's worker that an answer is to be generated, so that it begins without waiting for the next poll.
 * Losing a signal costs a moment, never an answer.
 */
export class AnswerSignal extends Context.Service<AnswerSignal, {
  readonly notify: Effect.Effect<void>
  /** Ends with the next signal, or at once if one came since the last. */
  readonly next: Effect.Effect<void>
}>()("turma/assistant/AnswerSignal") {
  static readonly layer = Layer.effect(
    AnswerSignal,
    Effect.gen(function*() {
      const signals = yield* Queue.sliding<void>(1)
      return AnswerSignal.of({ notify: Effect.asVoid(Queue.offer(signals, undefined)), next: Queue.take(signals) })
    })
  )
}
