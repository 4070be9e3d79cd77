import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Redacted } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { untilItAnswers } from "../../../src/cli/webhooks/forward/untilItAnswers.ts"
import { isTakenOver, isTransient, makeUpstream, type Refused } from "../../../src/cli/webhooks/forward/Upstream.ts"
import { EndpointId } from "../../../src/webhooks/model/EndpointId.ts"
import { deliveryId, handedOut, HttpLayer, httpServer, rawServer, remoteAt } from "./Forwarding.ts"

const id = EndpointId.make("019d4860-0000-7000-8000-000000000001")
const nothing = { limit: 100, except: [] }
const result = { delivery_id: deliveryId(1), receipt: "0.schedule", status_code: 200, error: null, duration_ms: 1 }
const silent = { delivery: () => Effect.void, note: () => Effect.void }

const envelope = (code: string, message: string) => JSON.stringify({ error: { code, message } })

/** A service that answers every request with these bytes. */
const sayingBytes = (text: string) =>
  Effect.flatMap(
    rawServer((socket) => socket.once("data", () => socket.end(text))),
    (url) => makeUpstream(remoteAt(url.slice(0, -1)))
  )

const says = (status: number, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  Effect.flatMap(
    httpServer((_, response) => response.writeHead(status, headers).end(body)),
    (url) => makeUpstream(remoteAt(url))
  )

const wrong = (refused: Refused) => ({ status: refused.status, passes: isTransient(refused) })

layer(HttpLayer, { excludeTestServices: true })("What the service answers", (it) => {
  it.effect("is no answer where it breaks off, so the same is asked again", () =>
    Effect.gen(function*() {
      const cut = yield* sayingBytes("HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\n{\"data\":{\"deliveries\":[")
      assert.deepStrictEqual(wrong(yield* Effect.flip(cut.poll(id, nothing))), { status: 0, passes: true })
      const closed = yield* sayingBytes("")
      assert.deepStrictEqual(wrong(yield* Effect.flip(closed.poll(id, nothing))), { status: 0, passes: true })
    }))

  it.effect("is not Turma's where it is whole and something else", () =>
    Effect.gen(function*() {
      const bodies = [
        ["<html></html>", "it is not JSON: see line 1, column 1"],
        ["{}", "it is JSON of another kind"],
        ["{\"data\":{\"deliveries\":[7]}}", "it is JSON of another kind"],
        ["", "it is empty"],
        [Uint8Array.of(0xff), "it is not UTF-8 text"]
      ] as const
      for (const [body, why] of bodies) {
        const refused = yield* Effect.flip((yield* says(200, body)).poll(id, nothing))
        assert.deepStrictEqual(wrong(refused), { status: 400, passes: false }, why)
        assert.match(refused.message, new RegExp(`is not Turma's: ${why}$`))
      }
    }))

  it.effect("is read as this version knows it, and what is new to it is left out", () =>
    Effect.gen(function*() {
      const body = JSON.stringify({ data: { deliveries: [{ ...handedOut(1), later: true }], more: 1 }, next: null })
      assert.deepStrictEqual(yield* (yield* says(200, body)).poll(id, nothing), [handedOut(1)])
    }))

  it.effect("says why not, on one line that a terminal does not obey, and when to come again", () =>
    Effect.gen(function*() {
      const busy = yield* says(429, envelope("rate_limited", "Too many\n\u001b[2Jrequests"), { "retry-after": "7" })
      const refused = yield* Effect.flip(busy.record(id, [result]))
      assert.deepInclude(refused, { status: 429, code: "rate_limited", message: "Too many \ufffd[2Jrequests" })
      assert.deepStrictEqual([refused.retry_after, isTransient(refused)], [7, true])
      const proxy = yield* Effect.flip((yield* says(502, "<html>")).record(id, [result]))
      assert.match(proxy.message, /^http\S+ answers 502$/)
      assert.isTrue(isTransient(proxy))
    }))

  it.effect("is not asked for again where the contract does not take what is sent", () =>
    Effect.gen(function*() {
      const refused = yield* Effect.flip((yield* says(200, "{}")).record(id, []))
      assert.deepStrictEqual(wrong(refused), { status: 422, passes: false })
      assert.include(refused.message, "results")
    }))

  it.effect("tells a place that is taken from every other conflict", () =>
    Effect.gen(function*() {
      const judged = Effect.fnUntraced(function*(code: string) {
        const refused = yield* Effect.flip((yield* says(409, envelope(code, "No"))).poll(id, nothing))
        return [isTakenOver(refused), isTransient(refused)]
      })
      assert.deepStrictEqual(yield* judged("listener_taken_over"), [true, false])
      assert.deepStrictEqual(yield* judged("endpoint_limit_reached"), [false, false])
      assert.deepStrictEqual(yield* judged("idempotency_in_progress"), [false, true])
    }))

  it.effect("of a creation that was lost is asked for with the same key, so that one listener is made", () =>
    Effect.gen(function*() {
      const keys: Array<unknown> = []
      const url = yield* httpServer((request, response) => {
        keys.push(request.headers["idempotency-key"])
        if (keys.length === 1) return void request.socket.destroy()
        response.writeHead(201).end(JSON.stringify({ data: { id, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" } }))
      })
      const upstream = yield* makeUpstream(remoteAt(url))
      const made = yield* untilItAnswers(upstream.create(["student.created"], "Mine", "one-key"), silent)
      assert.deepStrictEqual([made.id, Redacted.value(made.secret).length], [id, 38])
      assert.deepStrictEqual(keys, ["one-key", "one-key"])
    }))
})

layer(HttpLayer)("An answer of the service that never ends", (it) => {
  it.effect("is given up after 45 seconds, wherever it stands", () =>
    Effect.gen(function*() {
      const never = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new TextEncoder().encode("{"))
      })
      const http = HttpClient.make((request) =>
        Effect.succeed(HttpClientResponse.fromWeb(request, new Response(never, { status: 200 })))
      )
      const upstream = yield* Effect.provideService(makeUpstream(remoteAt("http://turma")), HttpClient.HttpClient, http)
      const fiber = yield* Effect.forkChild(Effect.flip(upstream.poll(id, nothing)))
      yield* TestClock.adjust("45 seconds")
      assert.deepStrictEqual(wrong(yield* Fiber.join(fiber)), { status: 0, passes: true })
    }))
})
