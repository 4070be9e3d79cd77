import { Effect } from "effect"

/** A moment that one waits for and others bring about. One that comes while nobody waits is not lost. */
export class Bell {
  #rung = false
  readonly #waiting = new Set<() => void>()

  readonly ring = (): void => {
    this.#rung = this.#waiting.size === 0
    // A fiber that wakes may wait again at once: for the next time, not for this one.
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const wake of waiting) wake()
  }

  readonly heard: Effect.Effect<void> = Effect.callback((resume) => {
    if (this.#rung) {
      this.#rung = false
      return resume(Effect.void)
    }
    const wake = () => resume(Effect.void)
    this.#waiting.add(wake)
    return Effect.sync(() => void this.#waiting.delete(wake))
  })
}
