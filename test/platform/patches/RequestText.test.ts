import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware } from "effect/http-api"
import { setText } from "../../../src/platform/patches/RequestText.ts"
import { removable } from "../../harness/Patches.ts"

class Reads extends HttpApiMiddleware.Service<Reads>()("test/Reads") {}

const api = HttpApi.make("test")
  .add(HttpApiGroup.make("things")
    .add(HttpApiEndpoint.post("say", "/", { payload: Schema.Struct({ name: Schema.String }), success: Schema.String }))
    .middleware(Reads))

/** Sends a name with a byte that is not UTF-8 through this middleware. Returns the name that the handler gets. */
const say = (middleware: typeof Reads.Service) =>
  Effect.promise(async () => {
    const { dispose, handler } = HttpRouter.toWebHandler(
      HttpApiBuilder.layer(api).pipe(
        Layer.provide(HttpApiBuilder.group(api, "things", (handlers) =>
          handlers.handle("say", ({ payload }) =>
            Effect.succeed(payload.name)))),
        Layer.provide(Layer.succeed(Reads, middleware)),
        Layer.provide(HttpServer.layerServices)
      ),
      { disableLogger: true }
    )
    const body = Buffer.from("{\"name\":\"\xff\"}", "latin1")
    const headers = { "content-type": "application/json" }
    const response = await handler(new Request("http://localhost/", { method: "POST", body, headers }))
    const answer: unknown = await response.json()
    await dispose()
    return answer
  })

describe("The text of a request", () => {
  it.effect("has other letters in place of bytes that are not UTF-8, without the patch", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* say((work) => work), "\ufffd", removable("RequestText"))
    }))

  it.effect("is what middleware has made of its bytes, read once", () =>
    Effect.gen(function*() {
      let reads = 0
      const answer = yield* say((work) =>
        Effect.gen(function*() {
          const request = yield* HttpServerRequest.HttpServerRequest
          yield* setText(
            request,
            Effect.map(request.arrayBuffer, (bytes) => {
              reads += 1
              return Buffer.from(bytes).toString("latin1")
            })
          )
          yield* Effect.orDie(request.text)
          return yield* work
        })
      )
      assert.deepStrictEqual([answer, reads], ["ÿ", 1])
    }))
})
