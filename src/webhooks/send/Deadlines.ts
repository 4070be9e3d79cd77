import { type Clock, Duration, Effect, Latch } from "effect"
import { type Place, Roster } from "../../platform/jobs/Roster.ts"

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
  readonly #watched = new Roster<Deadline>()
  readonly #occupied = Latch.makeUnsafe()
  readonly #clock: Clock.Clock

  constructor(clock: Clock.Clock) {
    this.#clock = clock
  }

  /** Monotonic milliseconds. */
  monotonic(): number {
    return Number(this.#clock.monotonicTimeNanosUnsafe() / 1_000_000n)
  }

  /** Must not end before one that is watched already. Answers with what `forget` takes. */
  watch(deadline: Deadline): Place<Deadline> {
    if (this.#watched.first === undefined) this.#occupied.openUnsafe()
    return this.#watched.add(deadline)
  }

  /** It has ended by itself. */
  forget(watched: Place<Deadline>): void {
    this.#watched.remove(watched)
  }

  /** Ends what is past its deadline, for as long as it runs. */
  readonly keep: Effect.Effect<never> = Effect.forever(Effect.suspend(() => {
    for (let first = this.#watched.first; first !== undefined; first = this.#watched.first) {
      const left = first.member.endsAt - this.monotonic()
      if (left > 0) return Effect.sleep(Duration.millis(left))
      this.#watched.remove(first)
      first.member.expire()
    }
    this.#occupied.closeUnsafe()
    return this.#occupied.await
  }))
}
