import { NodeHttpServer } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Schema } from "effect"
import { HttpClient, HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { SmallContextsLayer, smallGroup } from "../../../src/platform/patches/SmallContexts.ts"
import { removable } from "../../harness/Patches.ts"

/** A service of the application. */
class Thing extends Context.Service<Thing, string>()("turma/test/Thing") {}
const ThingLayer = Layer.succeed(Thing, "a thing")

/** `yes` if a request carries the service, otherwise `no`. */
const carries = Effect.withFiber(({ context }) => Effect.succeed(context.mapUnsafe.has(Thing.key) ? "yes" : "no"))

const ask = Effect.flatMap(HttpClient.get("/"), ({ text }) => text)

/** A route outside the contract. Its layer has the service. */
const RouteLayer = HttpRouter.use((router) =>
  Effect.andThen(Thing, router.add("GET", "/", Effect.map(carries, (answer) => HttpServerResponse.text(answer))))
)

/** Asks a server whose routes have the service. */
const serving = (between: Layer.Layer<never> | typeof SmallContextsLayer) =>
  Effect.provide(
    ask,
    HttpRouter.serve(RouteLayer, { disableLogger: true, disableListenLog: true }).pipe(
      Layer.provide(between),
      Layer.provideMerge(NodeHttpServer.layerTest),
      Layer.provide(ThingLayer)
    )
  )

const things = HttpApiGroup.make("things").add(HttpApiEndpoint.get("read", "/", { success: Schema.String }))
const api = HttpApi.make("test").add(things)

const build = (handlers: HttpApiBuilder.Handlers.FromGroup<typeof things>) =>
  Effect.map(
    Thing,
    (thing) => handlers.handle("read", () => Effect.map(carries, (answer) => `${answer}, by the handler of ${thing}`))
  )

/** Asks an API whose handlers have the service. The context between it and the server stays small. */
const serve = (group: Layer.Layer<HttpApiGroup.Service<"test", "things">, never, Thing>) =>
  Effect.provide(
    ask,
    HttpRouter.serve(HttpApiBuilder.layer(api).pipe(Layer.provide(group)), {
      disableLogger: true,
      disableListenLog: true
    }).pipe(
      Layer.provide(SmallContextsLayer),
      Layer.provideMerge(NodeHttpServer.layerTest),
      Layer.provide(ThingLayer)
    )
  )

describe("A request", () => {
  it.effect("carries all services that its server is built with, without the patch", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* serving(Layer.empty), "yes", removable("SmallContexts"))
    }))

  it.effect("carries no service of the application", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* serving(SmallContextsLayer), "no")
    }))

  it.effect("carries all services that its handlers are made with, without the patch", () =>
    Effect.gen(function*() {
      const answer = yield* serve(HttpApiBuilder.group(api, "things", build))
      assert.strictEqual(answer, "\"yes, by the handler of a thing\"", removable("SmallContexts"))
    }))

  it.effect("carries no service that its handlers are made with, and they have it all the same", () =>
    Effect.gen(function*() {
      const answer = yield* serve(smallGroup(api, "things", Context.empty(), build))
      assert.strictEqual(answer, "\"no, by the handler of a thing\"")
    }))
})
