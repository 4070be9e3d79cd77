import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Exit, Layer, References, Tracer } from "effect"
import { answered, FakeNetwork } from "../../../harness/FakeNetwork.ts"
import { makeClub } from "../../../harness/Makers.ts"
import { deliveryRow, makeDelivery, makeEndpoint } from "../../../harness/Webhooks.ts"
import { engineLayer, soon } from "./Engine.ts"

const spans: Array<Tracer.NativeSpan> = []

/** Keeps the spans of attempts, as a collector would. */
const RecorderLayer = Layer.succeed(
  Tracer.Tracer,
  Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      if (options.name === "webhook attempt") spans.push(span)
      return span
    }
  })
)

const phases = { lookup_ms: 3, connect_ms: 20, tls_ms: 30, send_ms: 0, wait_ms: 40, read_ms: null }
const peer = {
  peer_address: "203.0.113.7",
  tls_version: "TLSv1.3",
  certificate_ends_at: DateTime.makeUnsafe("2027-01-01")
}

const attempt = Effect.fnUntraced(function*(status: number) {
  const network = yield* FakeNetwork
  network.respond = () => answered(status, { phases, peer, connection_reused: false })
  const endpoint = yield* makeEndpoint(yield* makeClub(), { url: "https://receiver.example/?token=hidden" })
  const { event_id, id } = yield* makeDelivery(endpoint)
  yield* soon(deliveryRow(id), ({ attempts_count }) => attempts_count === 1)
  return { event_id, id }
})

const seen = ({ attributes, events, status }: Tracer.NativeSpan) => ({
  attributes: Object.fromEntries(attributes),
  events: events.map(([name, at]) => [name, status.startTime === at ? 0 : Number(at - status.startTime) / 1e6]),
  accepted: status._tag === "Ended" && Exit.isSuccess(status.exit)
})

layer(engineLayer().pipe(Layer.provideMerge(RecorderLayer)))("a collector", (it) => {
  it.effect("gets a span for each attempt, with an event where each of its phases began, and no URL", () =>
    Effect.gen(function*() {
      for (const [status, error] of [[204, undefined], [500, "http_status"]] as const) {
        const { event_id, id } = yield* attempt(status)
        const span = spans.find(({ attributes }) => attributes.get("webhook.delivery_id") === id)
        assert.isDefined(span)
        const { accepted, attributes, events } = seen(span)
        assert.strictEqual(accepted, status === 204)
        assert.deepStrictEqual(events, [["lookup", 0], ["connect", 3], ["tls", 23], ["send", 53], ["wait", 53]])
        assert.deepStrictEqual(attributes, {
          "messaging.system": "turma",
          "messaging.operation.name": "send",
          "messaging.operation.type": "send",
          "messaging.message.id": event_id,
          "webhook.delivery_id": id,
          "webhook.event_id": event_id,
          "webhook.attempt": 1,
          "webhook.trigger": "schedule",
          "webhook.connection_reused": false,
          ...(error !== undefined && { "error.type": error }),
          "http.response.status_code": status,
          "network.peer.address": "203.0.113.7",
          "tls.protocol.version": "TLSv1.3",
          "tls.server.not_after": "2027-01-01T00:00:00.000Z"
        })
        assert.strictEqual(span.status.startTime, BigInt(DateTime.toEpochMillis(yield* DateTime.now)) * 1_000_000n)
      }
    }))
})

const NoTraces = Layer.succeed(References.TracerEnabled, false)

layer(engineLayer().pipe(Layer.provideMerge(RecorderLayer), Layer.provideMerge(NoTraces)))(
  "without traces",
  (it) => {
    it.effect("no attempt makes a span", () =>
      Effect.gen(function*() {
        const { id } = yield* attempt(204)
        assert.isUndefined(spans.find(({ attributes }) => attributes.get("webhook.delivery_id") === id))
      }))
  }
)
