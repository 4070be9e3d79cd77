import { Effect, Latch } from "effect"

/**
 * Tells the fiber of a lane that there is something to do. One latch for both kinds of events: waiting for several costs a
 * fiber each.
 */
export class LaneSignal {
  readonly #latch = Latch.makeUnsafe()
  #isWoken = false

  /** An attempt of the lane has ended. */
  attemptEnded(): void {
    this.#latch.openUnsafe()
  }

  /** Makes the lane read again at once. */
  readAgain(): void {
    this.#latch.openUnsafe()
  }

  /** The table may hold more deliveries than the lane has read. */
  readonly wake: Effect.Effect<boolean> = Effect.suspend(() => {
    this.#isWoken = true
    return this.#latch.open
  })

  /** Ends with the first signal since `reset`. */
  readonly wait: Effect.Effect<void> = this.#latch.await

  /** Signals from here on are new ones. Answers whether one of those before was a wake. */
  readonly reset: Effect.Effect<boolean> = Effect.map(this.#latch.close, () => {
    const isWoken = this.#isWoken
    this.#isWoken = false
    return isWoken
  })
}
