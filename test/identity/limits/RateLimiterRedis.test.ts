import { assert, describe, layer } from "@effect/vitest"
import { ConfigProvider, Context, Duration, Effect, Fiber, Layer, Redacted, Schedule } from "effect"
import { randomUUID } from "node:crypto"
import { countersAreShared, RateLimiter } from "../../../src/identity/limits/RateLimiter.ts"
import { Redis } from "../../../src/platform/redis/Redis.ts"
import { PatientRedisLayer, redisUrl, startRedis } from "../../harness/Redis.ts"
import { expected, observed, Steps } from "./Model.ts"

const limiterOn = (url: string) =>
  Layer.provideMerge(RateLimiter.layerRedis, Layer.suspend(() => Redis.layer(Redacted.make(url))))
    .pipe(Layer.provide(PatientRedisLayer))

/** A limiter with its own connection, like another process. */
const another = (url: string) =>
  Effect.map(Layer.build(Layer.fresh(limiterOn(url))), (context) => Context.get(context, RateLimiter))

const windowOf = (limit: number) => ({
  scope: `test-${randomUUID()}`,
  key: "ann",
  limit,
  window: Duration.minutes(1)
})

// Redis keeps its own time, so the test moves the windows instead: it shortens the time left in each.
const shift = `
for _, key in ipairs(redis.call("keys", ARGV[1])) do
  local left = redis.call("pttl", key) - ARGV[2]
  if left > 0 then redis.call("pexpire", key, left) else redis.call("del", key) end
end`

const pass = (scope: string, seconds: number) =>
  Effect.flatMap(
    Redis,
    (redis) => Effect.orDie(redis.send("EVAL", shift, 0, `turma:limit:*:${scope}:*`, seconds * 1000))
  )

const SharedLayer = Layer.unwrap(Effect.sync(() => limiterOn(redisUrl())))

// Redis keeps its own time, so these run on the real clock.
layer(SharedLayer, { excludeTestServices: true })("RateLimiter on Redis", (it) => {
  it.effect.prop(
    "answers every sequence as a fixed window does",
    { steps: Steps },
    ({ steps }) =>
      Effect.gen(function*() {
        const scope = `test-${randomUUID()}`
        const answers = yield* observed(steps, scope, (seconds) => pass(scope, seconds))
        const model = expected(steps)
        assert.deepStrictEqual(
          answers.map(([passed, remaining]) => [passed, remaining]),
          model.map(([passed, remaining]) => [passed, remaining])
        )
        for (const [index, [, , seconds]] of answers.entries()) {
          assert.isAtLeast(seconds, 1)
          assert.isAtMost(seconds, model[index]?.[2] ?? 0)
        }
      })
  )

  it.effect("lets exactly the limit pass of 200 at once", () =>
    Effect.gen(function*() {
      const limiter = yield* RateLimiter
      const one = limiter.consume(windowOf(60))
      const passed = yield* Effect.all(Array.from({ length: 200 }, () => Effect.isSuccess(one)), {
        concurrency: "unbounded"
      })
      assert.strictEqual(passed.filter(Boolean).length, 60)
    }))

  it.effect("shares one counter among all processes", () =>
    Effect.gen(function*() {
      const limiters = yield* Effect.all(Array.from({ length: 4 }, () => another(redisUrl())))
      const one = windowOf(60)
      const passed = yield* Effect.all(
        limiters.flatMap((limiter) => Array.from({ length: 50 }, () => Effect.isSuccess(limiter.consume(one)))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(passed.filter(Boolean).length, 60)
    }))

  it.effect("closes a window although nobody asks again", () =>
    Effect.gen(function*() {
      const limiter = yield* RateLimiter
      const redis = yield* Redis
      const one = windowOf(60)
      yield* limiter.consume(one)
      const keys = yield* redis.send("KEYS", `turma:limit:*:${one.scope}:*`)
      assert.strictEqual(Array.isArray(keys) ? keys.length : 0, 1)
      const left = yield* redis.send("PTTL", String(keys))
      assert.isAtLeast(Number(left), 1)
      assert.isAtMost(Number(left), 60_000)
    }))
})

describe("RateLimiter.layer", () => {
  layer(Layer.empty, { excludeTestServices: true })((it) => {
    const twoProcesses = (settings: Record<string, string>) => {
      const config = ConfigProvider.layer(ConfigProvider.fromUnknown(settings))
      const one = windowOf(1)
      const process = Effect.scoped(Effect.flatMap(
        Layer.build(Layer.fresh(Layer.provide(RateLimiter.layer, PatientRedisLayer))),
        (context) => Effect.isSuccess(Context.get(context, RateLimiter).consume(one))
      ))
      return Effect.provide(Effect.all([countersAreShared, process, process]), config)
    }

    it.effect("counts for all processes where REDIS_URL is set", () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* twoProcesses({ REDIS_URL: redisUrl() }), [true, true, false])
      }))

    it.effect("counts for each process alone where it is not", () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* twoProcesses({}), [false, true, true])
      }))
  })
})

describe("RateLimiter on a Redis that stops", () => {
  layer(Layer.empty, { excludeTestServices: true })((it) => {
    it.effect("fails every call while Redis is gone and counts again when it is back", () =>
      Effect.gen(function*() {
        const server = yield* startRedis()
        const limiter = yield* another(server.url)
        const one = limiter.consume(windowOf(1_000_000))
        yield* one
        const untilItFails = Effect.flip(Effect.forever(one))
        const load = yield* Effect
          .forkChild(Effect.all(Array.from({ length: 50 }, () => untilItFails), { concurrency: "unbounded" }))
        yield* server.stop
        const failures = yield* Fiber.join(load)
        assert.isTrue(failures.every(({ _tag }) => _tag === "CounterUnavailable"))
        assert.strictEqual((yield* Effect.flip(limiter.check))._tag, "CounterUnavailable")

        yield* startRedis({ port: server.port })
        yield* Effect.retry(limiter.check, Schedule.spaced("20 millis"))
        assert.strictEqual((yield* one).remaining, 999_999)
      }))
  })
})
