import { NodeHttpServer } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { envelopeLayer } from "../../../../src/platform/http/server/Envelope.ts"
import { LoggedRequest } from "../../../../src/platform/http/server/RequestLog.ts"
import type { Rewrite } from "../../../../src/platform/http/server/Rewrite.ts"
import { call, isRefusal } from "../../../harness/RawHttp.ts"

const logged: Array<number> = []

const CollectorLayer = Logger.layer([
  Logger.make(({ fiber }) => {
    const request = fiber.getRef(LoggedRequest)
    if (request !== undefined) logged.push(request.status)
  })
])

const fails = (): never => {
  throw new Error("hunter2")
}

const rewrite: Rewrite = (request) =>
  request.url === "/read" ? fails() : { request, ...(request.url === "/answer" ? { answered: fails } : {}) }

const paths = ["/read", "/answer", "/fine"] as const

const ServeLayer = HttpRouter.serve(
  Layer.mergeAll(
    envelopeLayer(() => [], rewrite),
    ...paths.map((path) => HttpRouter.add("GET", path, HttpServerResponse.text("fine")))
  ),
  { disableLogger: true, disableListenLog: true }
).pipe(Layer.provideMerge(NodeHttpServer.layerTest), Layer.provide(CollectorLayer))

layer(ServeLayer)("A request that is read as another one", (it) => {
  it.effect.each(["/read", "/answer"])(
    "is answered in the envelope, and logged, where that fails: %s",
    (path) =>
      Effect.gen(function*() {
        assert.strictEqual((yield* call("GET", "/fine")).text, "fine")
        logged.length = 0
        const answer = yield* call("GET", path)
        isRefusal(answer, 500, "internal_error")
        assert.match(answer.headers["x-request-id"] ?? "", /^[\w-]{8,}$/)
        assert.notInclude(answer.text, "hunter2")
        assert.deepStrictEqual(logged, [500])
      })
  )
})
