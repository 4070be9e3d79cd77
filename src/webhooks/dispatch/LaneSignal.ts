import { Effect, Latch } from "effect"

/** How the fiber of a lane is told that there is something to do: one latch, since waiting on several costs a fiber each. */
export class LaneCall {
  readonly #latch = Latch.makeUnsafe()
  #fromOutside = false

  /** Something in the lane has ended. */
  readonly stir: Effect.Effect<boolean> = this.#latch.open

  /** The table may hold more than the lane has seen of it. */
  readonly ring: Effect.Effect<boolean> = Effect.suspend(() => {
    this.#fromOutside = true
    return this.#latch.open
  })

  /** Ends with the first call since `answer`. */
  readonly next: Effect.Effect<void> = this.#latch.await

  /** From here on calls are new ones; says whether one came from outside. */
  readonly answer: Effect.Effect<boolean> = Effect.map(this.#latch.close, () => {
    const fromOutside = this.#fromOutside
    this.#fromOutside = false
    return fromOutside
  })
}
