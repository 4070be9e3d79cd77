import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Schema } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { forwardOne, millisOf } from "../../../src/cli/webhooks/forward/forwardOne.ts"
import { ListenerResult } from "../../../src/webhooks/listener/Listener.ts"
import { handedOut, HttpLayer, rawServer } from "./Forwarding.ts"

const isResult = Schema.is(ListenerResult)

/** The outcome of a forward to a program that answers with these bytes. */
const toldOf = Effect.fnUntraced(function*(...chunks: ReadonlyArray<string>) {
  const url = yield* rawServer((socket) =>
    socket.once("data", () => {
      for (const chunk of chunks) socket.write(chunk)
      socket.end()
    })
  )
  const result = yield* forwardOne(yield* HttpClient.HttpClient, url, handedOut(1))
  assert.isTrue(isResult(result), "The service takes it")
  const { delivery_id: _, duration_ms: __, receipt: ___, ...told } = result
  return told
})

const real = { excludeTestServices: true } as const

layer(HttpLayer, real)("The result of an answer", (it) => {
  it.effect("is its status and the start of its body, also where that breaks off", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* toldOf("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n", "ok"), {
        status_code: 200,
        error: null,
        response_body: "ok"
      })
      assert.deepStrictEqual(yield* toldOf("HTTP/1.1 500 No\r\ncontent-length: 20\r\n\r\n", "no ro"), {
        status_code: 500,
        error: null,
        response_body: "no ro"
      })
      const long = yield* toldOf("HTTP/1.1 200 OK\r\n\r\n", "é".repeat(3000))
      assert.strictEqual(long.response_body, "é".repeat(1024))
    }))

  it.effect("is for how long it asks to wait, in seconds or until a date", () =>
    Effect.gen(function*() {
      const told = (value: string) => toldOf(`HTTP/1.1 503 No\r\nretry-after: ${value}\r\ncontent-length: 0\r\n\r\n`)
      assert.strictEqual((yield* told("120")).retry_after_seconds, 120)
      const date = new Date(Date.now() + 90_000).toUTCString()
      assert.closeTo((yield* told(date)).retry_after_seconds ?? 0, 90, 30)
      for (const value of ["-1", "soon", "Thu, 01 Jan 1970 00:00:00 GMT"]) {
        assert.notProperty(yield* told(value), "retry_after_seconds", value)
      }
      assert.strictEqual((yield* told("99999999999999")).retry_after_seconds, 2_147_483_647)
    }))

  it.effect("is the final one behind interim answers that nobody asked for", () =>
    Effect.gen(function*() {
      const interim = ["100 Continue", "102 Processing", "103 Early Hints"].map((line) => `HTTP/1.1 ${line}\r\n\r\n`)
      assert.deepStrictEqual(yield* toldOf(...interim, "HTTP/1.1 202 OK\r\ncontent-length: 2\r\n\r\nok"), {
        status_code: 202,
        error: null,
        response_body: "ok"
      })
    }))

  it.effect("is that TLS failed where it was ended early, and not that nobody could be reached", () =>
    Effect.gen(function*() {
      const url = yield* rawServer((socket) => socket.once("data", () => socket.end()))
      const https = url.replace(/^http:/, "https:")
      const { error } = yield* forwardOne(yield* HttpClient.HttpClient, https, handedOut(1))
      assert.strictEqual(error, "tls")
    }))

  it.effect("is that none came where the status is none of HTTP's, or what came is not HTTP", () =>
    Effect.gen(function*() {
      for (const line of ["HTTP/1.1 999 Odd", "HTTP/1.1 600 Odd"]) {
        const told = yield* toldOf(`${line}\r\ncontent-length: 0\r\n\r\n`)
        assert.deepStrictEqual(told, { status_code: null, error: "protocol" }, line)
      }
      assert.deepStrictEqual(yield* toldOf("SSH-2.0-OpenSSH\r\n"), { status_code: null, error: "protocol" })
      assert.deepStrictEqual(yield* toldOf(), { status_code: null, error: "connection" })
    }))

  it.effect("never follows where it leads", () =>
    Effect.gen(function*() {
      const told = yield* toldOf("HTTP/1.1 307 Elsewhere\r\nlocation: /other\r\ncontent-length: 0\r\n\r\n")
      assert.strictEqual(told.status_code, 307)
    }))
})

const never = new ReadableStream<Uint8Array>({
  start: (controller) => controller.enqueue(new TextEncoder().encode("so far"))
})

layer(HttpLayer)("An answer that takes its time", (it) => {
  it.effect("counts by its status, and with as much of its body as came within 15 seconds", () =>
    Effect.gen(function*() {
      const http = HttpClient.make((request) =>
        Effect.succeed(HttpClientResponse.fromWeb(request, new Response(never, { status: 200 })))
      )
      const fiber = yield* Effect.forkChild(forwardOne(http, "http://localhost/", handedOut(1)))
      yield* TestClock.adjust("15 seconds")
      assert.deepInclude(yield* Fiber.join(fiber), {
        status_code: 200,
        error: null,
        response_body: "so far",
        duration_ms: 15_000
      })
    }))

  it.effect("is none where not even its status comes", () =>
    Effect.gen(function*() {
      const http = HttpClient.make(() => Effect.never)
      const fiber = yield* Effect.forkChild(forwardOne(http, "http://localhost/", handedOut(1)))
      yield* TestClock.adjust("15 seconds")
      assert.deepInclude(yield* Fiber.join(fiber), { status_code: null, error: "timeout" })
    }))

  it("took an hour at most, however long the machine slept meanwhile", () => {
    assert.deepStrictEqual([millisOf(1_499_999n), millisOf(7_200_000_000_000n)], [1, 3_600_000])
  })
})
