import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Tracer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { changeSpan } from "../../../src/platform/patches/SpanChanges.ts"
import { removable } from "../../harness/Patches.ts"

/** The span of a request for `/things/secret`, whose handler fails. Its tracer applies `change` to spans. */
const spanOf = (change: (span: Tracer.Span) => Tracer.Span) =>
  Effect.promise(async () => {
    const spans: Array<Tracer.NativeSpan> = []
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        if (options.kind === "server") spans.push(span)
        return change(span)
      }
    })
    const { dispose, handler } = HttpRouter.toWebHandler(
      HttpRouter.add("GET", "/things/:id", Effect.die(new Error("no secret"))).pipe(
        Layer.provide(HttpServer.layerServices),
        Layer.provideMerge(Layer.succeed(Tracer.Tracer, tracer))
      ),
      { disableLogger: true }
    )
    await handler(new Request("http://localhost/things/secret?a=1"))
    await dispose()
    const [span] = spans
    if (span === undefined) throw new Error("No span was made")
    return span
  })

const textOf = ({ status }: Tracer.NativeSpan) =>
  status._tag === "Ended" && Exit.isFailure(status.exit) ? Cause.pretty(status.exit.cause) : ""

describe("The span of a request", () => {
  it.effect("is not named for its route, carries the URL, and ends with the failure, without the patch", () =>
    Effect.gen(function*() {
      const span = yield* spanOf((made) => made)
      assert.notInclude(span.name, "/things/:id", removable("SpanChanges"))
      assert.include(String(span.attributes.get("url.full")), "secret", removable("SpanChanges"))
      assert.include(textOf(span), "no secret", removable("SpanChanges"))
    }))

  it.effect("is named, keeps attributes and ends as it is told", () =>
    Effect.gen(function*() {
      const span = yield* spanOf((made) =>
        changeSpan(made, {
          keeps: (key) => !key.startsWith("url."),
          name: (key, value) => key === "http.route" ? `GET ${value}` : undefined,
          exit: () => Exit.fail("failed")
        })
      )
      assert.strictEqual(span.name, "GET /things/:id")
      assert.isFalse(span.attributes.has("url.full"))
      assert.strictEqual(span.attributes.get("http.route"), "/things/:id")
      assert.notInclude(textOf(span), "secret")
    }))
})
