import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Scope } from "effect"
import { TestClock } from "effect/testing"
import { workLoop } from "../../../src/platform/jobs/WorkLoop.ts"

/** A loop whose work takes this long to end after the stop. */
const slowToEnd = Effect.fnUntraced(function*(duration: "5 seconds" | "1 hour") {
  const scope = yield* Scope.make()
  const ended = yield* Deferred.make<"by itself" | "cut off">()
  const work = (stop: Deferred.Deferred<void>) =>
    Effect.andThen(Deferred.await(stop), Effect.sleep(duration)).pipe(
      Effect.onExit((exit) => Deferred.succeed(ended, Exit.isSuccess(exit) ? "by itself" : "cut off")),
      Effect.asVoid
    )
  yield* workLoop({ work, shutdownGrace: "10 seconds", onCutOff: "Work is left" }).pipe(Scope.provide(scope))
  return { close: Scope.close(scope, Exit.void), ended }
})

describe("A loop of work", () => {
  it.effect("is waited for when its scope closes", () =>
    Effect.gen(function*() {
      const { close, ended } = yield* slowToEnd("5 seconds")
      const closing = yield* Effect.forkChild(close, { startImmediately: true })
      yield* TestClock.adjust("4 seconds")
      assert.isUndefined(closing.pollUnsafe())
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(closing)
      assert.strictEqual(yield* Deferred.await(ended), "by itself")
    }))

  it.effect("is cut off when that takes too long", () =>
    Effect.gen(function*() {
      const { close, ended } = yield* slowToEnd("1 hour")
      const closing = yield* Effect.forkChild(close, { startImmediately: true })
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(closing)
      assert.strictEqual(yield* Deferred.await(ended), "cut off")
    }))
})
