import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { repeatedly } from "../../../src/platform/jobs/Repeatedly.ts"

describe("Work that is done again and again", () => {
  it.effect("begins at once and goes on after a round that died", () =>
    Effect.gen(function*() {
      let rounds = 0
      const work = Effect.suspend(() => {
        rounds += 1
        return rounds === 2 ? Effect.die("not today") : Effect.void
      })
      yield* repeatedly(work, { every: "1 minute", onFailure: "A round failed" })
      yield* TestClock.adjust("0 millis")
      assert.strictEqual(rounds, 1)
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual(rounds, 3)
    }).pipe(Effect.scoped))

  it.effect("begins later where it is told to", () =>
    Effect.gen(function*() {
      let rounds = 0
      const work = Effect.sync(() => {
        rounds += 1
      })
      yield* repeatedly(work, { startAfter: "30 seconds", every: "1 minute", onFailure: "A round failed" })
      yield* TestClock.adjust("29 seconds")
      assert.strictEqual(rounds, 0)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(rounds, 1)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(rounds, 2)
    }).pipe(Effect.scoped))

  it.effect("ends with the scope", () =>
    Effect.gen(function*() {
      let rounds = 0
      const work = Effect.sync(() => {
        rounds += 1
      })
      yield* Effect.scoped(Effect.andThen(
        repeatedly(work, { every: "1 minute", onFailure: "A round failed" }),
        TestClock.adjust("1 minute")
      ))
      const then = rounds
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual(rounds, then)
    }))
})
