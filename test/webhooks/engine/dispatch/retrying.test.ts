import { assert, it } from "@effect/vitest"
import { Clock, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { retrying } from "../../../../src/webhooks/engine/dispatch/retrying.ts"

/** Fails until this many minutes have passed. */
const failingFor = (minutes: number) =>
  Effect.flatMap(
    Clock.currentTimeMillis,
    (now) => now < minutes * 60_000 ? Effect.die(new Error("The database is away")) : Effect.succeed("done")
  )

const tried = Effect.fnUntraced(function*(minutes: number) {
  const fiber = yield* Effect.forkChild(retrying("Not yet", failingFor(minutes)))
  yield* Effect.replicateEffect(TestClock.adjust("1 second"), 11 * 60)
  return yield* Fiber.await(fiber)
})

it.effect("What was answered is tried to be recorded for 10 minutes", () =>
  Effect.gen(function*() {
    assert.deepStrictEqual(yield* tried(9.9), Exit.succeed("done"))
  }))

it.effect("What cannot be recorded for longer is given up", () =>
  Effect.gen(function*() {
    assert.isTrue(Exit.isFailure(yield* tried(10.1)))
  }))
