import { Effect, Fiber } from "effect"
import { Roster } from "../../../platform/jobs/Roster.ts"

/** Forks what runs until the scope is closed. */
export const forkUntilEnd = Effect.gen(function*() {
  const fibers = new Roster<Fiber.Fiber<void>>()
  const runFork = Effect.runForkWith(yield* Effect.context<never>())
  yield* Effect.addFinalizer(() => Effect.suspend(() => Fiber.interruptAll(fibers.members())))
  return (effect: Effect.Effect<void>): void => {
    const fiber = runFork(effect)
    const place = fibers.add(fiber)
    fiber.addObserver(() => fibers.remove(place))
  }
})
