import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { Deadlines } from "../../../src/webhooks/send/Deadlines.ts"

/** Watched deadlines, and the names of the expired ones. */
const kept = Effect.gen(function*() {
  const deadlines = new Deadlines(yield* Clock.Clock)
  const expired: Array<string> = []
  yield* Effect.forkScoped(deadlines.keep)
  const watch = (name: string) =>
    deadlines.watch({ endsAt: deadlines.monotonic() + 1000, expire: () => void expired.push(name) })
  return { deadlines, expired, watch }
})

describe("a deadline", () => {
  it.effect("comes when its time is over, for each in turn", () =>
    Effect.gen(function*() {
      const { expired, watch } = yield* kept
      watch("first")
      yield* TestClock.adjust("400 millis")
      watch("second")
      yield* TestClock.adjust("599 millis")
      assert.deepStrictEqual(expired, [])
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(expired, ["first"])
      yield* TestClock.adjust("400 millis")
      assert.deepStrictEqual(expired, ["first", "second"])
    }))

  it.effect("does not come for what has ended before", () =>
    Effect.gen(function*() {
      const { deadlines, expired, watch } = yield* kept
      const first = watch("first")
      watch("second")
      deadlines.forget(first)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(expired, ["second"])
    }))

  it.effect("comes again after a time without any", () =>
    Effect.gen(function*() {
      const { expired, watch } = yield* kept
      watch("first")
      yield* TestClock.adjust("1 minute")
      watch("second")
      yield* TestClock.adjust("999 millis")
      assert.deepStrictEqual(expired, ["first"])
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(expired, ["first", "second"])
    }))
})
