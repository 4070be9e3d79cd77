import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Queue, Stream } from "effect"
import { TestClock } from "effect/testing"
import { Assistant } from "../../../../src/assistant/providers/Assistant.ts"
import {
  answering,
  anthropicWire,
  type ModelAnswer,
  openAiWire,
  startModelServer
} from "../../../harness/ModelServer.ts"
import { assistantAt, heard, impatient, key, material, question } from "./Questions.ts"

const failing = (status: number, headers: Readonly<Record<string, string>> = {}, body = ""): ModelAnswer => ({
  status,
  headers,
  pieces: [body]
})

const providers = [["anthropic", anthropicWire], ["openai", openAiWire]] as const

describe.each(providers)("a model of %s", (provider, wire) => {
  const asking = Effect.fnUntraced(function*(...answers: ReadonlyArray<ModelAnswer>) {
    const server = yield* startModelServer(...answers)
    const result = yield* heard().pipe(Effect.provide(assistantAt(provider, server.base_url)))
    return { ...result, requests: yield* server.count }
  })

  const fine = answering(wire, "Ela ", "ajuda.")

  it.effect("answers piece by piece, and what it does not know says nothing", () =>
    Effect.gen(function*() {
      const { code, requests, text } = yield* asking(fine)
      assert.deepStrictEqual({ code, requests, text }, { code: null, requests: 1, text: "Ela ajuda." })
    }))

  it.effect("is understood wherever the connection cuts its events, also within a letter", () =>
    Effect.gen(function*() {
      const bytes = Buffer.from([...wire.begins, wire.says("Respiração é vida "), wire.stops(wire.stop)].join(""))
      const pieces = Array.from(
        { length: Math.ceil(bytes.length / 7) },
        (_, index) => bytes.subarray(index * 7, index * 7 + 7)
      )
      const { code, text } = yield* asking({ pieces })
      assert.deepStrictEqual({ code, text }, { code: null, text: "Respiração é vida " })
    }))

  it.effect("that has no room left ends with a mark of that", () =>
    Effect.gen(function*() {
      const { code, text } = yield* asking({ pieces: [wire.says("Ela ajuda quando"), wire.stops(wire.length)] })
      assert.deepStrictEqual({ code, text }, { code: null, text: "Ela ajuda quando…" })
    }))

  it.effect("that is asked too often is asked once more when it says that this is soon", () =>
    Effect.gen(function*() {
      const { code, requests } = yield* asking(failing(429, { "retry-after": "0" }), fine)
      assert.deepStrictEqual({ code, requests }, { code: null, requests: 2 })
    }))

  it.effect("that is asked too often is asked once more when it does not say how long", () =>
    Effect.gen(function*() {
      const { code, requests } = yield* asking(failing(429))
      assert.deepStrictEqual({ code, requests }, { code: "provider_rate_limited", requests: 2 })
    }))

  it.effect("that is asked too often and wants a long pause is not waited for", () =>
    Effect.gen(function*() {
      const { code, requests } = yield* asking(failing(429, { "retry-after": "6" }), fine)
      assert.deepStrictEqual({ code, requests }, { code: "provider_rate_limited", requests: 1 })
    }))

  it.effect("whose account is used up is not asked again", () =>
    Effect.gen(function*() {
      const body = JSON.stringify({ error: { type: "insufficient_quota", message: "…", code: "insufficient_quota" } })
      const { code, requests } = yield* asking(failing(429, {}, body), fine)
      assert.deepStrictEqual({ code, requests }, { code: "provider_rate_limited", requests: 1 })
    }))

  it.effect.each([500, 502, 503, 529, 408])(
    "that has a bad moment (%s) is asked again",
    (status) =>
      Effect.gen(function*() {
        const { code, requests, text } = yield* asking(failing(status), fine)
        assert.deepStrictEqual({ code, requests, text }, { code: null, requests: 2, text: "Ela ajuda." })
      })
  )

  it.effect("that stays overloaded is given up after three attempts", () =>
    Effect.gen(function*() {
      const { code, requests } = yield* asking(failing(529))
      assert.deepStrictEqual({ code, requests }, { code: "provider_unavailable", requests: 3 })
    }))

  it.effect("that says within its stream that it is overloaded is asked again", () =>
    Effect.gen(function*() {
      const { code, requests, text } = yield* asking({ pieces: [...wire.begins, wire.fails] }, fine)
      assert.deepStrictEqual({ code, requests, text }, { code: null, requests: 2, text: "Ela ajuda." })
    }))

  it.effect("that fails within its text is not asked again, and what it said stands", () =>
    Effect.gen(function*() {
      const { code, requests, text } = yield* asking({ pieces: [wire.says("Ela ajuda muito"), wire.fails] }, fine)
      assert.deepStrictEqual({ code, requests, text }, {
        code: "provider_unavailable",
        requests: 1,
        text: "Ela ajuda "
      })
    }))

  it.effect.each([401, 403, 400, 404, 413, 302, 204])(
    "that refuses the request (%s) is not asked again",
    (status) =>
      Effect.gen(function*() {
        const { code, requests, text } = yield* asking(failing(status, { location: "/elsewhere" }), fine)
        assert.deepStrictEqual({ code, requests, text }, { code: "provider_unavailable", requests: 1, text: "" })
      })
  )

  it.effect("that will not answer is not asked again", () =>
    Effect.gen(function*() {
      const { code, requests } = yield* asking({ pieces: [...wire.begins, wire.refuses] }, fine)
      assert.deepStrictEqual({ code, requests }, { code: "answer_refused", requests: 1 })
    }))

  it.effect("whose guard will not let the question through is not asked again", () =>
    Effect.gen(function*() {
      const body = JSON.stringify({ error: { type: "invalid_request_error", code: "content_filter" } })
      const { code, requests } = yield* asking(failing(400, {}, body), fine)
      assert.deepStrictEqual({ code, requests }, { code: "answer_refused", requests: 1 })
    }))

  it.effect.each(["breaks", "ends"] as const)(
    "whose stream %s in the middle has failed after what it said",
    (end) =>
      Effect.gen(function*() {
        const { code, requests, text } = yield* asking({ pieces: [wire.says("Ela ajuda muito")], end }, fine)
        assert.deepStrictEqual({ code, requests, text }, {
          code: "provider_unavailable",
          requests: 1,
          text: "Ela ajuda "
        })
      })
  )

  it.effect.each(["breaks", "ends"] as const)(
    "whose stream %s before any text is asked again",
    (end) =>
      Effect.gen(function*() {
        const { code, requests, text } = yield* asking({ pieces: wire.begins, end }, fine)
        assert.deepStrictEqual({ code, requests, text }, { code: null, requests: 2, text: "Ela ajuda." })
      })
  )

  it.effect.each(["data: {not json\n\n", "data: 5\n\n", wire.malformed])(
    "whose event is malformed has failed",
    (event) =>
      Effect.gen(function*() {
        const { code, requests, text } = yield* asking({
          pieces: [wire.says("Ela ajuda muito"), event, wire.stops(wire.stop)]
        })
        assert.deepStrictEqual({ code, requests, text }, {
          code: "provider_unavailable",
          requests: 1,
          text: "Ela ajuda "
        })
      })
  )

  it.effect("whose event never ends has failed", () =>
    Effect.gen(function*() {
      const { code } = yield* asking({ pieces: [`data: ${"x".repeat(300_000)}`], end: "stalls" })
      assert.strictEqual(code, "provider_unavailable")
    }))

  it.effect("that says nothing has failed", () =>
    Effect.gen(function*() {
      const { code } = yield* asking({ pieces: [...wire.begins, wire.stops(wire.stop)] })
      assert.strictEqual(code, "provider_unavailable")
    }))

  it.effect("that nobody can reach has failed", () =>
    Effect.gen(function*() {
      const { base_url } = yield* Effect.scoped(startModelServer(fine))
      const { code } = yield* heard().pipe(Effect.provide(assistantAt(provider, base_url)))
      assert.strictEqual(code, "provider_unavailable")
    }))

  it.effect("is waited for 20 seconds until it begins", () =>
    Effect.gen(function*() {
      const server = yield* startModelServer({ end: "silent" })
      const answer = yield* Effect.forkChild(Effect.provide(heard(), assistantAt(provider, server.base_url)))
      yield* Queue.take(server.asked)
      yield* TestClock.adjust("19 seconds")
      assert.isUndefined(answer.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(answer)).code, "timeout")
      assert.strictEqual(yield* server.count, 1)
      yield* Queue.take(server.hungUp)
    }))

  it.effect("is waited for 20 seconds while it says nothing, and what it said stands", () =>
    Effect.gen(function*() {
      const server = yield* startModelServer({ pieces: [wire.says("Ela ajuda muito")], end: "stalls" })
      const said = yield* Deferred.make<void>()
      const answer = yield* Effect.gen(function*() {
        const assistant = yield* Assistant
        return yield* assistant.answer(question).pipe(
          Stream.tap(() => Deferred.succeed(said, undefined)),
          Stream.runDrain,
          Effect.flip
        )
      }).pipe(Effect.provide(assistantAt(provider, server.base_url)), Effect.forkChild)
      yield* Deferred.await(said)
      yield* Effect.repeat(Effect.andThen(Effect.yieldNow, TestClock.adjust("20 seconds")), {
        until: () => answer.pollUnsafe() !== undefined
      })
      assert.strictEqual((yield* Fiber.join(answer)).code, "timeout")
      yield* Queue.take(server.hungUp)
    }))

  it.effect("is waited for 90 seconds in all, however much it says", () =>
    Effect.gen(function*() {
      const server = yield* startModelServer({ end: "silent" })
      const patient = { ...impatient, first_byte: Duration.hours(1), between: Duration.hours(1) }
      const assistant = assistantAt(provider, server.base_url, material(), patient)
      const answer = yield* Effect.forkChild(Effect.provide(heard(), assistant))
      yield* Queue.take(server.asked)
      yield* TestClock.adjust("89 seconds")
      assert.isUndefined(answer.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(answer)).code, "timeout")
    }))

  it.effect("is hung up on when nobody listens any more", () =>
    Effect.gen(function*() {
      const server = yield* startModelServer({ pieces: [wire.says("Ela ajuda muito")], end: "stalls" })
      const [first] = yield* Effect.gen(function*() {
        const assistant = yield* Assistant
        return yield* Stream.runCollect(Stream.take(assistant.answer(question), 1))
      }).pipe(Effect.provide(assistantAt(provider, server.base_url)))
      assert.deepStrictEqual(first, { _tag: "Text", text: "Ela ajuda " })
      yield* Queue.take(server.hungUp)
    }))

  it.effect("is asked with the key and the model, streaming, and without our traces", () =>
    Effect.gen(function*() {
      const server = yield* startModelServer(fine)
      yield* heard().pipe(Effect.withSpan("a request"), Effect.provide(assistantAt(provider, server.base_url)))
      const { body, headers, path } = yield* Queue.take(server.asked)
      const credential = provider === "anthropic" ? headers["x-api-key"] : headers.authorization
      assert.strictEqual(credential, provider === "anthropic" ? key : `Bearer ${key}`)
      assert.strictEqual(path, provider === "anthropic" ? "/v1/messages" : "/chat/completions")
      assert.strictEqual(headers["anthropic-version"], provider === "anthropic" ? "2023-06-01" : undefined)
      assert.include(body, `"model":"model-1"`)
      assert.include(body, `"stream":true`)
      assert.isUndefined(headers["traceparent"])
      assert.isUndefined(headers["b3"])
    }))
})
