import { Context, Effect, Layer, Queue } from "effect"

/**
 * Tells this process's worker that a mail waits, so it leaves without waiting for the next poll. Losing a signal costs a
 * second, never a mail.
 */
export class MailSignal extends Context.Service<MailSignal, {
  readonly notify: Effect.Effect<void>
  /** Ends with the next signal, or at once if one came since the last. */
  readonly next: Effect.Effect<void>
}>()("turma/mail/MailSignal") {
  static readonly layer = Layer.effect(
    MailSignal,
    Effect.gen(function*() {
      const signals = yield* Queue.sliding<void>(1)
      return MailSignal.of({ notify: Effect.asVoid(Queue.offer(signals, undefined)), next: Queue.take(signals) })
    })
  )
}
