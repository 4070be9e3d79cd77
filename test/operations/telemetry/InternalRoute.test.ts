import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { asPage } from "../../console/server/Own.ts"
import { appLayer, outcome, send } from "../../harness/App.ts"
import { startRedis } from "../../harness/Redis.ts"

const secret = "a-long-random-text-of-more-than-24"
const variables = { INTERNAL_SECRET: secret, RATE_LIMIT_CREDENTIALS: "3", TRUSTED_PROXIES: "127.0.0.0/8,::1/128" }

const from = (address: string) => ({ "x-forwarded-for": address })

const read = (path: string, token: string, address: string) =>
  Effect.map(send("GET", path, { token, headers: from(address) }), (answer) => [
    ...outcome(answer),
    answer.headers["retry-after"]
  ])

const enter = (given: string, address: string) =>
  Effect.map(asPage("POST", "/console/operator", { body: { secret: given }, headers: from(address) }), outcome)

const metrics = "/internal/metrics"
const overview = "/internal/overview"

layer(appLayer(variables))("The service's own secret", (it) => {
  it.effect("is guessed as often as a limit allows in a minute and from one address, whichever door is tried", () =>
    Effect.gen(function*() {
      const here = "203.0.113.1"
      assert.deepStrictEqual(yield* read(metrics, "one", here), [401, "unauthenticated", undefined])
      assert.deepStrictEqual(yield* read(overview, "two", here), [401, "unauthenticated", undefined])
      assert.deepStrictEqual(yield* enter("three", here), [401, "unauthenticated"])
      for (const path of [metrics, overview]) {
        assert.deepStrictEqual(yield* read(path, "four", here), [429, "rate_limited", "60"])
        assert.deepStrictEqual(yield* read(path, secret, here), [429, "rate_limited", "60"])
      }
      assert.deepStrictEqual(yield* enter(secret, here), [429, "rate_limited"])
      assert.strictEqual((yield* read(metrics, secret, "203.0.113.2"))[0], 200)
      yield* TestClock.adjust("1 minute")
      for (const path of [metrics, overview]) assert.strictEqual((yield* read(path, secret, here))[0], 200)
    }))

  it.effect("is no guess where it is right, or where nothing is presented", () =>
    Effect.gen(function*() {
      const here = "203.0.113.3"
      for (let n = 0; n < 5; n++) {
        assert.strictEqual((yield* read(metrics, secret, here))[0], 200)
        for (const headers of [from(here), { ...from(here), authorization: "Basic one" }]) {
          assert.deepStrictEqual(outcome(yield* send("GET", overview, { headers })), [401, "unauthenticated"])
        }
      }
      assert.deepStrictEqual(yield* enter(secret, here), [200, undefined])
    }))

  it.effect("is asked for where people behind the same address have used up their sign-ins", () =>
    Effect.gen(function*() {
      const here = "203.0.113.4"
      const body = { email: "ana@example.com", password: "violao e voz" }
      const signIn = send("POST", "/v1/auth/admin/sign-in", { body, headers: from(here) })
      const statuses = yield* Effect.replicateEffect(Effect.map(signIn, ({ status }) => status), 4)
      assert.deepStrictEqual(statuses, [401, 401, 401, 429])
      assert.strictEqual((yield* read(metrics, secret, here))[0], 200)
    }))
})

// Redis keeps its own time, so this runs on the real clock.
layer(Logger.layer([]), { excludeTestServices: true })("The service's own secret, while Redis is away,", (it) => {
  it.effect("still opens what operators read, and counts its guesses too", () =>
    Effect.gen(function*() {
      const redis = yield* startRedis()
      const app = yield* Layer.build(appLayer({ ...variables, REDIS_URL: redis.url }))
      yield* Effect.gen(function*() {
        const [here, there] = ["203.0.113.5", "203.0.113.6"]
        assert.strictEqual((yield* read(overview, secret, here))[0], 200)
        yield* redis.stop
        for (let n = 0; n < 4; n++) assert.strictEqual((yield* read(overview, secret, here))[0], 200)
        for (let n = 0; n < 3; n++) assert.strictEqual((yield* read(overview, `${n}`, there))[0], 401)
        assert.deepStrictEqual((yield* read(metrics, secret, there)).slice(0, 2), [429, "rate_limited"])
      }).pipe(Effect.provide(app))
    }))
})
