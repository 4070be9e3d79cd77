import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { boundPerKey } from "../../../src/platform/sql/BoundPerKey.ts"

it.effect("A key has so many places at a time, and another key its own", () =>
  Effect.gen(function*() {
    const bound = boundPerKey({ places: 2 })
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
    const bound = boundPerKey({ places: 1 })
    yield* Effect.scoped(Effect.gen(function*() {
      yield* bound.take("a")
      const waiting = yield* Effect.forkChild(Effect.scoped(bound.take("a")), { startImmediately: true })
      yield* Fiber.interrupt(waiting)
      assert.strictEqual(bound.size(), 1)
    }))
    assert.strictEqual(bound.size(), 0)
    yield* Effect.scoped(bound.take("a"))
  }))

it.effect("What may not even wait is refused, and takes nobody's place", () =>
  Effect.gen(function*() {
    const bound = boundPerKey({ places: 2, waiting: 1, inAll: 4 })
    const done = yield* Deferred.make<void>()
    const ask = (key: string) => bound.run(key, Effect.as(Deferred.await(done), "run"), Effect.fail("full"))
    const begun = yield* Effect.forEach(
      ["a", "a", "a"],
      (key) => Effect.forkChild(ask(key), { startImmediately: true })
    )
    assert.strictEqual(yield* Effect.flip(ask("a")), "full")
    const other = yield* Effect.forkChild(ask("b"), { startImmediately: true })
    // All keys together have reached their bound, but a key without a place gets one.
    assert.strictEqual(yield* Effect.flip(ask("b")), "full")
    const late = yield* Effect.forkChild(ask("c"), { startImmediately: true })
    yield* Deferred.succeed(done, undefined)
    assert.deepStrictEqual(yield* Effect.forEach([...begun, other, late], Fiber.join), Array(5).fill("run"))
    assert.deepStrictEqual([bound.size(), yield* ask("a")], [0, "run"])
  }))

it.effect("What is given up while it waits or runs leaves its place to the next", () =>
  Effect.gen(function*() {
    const bound = boundPerKey({ places: 1, waiting: 2 })
    const ask = (work: Effect.Effect<string>) => bound.run("a", work, Effect.die("full"))
    const running = yield* Effect.forkChild(ask(Effect.never), { startImmediately: true })
    const waiting = yield* Effect.forkChild(ask(Effect.never), { startImmediately: true })
    const last = yield* Effect.forkChild(ask(Effect.succeed("run")), { startImmediately: true })
    yield* Fiber.interrupt(waiting)
    yield* Fiber.interrupt(running)
    assert.strictEqual(yield* Fiber.join(last), "run")
    assert.strictEqual(bound.size(), 0)
  }))
