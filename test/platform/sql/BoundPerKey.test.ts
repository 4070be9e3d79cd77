import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { boundPerKey } from "../../../src/platform/sql/BoundPerKey.ts"

it.effect("A key has so many places at a time, and another key its own", () =>
  Effect.gen(function*() {
    const bound = boundPerKey(2)
    const done = yield* Deferred.make<void>()
    let inside = 0
    const stay = (key: string) =>
      Effect.scoped(Effect.andThen(
        bound.take(key),
        Effect.suspend(() => {
          inside += 1
          return Deferred.await(done)
        })
      ))
    const fibers = yield* Effect.forEach(["a", "a", "a", "b"], (key) =>
      Effect.forkChild(stay(key), { startImmediately: true }))
    assert.strictEqual(inside, 3)
    yield* Deferred.succeed(done, undefined)
    yield* Effect.forEach(fibers, Fiber.join)
    assert.strictEqual(inside, 4)
  }))

it.effect("A key is forgotten when nobody has a place or waits for one", () =>
  Effect.gen(function*() {
    const bound = boundPerKey(1)
    yield* Effect.scoped(Effect.gen(function*() {
      yield* bound.take("a")
      const waiting = yield* Effect.forkChild(Effect.scoped(bound.take("a")), { startImmediately: true })
      yield* Fiber.interrupt(waiting)
      assert.strictEqual(bound.size(), 1)
    }))
    assert.strictEqual(bound.size(), 0)
    yield* Effect.scoped(bound.take("a"))
  }))
