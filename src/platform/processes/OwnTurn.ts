import { Context, Effect, Semaphore } from "effect"

/** One at a time takes the next turn. */
const Turnstile = Context.Reference<Semaphore.Semaphore>("turma/platform/processes/Turnstile", {
  defaultValue: () => Semaphore.makeUnsafe(1)
})

/**
 * Goes on in a later turn of the event loop, alone of all fibers that wait here. `Effect.yieldNow` lets all fibers that
 * yield go on in one and the same turn. Twenty slices of work would block the loop for twenty times as long.
 */
export const ownTurn: Effect.Effect<void> = Effect.flatMap(
  Turnstile,
  (turnstile) => turnstile.withPermit(Effect.yieldNow)
)
