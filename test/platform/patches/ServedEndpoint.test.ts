import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware } from "effect/http-api"
import { addInnermost, setQuery } from "../../../src/platform/patches/ServedEndpoint.ts"
import { removable } from "../../harness/Patches.ts"

class First extends HttpApiMiddleware.Service<First>()("test/First") {}
class Later extends HttpApiMiddleware.Service<Later>()("test/Later") {}
class Innermost extends HttpApiMiddleware.Service<Innermost>()("test/Innermost") {}

/** An API with one endpoint, which declares no query and has two middlewares. `change` then changes the endpoint. */
const makeApi = (change: (endpoint: HttpApiEndpoint.Top) => void) => {
  const endpoint = HttpApiEndpoint.get("read", "/", { success: Schema.String }).middleware(First).middleware(Later)
  change(endpoint)
  return HttpApi.make("test")
    .add(HttpApiGroup.make("things").add(endpoint))
    .annotate(HttpApi.QueryParseOptions, { errors: "first", onExcessProperty: "error" })
}

/** Sends an unknown parameter. Returns the status, and the middlewares in the order of their start. */
const ask = (change: (endpoint: HttpApiEndpoint.Top) => void) =>
  Effect.promise(async () => {
    const api = makeApi(change)
    const began: Array<string> = []
    const noting = (name: string) => <A, E, R>(work: Effect.Effect<A, E, R>) =>
      Effect.andThen(Effect.sync(() => began.push(name)), work)
    const { dispose, handler } = HttpRouter.toWebHandler(
      HttpApiBuilder.layer(api).pipe(
        Layer.provide(HttpApiBuilder.group(
          api,
          "things",
          (handlers) => handlers.handle("read", () => Effect.succeed(""))
        )),
        Layer.provide([
          Layer.succeed(First, noting("first")),
          Layer.succeed(Later, noting("later")),
          Layer.succeed(Innermost, noting("innermost"))
        ]),
        Layer.provide(HttpServer.layerServices)
      ),
      { disableLogger: true }
    )
    const { status } = await handler(new Request("http://localhost/?unknown=1"))
    await dispose()
    return { status, began }
  })

describe("An endpoint that is served", () => {
  it.effect("takes unknown parameters where it declares no query, without the patch", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* ask(() => {})).status, 200, removable("ServedEndpoint"))
    }))

  it.effect("refuses unknown parameters once it has a query", () =>
    Effect.gen(function*() {
      const { status } = yield* ask((endpoint) => setQuery(endpoint, Schema.Record(Schema.String, Schema.Never)))
      assert.strictEqual(status, 400)
    }))

  it.effect("runs the middleware that is added later outside of the others, without the patch", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* ask(() => {})).began, ["later", "first"], removable("ServedEndpoint"))
    }))

  it.effect("runs the innermost middleware last", () =>
    Effect.gen(function*() {
      const { began } = yield* ask((endpoint) => addInnermost(endpoint, Innermost))
      assert.deepStrictEqual(began, ["later", "first", "innermost"])
    }))
})
