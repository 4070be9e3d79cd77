import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Sealing } from "../../../../src/platform/sql/Sealing.ts"
import { LaneChanges } from "../../../../src/webhooks/engine/lane/LaneChanges.ts"
import { bindingOfSecret } from "../../../../src/webhooks/model/EndpointId.ts"
import { signatureOf } from "../../../../src/webhooks/send/Signature.ts"
import { answered, FakeNetwork } from "../../../harness/FakeNetwork.ts"
import { makeClub } from "../../../harness/Makers.ts"
import {
  attemptRows,
  deliveryRow,
  insertPreviousSecret,
  laneRow,
  type MadeEndpoint,
  makeDelivery,
  makeEndpoint
} from "../../../harness/Webhooks.ts"
import { engineLayer, never, soon } from "./Engine.ts"

const setStatus = Effect.fn("setStatus")(function*(endpoint: MadeEndpoint, status: "enabled" | "paused") {
  const sql = yield* SqlClient.SqlClient
  const lanes = yield* LaneChanges
  const change = sql`update webhook_endpoints set status = ${status} where id = ${endpoint.id}`
  yield* sql
    .withTransaction(Effect.andThen(change, status === "enabled" ? lanes.enable(endpoint) : lanes.suspend(endpoint)))
})

describe("an endpoint", () => {
  layer(engineLayer())((it) => {
    it.effect("that is paused gets nothing until it is enabled again", () =>
      Effect.gen(function*() {
        const network = yield* FakeNetwork
        const endpoint = yield* makeEndpoint(yield* makeClub())
        yield* setStatus(endpoint, "paused")
        const { id } = yield* makeDelivery(endpoint)
        yield* never(Effect.sync(() => network.posted.length), (count) => count > 0)
        yield* setStatus(endpoint, "enabled")
        yield* soon(deliveryRow(id), ({ status }) => status === "succeeded")
      }))

    it.effect("that is paused while an attempt is under way starts no other", () =>
      Effect.gen(function*() {
        const network = yield* FakeNetwork
        network.respond = () => undefined
        network.posted.length = 0
        const endpoint = yield* makeEndpoint(yield* makeClub())
        const { id } = yield* makeDelivery(endpoint)
        yield* soon(Effect.sync(() => network.posted.length), (count) => count === 1)
        yield* setStatus(endpoint, "paused")
        const later = yield* makeDelivery(endpoint)
        yield* network.posted[0]?.answer(answered(200)) ?? Effect.void
        yield* soon(deliveryRow(id), ({ status }) => status === "succeeded")
        yield* soon(laneRow(endpoint), ({ lease_id }) => lease_id === null)
        assert.strictEqual((yield* deliveryRow(later.id)).attempts_count, 0)
        assert.strictEqual(network.posted.length, 1)
        network.respond = () => answered(204)
      }))

    it.effect("is sent to where it is at the time of the attempt", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const network = yield* FakeNetwork
        network.respond = ({ url }) => answered(url === "https://new.example/" ? 200 : 500)
        const endpoint = yield* makeEndpoint(yield* makeClub())
        const { id } = yield* makeDelivery(endpoint)
        yield* soon(deliveryRow(id), ({ attempts_count }) => attempts_count === 1)
        yield* sql`update webhook_endpoints set url = 'https://new.example/' where id = ${endpoint.id}`
        yield* TestClock.adjust("6 seconds")
        yield* soon(deliveryRow(id), ({ status }) => status === "succeeded")
      }))

    it.effect("is signed for by each secret until its own end, newest first, however often it is rotated", () =>
      Effect.gen(function*() {
        const sealing = yield* Sealing
        const network = yield* FakeNetwork
        network.respond = () => answered(204)
        const secrets = [1, 2, 3, 4, 5, 6].map((number) => new Uint8Array(32).fill(number))
        const [newest = new Uint8Array(), ...previous] = secrets.toReversed()
        const endpoint = yield* makeEndpoint(yield* makeClub(), { secret: newest })
        const rotated = yield* DateTime.now
        // The first secret ends after 24 hours, each later one an hour after the one before.
        const endOf = (number: number) => DateTime.add(rotated, { hours: 23 + number })
        for (const [index, secret] of previous.toReversed().entries()) {
          const sealed = yield* sealing.seal(secret, bindingOfSecret(endpoint.id))
          yield* insertPreviousSecret(endpoint, index + 1, sealed, endOf(index + 1))
        }
        /** The numbers of the secrets that signed, in the order of their signatures. */
        const signing = Effect.fnUntraced(function*() {
          network.posted.length = 0
          const { id } = yield* makeDelivery(endpoint)
          yield* soon(deliveryRow(id), ({ status }) => status === "succeeded")
          const [request] = network.posted
          if (request === undefined) return assert.fail("Nothing was sent")
          const { "webhook-id": eventId = "", "webhook-signature": header = "", "webhook-timestamp": at = "" } =
            request.headers
          return header.split(" ").map((one) =>
            1 + secrets.findIndex((secret) => signatureOf(secret, eventId, Number(at), request.body) === one)
          )
        })
        assert.deepStrictEqual(yield* signing(), [6, 5, 4, 3, 2, 1])
        yield* TestClock.setTime(DateTime.toEpochMillis(endOf(1)) - 2000)
        assert.deepStrictEqual(yield* signing(), [6, 5, 4, 3, 2, 1])
        yield* TestClock.setTime(DateTime.toEpochMillis(endOf(1)))
        assert.deepStrictEqual(yield* signing(), [6, 5, 4, 3, 2])
        yield* TestClock.setTime(DateTime.toEpochMillis(endOf(5)))
        assert.deepStrictEqual(yield* signing(), [6])
      }))

    it.effect("that asks to wait is not tried before, and at most ten hours later", () =>
      Effect.gen(function*() {
        const network = yield* FakeNetwork
        const waitOf = Effect.fnUntraced(function*(status: number, retry_after: string) {
          network.respond = () => answered(status, { retry_after })
          const { id } = yield* makeDelivery(yield* makeEndpoint(yield* makeClub()))
          const { next_attempt_at } = yield* soon(deliveryRow(id), ({ attempts_count }) => attempts_count === 1)
          const [attempt] = yield* attemptRows(id)
          if (next_attempt_at === null || attempt === undefined) return assert.fail("Nothing is owed")
          return (DateTime.toEpochMillis(next_attempt_at) - DateTime.toEpochMillis(attempt.started_at)) / 1000
        })
        assert.strictEqual(yield* waitOf(429, "120"), 120)
        assert.strictEqual(yield* waitOf(503, "1000000"), 36_000)
        assert.isBelow(yield* waitOf(429, "1"), 6)
      }))
  })
})
