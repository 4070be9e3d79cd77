import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { type Consumption, RateLimiter } from "../../../src/identity/limits/RateLimiter.ts"
import { expected, observed, Steps } from "./Model.ts"

const ann: Consumption = { scope: "ip-writes", key: "ann", limit: 60, window: Duration.minutes(1) }

const consume = (options: Consumption, times = 1) =>
  Effect.flatMap(RateLimiter, (limiter) => Effect.all(Array.from({ length: times }, () => limiter.consume(options))))

describe("RateLimiter in memory", () => {
  it.effect("lets 60 pass and refuses the 61st until the minute that the first opened is over", () =>
    Effect.gen(function*() {
      yield* consume(ann)
      yield* TestClock.adjust("30 seconds")
      yield* consume(ann, 59)
      yield* TestClock.adjust("29999 millis")
      const refused = yield* Effect.flip(consume(ann))
      assert.strictEqual(refused._tag, "RateLimitExceeded")
      yield* TestClock.adjust("1 millis")
      assert.strictEqual((yield* consume(ann))[0]?.remaining, 59)
    }).pipe(Effect.provide(RateLimiter.layerMemory)))

  it.effect("does not count a refused request", () =>
    Effect.gen(function*() {
      yield* consume(ann, 60)
      for (let n = 0; n < 100; n++) yield* Effect.flip(consume(ann))
      yield* TestClock.adjust("1 minute")
      yield* consume(ann, 60)
    }).pipe(Effect.provide(RateLimiter.layerMemory)))

  it.effect("says how many remain and when the window closes, in whole seconds of at least one", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* consume(ann), [{ limit: 60, remaining: 59, reset_seconds: 60 }])
      yield* TestClock.adjust("59001 millis")
      assert.deepStrictEqual(yield* consume(ann), [{ limit: 60, remaining: 58, reset_seconds: 1 }])
    }).pipe(Effect.provide(RateLimiter.layerMemory)))

  it.effect("says in a refusal how long to wait", () =>
    Effect.gen(function*() {
      yield* consume(ann, 60)
      yield* TestClock.adjust("17500 millis")
      const refused = yield* Effect.flip(consume(ann))
      assert.deepInclude(refused, { limit: 60, reset_seconds: 43 })
    }).pipe(Effect.provide(RateLimiter.layerMemory)))

  it.effect("counts scopes apart, also where their names and keys join to the same text", () =>
    Effect.gen(function*() {
      yield* consume({ ...ann, scope: "a:b", key: "c", limit: 1 })
      yield* consume({ ...ann, scope: "a", key: "b:c", limit: 1 })
    }).pipe(Effect.provide(RateLimiter.layerMemory)))

  it.effect("takes back one request and keeps the window", () =>
    Effect.gen(function*() {
      const limiter = yield* RateLimiter
      yield* consume(ann, 60)
      yield* TestClock.adjust("10 seconds")
      yield* limiter.giveBack(ann.scope, ann.key)
      yield* consume(ann)
      assert.deepInclude(yield* Effect.flip(consume(ann)), { limit: 60, reset_seconds: 50 })
    }).pipe(Effect.provide(RateLimiter.layerMemory)))

  it.effect("lets exactly the limit pass of 200 at once", () =>
    Effect.gen(function*() {
      const passed = yield* Effect.all(
        Array.from({ length: 200 }, () => Effect.isSuccess(consume(ann))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(passed.filter(Boolean).length, 60)
    }).pipe(Effect.provide(RateLimiter.layerMemory)))

  it.effect.prop(
    "answers every sequence as a fixed window does",
    { steps: Steps },
    ({ steps }) =>
      Effect.gen(function*() {
        assert.deepStrictEqual(
          yield* observed(steps, "model", (seconds) => TestClock.adjust(seconds * 1000)),
          expected(steps)
        )
      }).pipe(Effect.provide(RateLimiter.layerMemory, { local: true }))
  )
})
