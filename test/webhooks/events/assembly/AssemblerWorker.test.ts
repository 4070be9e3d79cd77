import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Logger, Queue } from "effect"
import { TestClock } from "effect/testing"
import { ClockGuard } from "../../../../src/platform/jobs/ClockGuard.ts"
import { Assembler, batch } from "../../../../src/webhooks/events/assembly/Assembler.ts"
import { assemblerWorkerLayer } from "../../../../src/webhooks/events/assembly/Assembler.ts"

/** A worker that polls every second. Its assembler announces each batch and runs the test's function in it. */
const scripted = Effect.gen(function*() {
  const begun = yield* Queue.unbounded<void>()
  const script = yield* Queue.unbounded<Effect.Effect<number>>()
  const assemble = () => Effect.andThen(Queue.offer(begun, undefined), Effect.flatten(Queue.take(script)))
  const start = Layer.build(assemblerWorkerLayer({ pollEvery: "1 second" })
    .pipe(Layer.provide([Layer.succeed(Assembler, { assemble }), Layer.mock(ClockGuard, { work: (task) => task })])))
  return {
    start,
    begins: Queue.take(begun),
    hasBegun: Effect.map(Queue.size(begun), (size) => size > 0),
    next: (work: Effect.Effect<number>) => Queue.offer(script, work)
  }
})

/** Lets every fiber run as far as it can at this moment. */
const settle = TestClock.adjust(0)

describe("The worker of the assembly", () => {
  it.effect("asks again at once after a full batch, and after its pause otherwise", () =>
    Effect.gen(function*() {
      const { begins, hasBegun, next, start } = yield* scripted
      yield* start
      yield* begins
      yield* next(Effect.succeed(batch))
      yield* begins
      yield* next(Effect.succeed(batch - 1))
      yield* settle
      assert.isFalse(yield* hasBegun)
      yield* TestClock.adjust("999 millis")
      assert.isFalse(yield* hasBegun)
      yield* TestClock.adjust("1 millis")
      assert.isTrue(yield* hasBegun)
      yield* next(Effect.succeed(0))
    }))

  it.effect("goes on after an assembly that dies, and says so", () =>
    Effect.gen(function*() {
      const lines: Array<string> = []
      const logger = Logger.map(Logger.formatJson, (line) => lines.push(line))
      yield* Effect.gen(function*() {
        const { begins, next, start } = yield* scripted
        yield* start
        yield* begins
        yield* next(Effect.die(new Error("no database")))
        yield* TestClock.adjust("1 second")
        yield* begins
        yield* next(Effect.succeed(0))
      }).pipe(Effect.scoped, Effect.provide(Logger.layer([logger])))
      assert.include(lines.join(), "no database")
    }))

  it.effect("finishes the batch in hand before it ends, and begins no other", () =>
    Effect.gen(function*() {
      const { begins, hasBegun, next, start } = yield* scripted
      const finished = yield* Deferred.make<void>()
      const release = yield* Deferred.make<void>()
      const closing = yield* Deferred.make<void>()
      const running = yield* Effect.gen(function*() {
        yield* start
        yield* begins
        yield* next(Deferred.await(release).pipe(
          Effect.andThen(Deferred.succeed(finished, undefined)),
          Effect.as(batch)
        ))
        yield* Effect.addFinalizer(() => Deferred.succeed(closing, undefined))
      }).pipe(Effect.scoped, Effect.forkChild)
      yield* Deferred.await(closing)
      yield* Deferred.succeed(release, undefined)
      yield* Fiber.join(running)
      assert.isTrue(yield* Deferred.isDone(finished))
      assert.isFalse(yield* hasBegun)
    }))

  it.effect("leaves a batch behind that takes longer than 10 seconds to finish", () =>
    Effect.gen(function*() {
      const { begins, next, start } = yield* scripted
      const cutOff = yield* Deferred.make<void>()
      const closing = yield* Deferred.make<void>()
      const running = yield* Effect.gen(function*() {
        yield* start
        yield* begins
        yield* next(Effect.onInterrupt(Effect.never, () => Deferred.succeed(cutOff, undefined)))
        yield* Effect.addFinalizer(() => Deferred.succeed(closing, undefined))
      }).pipe(Effect.scoped, Effect.provide(Logger.layer([])), Effect.forkChild)
      yield* Deferred.await(closing)
      yield* TestClock.adjust("9 seconds")
      assert.isFalse(yield* Deferred.isDone(cutOff))
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(running)
      assert.isTrue(yield* Deferred.isDone(cutOff))
    }))
})
