import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Tracer } from "effect"
import { Events } from "../../../../src/events/Events.ts"
import { created } from "../../../events/EventsLayer.ts"
import { makeClub, makeStudent } from "../../../harness/Makers.ts"
import { SpansLayer, traced } from "../../../harness/Statements.ts"
import { assembleDue, assemblyLayer } from "./Assembly.ts"

const traceOf = (n: number) => `4bf92f3577b34da6a3ce929d0e0e473${n}`

layer(assemblyLayer.pipe(Layer.provideMerge(SpansLayer)))(
  "Facts that are assembled together",
  (it) => {
    it.effect("are a span with a link to what recorded each, and one in the trace of each with a link back", () =>
      Effect.gen(function*() {
        const club = yield* makeClub()
        const events = yield* Events
        const record = Effect.flatMap(makeStudent(club), (student) => events.record(club.id, created(student)))
        const ids = yield* Effect.forEach([1, 2], (n) => {
          const request = Tracer.externalSpan({ traceId: traceOf(n), spanId: "00f067aa0ba902b7", sampled: true })
          return Effect.withParentSpan(record, request)
        })
        // The request for this was not sampled.
        const unsampled = Tracer.externalSpan({ traceId: traceOf(3), spanId: "00f067aa0ba902b7", sampled: false })
        yield* Effect.withParentSpan(record, unsampled)

        const [, spans] = yield* traced(Effect.withSpan(assembleDue(), "the batch"))
        const assemblies = spans.filter(({ name }) => name === "webhook assembly")
        assert.sameDeepMembers(
          assemblies.map(({ attributes, traceId }) => [traceId, attributes.get("webhook.event_id")]),
          ids.map((id, n) => [traceOf(n + 1), id])
        )
        const batches = spans.filter(({ links, name }) => links.length > 0 && name !== "webhook assembly")
        assert.lengthOf(batches, 1)
        const [batch] = batches
        assert.sameMembers(batch?.links.map(({ span }) => span.traceId) ?? [], [traceOf(1), traceOf(2)])
        assert.strictEqual(batch?.attributes.get("messaging.batch.message_count"), 3)
        for (const { links } of assemblies) {
          assert.deepStrictEqual(links.map(({ span }) => span.spanId), [batch?.spanId])
        }
      }))
  }
)
