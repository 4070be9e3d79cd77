import { assert, describe, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber } from "effect"
import { groupCommit, groupCommitBy } from "../../../src/platform/sql/GroupCommit.ts"

/** Doubles numbers, a batch at a time. `batches` has the batches so far, and each batch waits for `gate`. */
const doubling = (limit: number, gate: Effect.Effect<void> = Effect.void) => {
  const batches: Array<ReadonlyArray<number>> = []
  let running = 0
  const double = groupCommit<number, number>({
    limit,
    run: (numbers) =>
      Effect.gen(function*() {
        running += 1
        assert.strictEqual(running, 1, "two batches at once")
        batches.push(numbers)
        yield* gate
        running -= 1
        return numbers.map((number) => number * 2)
      })
  })
  return { batches, double }
}

describe("statements that fibers share", () => {
  it.effect("answer each fiber its own", () =>
    Effect.gen(function*() {
      const { double } = doubling(10)
      const answers = yield* Effect.forEach([1, 2, 3, 4], double, { concurrency: "unbounded" })
      assert.deepStrictEqual(answers, [2, 4, 6, 8])
    }))

  it.effect("take in what is asked while the one before runs", () =>
    Effect.gen(function*() {
      const gate = yield* Deferred.make<void>()
      const { batches, double } = doubling(10, Deferred.await(gate))
      const first = yield* Effect.forkChild(double(1))
      yield* Effect.yieldNow.pipe(Effect.repeat({ times: 20 }))
      const others = yield* Effect.forkChild(Effect.forEach([2, 3, 4], double, { concurrency: "unbounded" }))
      yield* Effect.yieldNow.pipe(Effect.repeat({ times: 20 }))
      yield* Deferred.succeed(gate, undefined)
      assert.strictEqual(yield* Fiber.join(first), 2)
      assert.deepStrictEqual(yield* Fiber.join(others), [4, 6, 8])
      assert.deepStrictEqual(batches, [[1], [2, 3, 4]])
    }))

  it.effect("hold no more than their limit", () =>
    Effect.gen(function*() {
      const { batches, double } = doubling(3)
      const numbers = Array.from({ length: 10 }, (_, index) => index)
      const answers = yield* Effect.forEach(numbers, double, { concurrency: "unbounded" })
      assert.deepStrictEqual(answers, numbers.map((number) => number * 2))
      assert.isTrue(batches.every(({ length }) => length <= 3))
    }))

  it.effect("fail for all of a batch, and for nobody after it", () =>
    Effect.gen(function*() {
      let fails = true
      const ask = groupCommit<number, number>({
        limit: 10,
        run: (numbers) => fails ? Effect.die("the server is gone") : Effect.succeed(numbers)
      })
      const exits = yield* Effect.forEach([1, 2], (number) => Effect.exit(ask(number)), { concurrency: "unbounded" })
      assert.isTrue(exits.every((exit) => Exit.isFailure(exit) && Cause.hasDies(exit.cause)))
      fails = false
      assert.strictEqual(yield* ask(7), 7)
    }))

  it.effect("are not held up by a fiber that no longer waits", () =>
    Effect.gen(function*() {
      const gate = yield* Deferred.make<void>()
      const { double } = doubling(10, Deferred.await(gate))
      const gone = yield* Effect.forkChild(double(1))
      yield* Effect.yieldNow.pipe(Effect.repeat({ times: 20 }))
      yield* Effect.forkChild(Fiber.interrupt(gone))
      yield* Deferred.succeed(gate, undefined)
      assert.strictEqual(yield* double(2), 4)
    }))

  it.effect("wait for nobody with another key", () =>
    Effect.gen(function*() {
      const gate = yield* Deferred.make<void>()
      const batches: Array<string> = []
      const ask = groupCommitBy<string, number, string>((key) => ({
        limit: 10,
        run: (numbers) =>
          Effect.suspend(() => {
            batches.push(`${key} ${numbers.join(" ")}`)
            const answers = numbers.map((number) => `${key}${number}`)
            return key === "slow" ? Effect.as(Deferred.await(gate), answers) : Effect.succeed(answers)
          })
      }))
      const slow = yield* Effect.forkChild(ask("slow", 1))
      const quick = yield* Effect.all([ask("quick", 1), ask("quick", 2)], { concurrency: "unbounded" })
      assert.deepStrictEqual(quick, ["quick1", "quick2"])
      yield* Deferred.succeed(gate, undefined)
      assert.strictEqual(yield* Fiber.join(slow), "slow1")
      assert.sameMembers(batches, ["slow 1", "quick 1 2"])
    }))
})
