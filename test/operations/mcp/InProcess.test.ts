import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Option, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { type HttpApp, inProcess } from "../../../src/operations/mcp/InProcess.ts"

const received = HttpServerRequest.fromWeb(new Request("http://localhost/mcp")).modify({
  peerAddress: Option.some("203.0.113.9")
})

const asked = { method: "POST", url: "/v1/things?limit=1", headers: { "content-type": "application/json" }, body: "{}" }

const ask = (app: HttpApp) => inProcess(app, Context.empty(), received)(asked)

describe("Routes that are asked without a socket", () => {
  it.effect("see what was asked, from the address of whoever asks", () =>
    Effect.gen(function*() {
      const app = HttpServerRequest.HttpServerRequest.use((request) =>
        Effect.map(request.text, (text) =>
          HttpServerResponse.jsonUnsafe({
            from: Option.getOrNull(request.peerAddress),
            what: `${request.method} ${request.url} ${text}`
          }))
      )
      assert.deepStrictEqual(JSON.parse((yield* ask(app)).body), {
        from: "203.0.113.9",
        what: "POST /v1/things?limit=1 {}"
      })
    }))

  it.effect("answer whole what they would send bit by bit", () =>
    Effect.gen(function*() {
      const app = Effect.succeed(HttpServerResponse.stream(Stream.encodeText(Stream.make("a", "b", "c"))))
      assert.strictEqual((yield* ask(app)).body, "abc")
    }))

  it.effect("end with whoever waits for them", () =>
    Effect.gen(function*() {
      let ended = false
      // The router also runs a route as interruptible.
      const app = Effect.interruptible(Effect.onInterrupt(Effect.never, () => Effect.sync(() => void (ended = true))))
      const fiber = yield* Effect.forkChild(ask(app), { startImmediately: true })
      yield* Effect.yieldNow
      yield* Fiber.interrupt(fiber)
      assert.isTrue(ended)
    }))
})
