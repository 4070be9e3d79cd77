import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { makeSignal } from "../../../src/platform/jobs/Signal.ts"

describe("A signal", () => {
  it.effect("wakes whoever waits for it", () =>
    Effect.gen(function*() {
      const signal = yield* makeSignal
      const waiting = yield* Effect.forkChild(signal.next, { startImmediately: true })
      yield* signal.notify
      yield* Fiber.join(waiting)
    }))

  it.effect("is there for whoever comes later, once however often it was given", () =>
    Effect.gen(function*() {
      const signal = yield* makeSignal
      yield* signal.notify
      yield* signal.notify
      yield* signal.next
      const waiting = yield* Effect.forkChild(signal.next, { startImmediately: true })
      assert.isUndefined(waiting.pollUnsafe())
      yield* Fiber.interrupt(waiting)
    }))
})
