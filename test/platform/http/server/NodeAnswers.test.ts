import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer } from "../../../harness/App.ts"
import { isRefusal, sendRaw } from "../../../harness/RawHttp.ts"

/** Node alone would answer these with an empty body and no id, or not at all. */
layer(AppLayer)("In the envelope, with a request id, is answered", (it) => {
  const request = (start: string, ...headers: ReadonlyArray<string>) =>
    sendRaw([start, ...headers, "Connection: close", "", ""].join("\r\n"))

  it.effect("HTTP/1.1 without a host", () =>
    Effect.gen(function*() {
      isRefusal(yield* request("GET /v1/health HTTP/1.1"), 400, "malformed_request")
      isRefusal(yield* request("GET /v1/nowhere HTTP/1.1"), 400, "malformed_request")
      assert.strictEqual((yield* request("GET /v1/health HTTP/1.0")).status, 200)
    }))

  it.effect("an expectation that nobody meets", () =>
    Effect.gen(function*() {
      const answer = yield* request("GET /v1/health HTTP/1.1", "Host: a", "Expect: magic", "X-Request-Id: mine")
      isRefusal(answer, 417, "expectation_failed")
      assert.strictEqual(answer.headers["x-request-id"], "mine")
    }))

  it.effect("a tunnel", () =>
    Effect.gen(function*() {
      const answer = yield* request(
        "CONNECT turma.example:443 HTTP/1.1",
        "Host: turma.example:443",
        "X-Request-Id: mine"
      )
      isRefusal(answer, 405, "method_not_allowed")
      assert.strictEqual(answer.headers["x-request-id"], "mine")
      assert.include(answer.headers["allow"] ?? "", "GET")
    }))

  it.effect("a request line, a method and a version that are none", () =>
    Effect.gen(function*() {
      for (const start of ["GET", "NOWHERE / HTTP/1.1", "GET / HTTP/9.9", "PRI * HTTP/2.0"]) {
        isRefusal(yield* request(start, "Host: a"), 400, "malformed_request")
      }
    }))

  it.effect("headers that are too large", () =>
    Effect.gen(function*() {
      isRefusal(yield* request("GET / HTTP/1.1", "Host: a", `A: ${"a".repeat(20_000)}`), 431, "headers_too_large")
    }))

  it.effect("a wish for another protocol, as if it had not been said", () =>
    Effect.gen(function*() {
      for (const protocol of ["websocket", "h2c"]) {
        const wish = ["Host: a", "Connection: Upgrade", `Upgrade: ${protocol}`, "", ""]
        const answer = yield* sendRaw(["GET /v1/me HTTP/1.1", ...wish].join("\r\n"))
        isRefusal(answer, 401, "unauthenticated")
        assert.strictEqual(answer.headers["connection"], "close")
      }
    }))
})
