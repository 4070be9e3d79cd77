import { Context, Effect, Layer, Queue } from "effect"

/**
 * Tells this process's worker that a question was asked, so that it begins without waiting for the next poll. A lost signal
 * delays an answer until that poll, and nothing more.
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
