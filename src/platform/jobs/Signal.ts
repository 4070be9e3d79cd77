import { Effect, Queue } from "effect"

/**
 * Tells a worker of this process that work waits, so that it begins at once. A lost signal costs time, never work. The
 * next look of the watch finds the work, or the worker's own look if it has no watch.
 */
export interface Signal {
  readonly notify: Effect.Effect<void>
  /** Ends with the next signal, or at once if one came since the last. */
  readonly next: Effect.Effect<void>
}

/** A signal of its own. Several before anybody waits are one. */
export const makeSignal: Effect.Effect<Signal> = Effect.map(Queue.sliding<void>(1), (signals) => ({
  notify: Effect.asVoid(Queue.offer(signals, undefined)),
  next: Queue.take(signals)
}))
