import { assert, layer } from "@effect/vitest"
import { ConfigProvider, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Mailer } from "../../src/platform/mail/Mailer.ts"
import { FailingEndpointsLayer } from "../../src/webhooks/endpoint/Disabling.ts"
import { answered, FakeNetwork } from "../harness/FakeNetwork.ts"
import { makeClub } from "../harness/Makers.ts"
import { deliveryRow, laneRow, type MadeEndpoint, makeDelivery, makeEndpoint } from "../harness/Webhooks.ts"
import { dispatcherLayer, GroundLayer, soon } from "./engine/dispatch/Engine.ts"

// Contract, Outgoing webhook endpoint, fourth row: the dispatcher disables the endpoint itself, without a request.

const TestLayer = dispatcherLayer(FailingEndpointsLayer).pipe(
  Layer.provide(Mailer.layer),
  Layer.provideMerge(GroundLayer({ WEBHOOK_LEASE: "7 days" })),
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ PUBLIC_URL: "https://turma.example" })))
)

const decodeEndpoint = Schema.decodeUnknownEffect(Schema.Tuple([
  Schema.Struct({ status: Schema.String, disabled_reason: Schema.NullOr(Schema.String) })
]))

const endpointRow = Effect.fnUntraced(function*({ id }: MadeEndpoint) {
  const sql = yield* SqlClient.SqlClient
  const [row] =
    yield* decodeEndpoint(yield* sql`select status, disabled_reason from webhook_endpoints where id = ${id}`)
  return row
})

layer(TestLayer)("An endpoint that a worker sends to", (it) => {
  it.effect("is disabled as failing by the first failure 5 days after the first one, and its queue is canceled", () =>
    Effect.gen(function*() {
      const network = yield* FakeNetwork
      network.respond = () => answered(500)
      const endpoint = yield* makeEndpoint(yield* makeClub())
      const first = yield* makeDelivery(endpoint)
      yield* soon(deliveryRow(first.id), ({ attempts_count }) => attempts_count === 1)
      const { failing_since } = yield* soon(laneRow(endpoint), ({ lease_id }) => lease_id === null)
      if (failing_since === null) return assert.fail("Nothing has failed")

      yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.add(failing_since, { days: 5, seconds: -60 })))
      yield* soon(deliveryRow(first.id), ({ attempts_count }) => attempts_count === 2)
      assert.strictEqual((yield* endpointRow(endpoint)).status, "enabled")

      yield* TestClock.adjust("60 seconds")
      const waiting = yield* makeDelivery(endpoint)
      const disabled = yield* soon(endpointRow(endpoint), ({ status }) => status === "disabled")
      assert.strictEqual(disabled.disabled_reason, "failing")
      for (const { id } of [first, waiting]) {
        const { cancel_reason, next_attempt_at, status } = yield* soon(
          deliveryRow(id),
          ({ status }) => status === "canceled"
        )
        assert.deepStrictEqual([status, cancel_reason, next_attempt_at], ["canceled", "endpoint_disabled", null])
      }
      assert.isNull((yield* soon(laneRow(endpoint), ({ lease_id }) => lease_id === null)).due_at)
    }))
})
