import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, References, Tracer } from "effect"
import { keptTrace, linksTo, spanOf } from "../../../src/platform/tracing/KeptTrace.ts"

const CollectedLayer = Layer.succeed(Tracer.Tracer, Tracer.make({ span: (options) => new Tracer.NativeSpan(options) }))
const NoTraces = Layer.succeed(References.TracerEnabled, false)

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
const spanId = "00f067aa0ba902b7"
const within = (sampled: boolean, id = traceId) =>
  Effect.withParentSpan(keptTrace, Tracer.externalSpan({ traceId: id, spanId, sampled }))

describe("What is kept of a trace", () => {
  it.effect("is 24 bytes, of which the span is made again", () =>
    Effect.gen(function*() {
      const kept = yield* within(true)
      assert.strictEqual(kept?.length, 24)
      const span = Option.getOrThrow(spanOf(kept))
      assert.deepStrictEqual([span.traceId, span.spanId, span.sampled], [traceId, spanId, true])
    }).pipe(Effect.provide(CollectedLayer)))

  it.effect("is 24 bytes of a trace with a short id, too", () =>
    Effect.gen(function*() {
      const span = Option.getOrThrow(spanOf(yield* within(true, "a3ce929d0e0e4736")))
      assert.strictEqual(span.traceId, "0000000000000000a3ce929d0e0e4736")
    }).pipe(Effect.provide(CollectedLayer)))

  it.effect("is nothing where a request is not in the sample, and outside of any span", () =>
    Effect.gen(function*() {
      assert.isNull(yield* within(false))
      assert.isNull(yield* keptTrace)
      assert.isTrue(Option.isNone(spanOf(null)))
    }).pipe(Effect.provide(CollectedLayer)))

  it.effect("is nothing where nobody takes spans", () =>
    Effect.gen(function*() {
      assert.isNull(yield* within(true))
      assert.isNull(yield* within(true).pipe(Effect.provide(Layer.merge(CollectedLayer, NoTraces))))
    }))

  it.effect("makes one link for each span, and no more than a collector keeps", () =>
    Effect.gen(function*() {
      const kept = yield* within(true)
      assert.lengthOf(linksTo([kept, null, kept]), 1)
      const many = Array.from({ length: 200 }, (_, n) => new Uint8Array(24).fill(n + 1))
      assert.lengthOf(linksTo(many), 128)
    }).pipe(Effect.provide(CollectedLayer)))
})
