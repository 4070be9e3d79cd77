import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpClient } from "effect/http"
import { InboundQueue } from "../../../../src/commerce/sales/queue/InboundQueue.ts"
import { send } from "../../../harness/App.ts"
import { SpansLayer, traced } from "../../../harness/Statements.ts"
import { hooksLayer, hottok, openHook, sale, Teller } from "../inbound/Hooks.ts"

const traceOf = (n: number) => `4bf92f3577b34da6a3ce929d0e0e473${n}`

layer(hooksLayer(new Teller()).pipe(Layer.provideMerge(SpansLayer)))(
  "Sales of a club that are settled together",
  (it) => {
    it.effect("are a span with a link to the request that brought each of them, whose trace each goes on in alone", () =>
      Effect.gen(function*() {
        const hook = yield* openHook()
        for (const n of [1, 2, 3]) {
          const headers = {
            "x-hotmart-hottok": hottok,
            ...(n < 3 && { traceparent: `00-${traceOf(n)}-00f067aa0ba902b7-01` })
          }
          const sent = send("POST", hook.post, { body: sale(), headers })
          assert.strictEqual(
            (yield* Effect.provideService(sent, HttpClient.TracerPropagationEnabled, false)).status,
            200
          )
        }
        // Here no sales settle together, so that the queue also works on each one alone.
        const [done, spans] = yield* traced(Effect.flatMap(InboundQueue, ({ tick }) => tick))
        assert.strictEqual(done, 3)
        const [batch, ...others] = spans.filter(({ name }) => name === "InboundQueue.together")
        assert.isDefined(batch)
        assert.isEmpty(others)
        assert.strictEqual(batch.attributes.get("messaging.batch.message_count"), 3)
        const linked = batch.links.map(({ span }) => span.traceId)
        assert.lengthOf(linked, 3)
        assert.includeMembers(linked, [traceOf(1), traceOf(2)])
        const alone = spans.filter(({ name }) => name === "InboundQueue.work").map(({ traceId }) => traceId)
        assert.sameMembers(alone, linked)
      }))
  }
)
