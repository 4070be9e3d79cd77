import { assert, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { HttpServerRequest } from "effect/http"
import { TestClock } from "effect/testing"
import { ClientAddress } from "../../../src/identity/limits/ClientAddress.ts"
import { CounterUnavailable, RateLimiter } from "../../../src/identity/limits/RateLimiter.ts"
import { WriteCounters } from "../../../src/identity/limits/WriteCounters.ts"

const down = Layer.mock(RateLimiter, { consume: () => Effect.fail(new CounterUnavailable({ detail: "no Redis" })) })
const CountersLayer = WriteCounters.layerNoDeps.pipe(Layer.provide([down, ClientAddress.layer]))
const request = HttpServerRequest.fromWeb(new Request("http://turma.test/", { method: "POST" }))

it.effect("says at most once in ten seconds that requests are not counted, however many come", () => {
  const lines: Array<unknown> = []
  const logger = Logger.make(({ message }) => {
    lines.push(message)
  })
  return Effect.gen(function*() {
    const counters = yield* WriteCounters
    const writes = Effect.replicateEffect(counters.countWrite("ip-writes", "ann"), 100)
    yield* writes
    yield* TestClock.adjust("9999 millis")
    yield* writes
    assert.strictEqual(lines.length, 1)
    yield* TestClock.adjust("1 millis")
    yield* writes
    assert.strictEqual(lines.length, 2)
    assert.include(String(lines[1]), "no Redis")
  }).pipe(
    Effect.provide(CountersLayer),
    Effect.provideService(HttpServerRequest.HttpServerRequest, request),
    Effect.provide(Logger.layer([logger]))
  )
})
