import { Context, Effect, Layer, Queue } from "effect"

/**
 * Tells this process's worker that an inbound event waits, so that it is processed before the next poll. If a signal is lost,
 * the event is processed at the next poll.
 */
export class InboundSignal extends Context.Service<InboundSignal, {
  readonly notify: Effect.Effect<void>
  /** Ends with the next signal, or at once if one came since the last. */
  readonly next: Effect.Effect<void>
}>()("turma/sales/InboundSignal") {
  static readonly layer = Layer.effect(
    InboundSignal,
    Effect.gen(function*() {
      const signals = yield* Queue.sliding<void>(1)
      return InboundSignal.of({ notify: Effect.asVoid(Queue.offer(signals, undefined)), next: Queue.take(signals) })
    })
  )
}
