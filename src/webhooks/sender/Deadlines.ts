import { type Clock, Duration, Effect, Latch } from "effect"

/** Something that has to end in time. */
export interface Deadline {
  /** Monotonic milliseconds. */
  readonly endsAt: number
  /** Ends it: it is not watched any more. */
  expire(): void
}

/**
 * Watches what ends equally long after it has begun: then the first that began is the first to end, and one fiber sleeps
 * for all. A fiber and a timer for each attempt cost more than its request.
 */
export class Deadlines {
  readonly #watched = new Set<Deadline>()
  readonly #occupied = Latch.makeUnsafe()
  readonly #clock: Clock.Clock

  constructor(clock: Clock.Clock) {
    this.#clock = clock
  }

  /** Monotonic milliseconds. */
  monotonic(): number {
    return Number(this.#clock.monotonicTimeNanosUnsafe() / 1_000_000n)
  }

  /** Never one that ends before another that is watched already. */
  watch(deadline: Deadline): void {
    this.#watched.add(deadline)
    if (this.#watched.size === 1) this.#occupied.openUnsafe()
  }

  /** It has ended by itself. */
  forget(deadline: Deadline): void {
    this.#watched.delete(deadline)
  }

  /** Ends what is past its deadline, for as long as it runs. */
  readonly keep: Effect.Effect<never> = Effect.forever(
    Effect.suspend(() => {
      for (const first of this.#watched) {
        const left = first.endsAt - this.monotonic()
        if (left > 0) return Effect.sleep(Duration.millis(left))
        this.#watched.delete(first)
        first.expire()
      }
      this.#occupied.closeUnsafe()
      return this.#occupied.await
    })
  )
}
