import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Webhook } from "standardwebhooks"
import { LaneChanges } from "../../../../src/webhooks/engine/lane/LaneChanges.ts"
import { eventually } from "../../../harness/Eventually.ts"
import { answered, FakeNetwork } from "../../../harness/FakeNetwork.ts"
import { makeClub } from "../../../harness/Makers.ts"
import { attemptRows, deliveryRow, laneRow, makeDelivery, makeEndpoint } from "../../../harness/Webhooks.ts"
import { engineLayer, soon } from "./Engine.ts"

describe("the dispatcher", () => {
  layer(engineLayer())((it) => {
    it.effect("sends what is due with the contract's headers and the stored bytes", () =>
      Effect.gen(function*() {
        const network = yield* FakeNetwork
        const secret = new Uint8Array(32).fill(9)
        const endpoint = yield* makeEndpoint(yield* makeClub(), { secret })
        const { body, event_id, id } = yield* makeDelivery(endpoint, { body: `{"id":"€ 🎸"}` })
        yield* soon(deliveryRow(id), ({ status }) => status === "succeeded")
        const [request] = network.posted
        assert.strictEqual(request?.url, endpoint.url)
        assert.strictEqual(`${Buffer.from(request?.body ?? [])}`, body)
        const { "webhook-signature": signature, "webhook-timestamp": timestamp, ...headers } = request?.headers ?? {}
        assert.deepStrictEqual(headers, {
          "content-type": "application/json",
          "user-agent": "Turma-webhooks/1",
          "webhook-id": event_id
        })
        // The package reads the wall clock, while this test has its own: so compare only the signature.
        const expected = new Webhook(Buffer.from(secret).toString("base64"))
          .sign(event_id, new Date(Number(timestamp) * 1000), body)
        assert.strictEqual(signature, expected)
      }))

    it.effect("records the attempt and gives the lane back", () =>
      Effect.gen(function*() {
        const endpoint = yield* makeEndpoint(yield* makeClub())
        const { id } = yield* makeDelivery(endpoint)
        yield* soon(deliveryRow(id), ({ status }) => status === "succeeded")
        const [attempt] = yield* attemptRows(id)
        assert.deepStrictEqual([attempt?.["number"], attempt?.["trigger"], attempt?.["status_code"]], [
          1,
          "schedule",
          204
        ])
        const lane = yield* eventually(laneRow(endpoint), ({ lease_id }) => lease_id === null)
        assert.strictEqual(lane["due_at"], null)
      }))

    it.effect("gives up what has lost its message, and nothing else", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const network = yield* FakeNetwork
        network.posted.length = 0
        const endpoint = yield* makeEndpoint(yield* makeClub(), { status: "paused" })
        const lost = yield* makeDelivery(endpoint)
        const kept = yield* makeDelivery(endpoint)
        yield* sql`delete from webhook_messages where id = ${lost.event_id}`
        yield* sql`update webhook_endpoints set status = 'enabled' where id = ${endpoint.id}`
        yield* (yield* LaneChanges).enable(endpoint)
        yield* soon(deliveryRow(kept.id), ({ status }) => status === "succeeded")
        const { body_erased, cancel_reason, status } = yield* soon(deliveryRow(lost.id), ({ status }) =>
          status !== "pending")
        assert.deepStrictEqual({ body_erased, cancel_reason, status }, {
          body_erased: true,
          cancel_reason: "expired",
          status: "canceled"
        })
        assert.strictEqual(network.posted.length, 1)
      }))

    it.effect("drains a lane at most sixteen at a time, each delivery once", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const network = yield* FakeNetwork
        const endpoint = yield* makeEndpoint(yield* makeClub())
        yield* Effect.forEach(Array.from({ length: 200 }), () => makeDelivery(endpoint), { concurrency: 8 })
        const pending = sql`
          select count(*)::int as n from webhook_deliveries where endpoint_id = ${endpoint.id} and status = 'pending'`
        yield* soon(pending, ([row]) => row?.["n"] === 0)
        assert.isAtMost(network.open.most, 16)
        const attempts = yield* sql`
          select count(*)::int as n, count(distinct delivery_id)::int as d from webhook_attempts
          where delivery_id in (select id from webhook_deliveries where endpoint_id = ${endpoint.id})`
        assert.deepStrictEqual(attempts, [{ n: 200, d: 200 }])
      }))
  })

  layer(engineLayer())((it) => {
    it.effect("tries eight times over about 27 hours and then gives up", () =>
      Effect.gen(function*() {
        const network = yield* FakeNetwork
        network.respond = () => answered(500, { response_body: "broken" })
        const endpoint = yield* makeEndpoint(yield* makeClub())
        const { id } = yield* makeDelivery(endpoint)
        const began = yield* DateTime.now
        for (let attempt = 1; attempt < 8; attempt += 1) {
          const { next_attempt_at } = yield* soon(deliveryRow(id), ({ attempts_count }) => attempts_count === attempt)
          const { hold_until } = yield* eventually(laneRow(endpoint), ({ lease_id }) => lease_id === null)
          if (next_attempt_at === null) return assert.fail("Nothing is owed")
          yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.max(next_attempt_at, hold_until ?? next_attempt_at)))
        }
        const { status } = yield* soon(deliveryRow(id), ({ attempts_count }) => attempts_count === 8)
        assert.strictEqual(status, "failed")
        const hours = Duration.toHours(DateTime.distance(began, yield* DateTime.now))
        assert.isTrue(hours > 24.7 && hours < 30.3, `${hours} hours`)
        assert.deepStrictEqual((yield* attemptRows(id)).map(({ number }) => number), [1, 2, 3, 4, 5, 6, 7, 8])
      }))
  })
})
