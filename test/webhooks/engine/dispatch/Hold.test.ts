import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { LaneChanges } from "../../../../src/webhooks/engine/lane/LaneChanges.ts"
import { eventually } from "../../../harness/Eventually.ts"
import { answered, FakeNetwork } from "../../../harness/FakeNetwork.ts"
import { makeClub } from "../../../harness/Makers.ts"
import { deliveryRow, laneRow, makeDelivery, makeEndpoint } from "../../../harness/Webhooks.ts"
import { engineLayer, never, soon } from "./Engine.ts"

/** An endpoint that is held because five deliveries failed, and a network that still answers 500. */
const heldEndpoint = Effect.gen(function*() {
  const network = yield* FakeNetwork
  network.respond = () => answered(500)
  const endpoint = yield* makeEndpoint(yield* makeClub())
  const deliveries = yield* Effect.forEach(Array.from({ length: 5 }), () => makeDelivery(endpoint))
  yield* soon(laneRow(endpoint), ({ holds, lease_id }) => holds === 1 && lease_id === null)
  network.posted.length = 0
  network.open.most = 0
  return { endpoint, deliveries, network }
})

const bringForward = (endpoint: Effect.Success<ReturnType<typeof makeEndpoint>>) =>
  Effect.flatMap(LaneChanges, (lanes) => lanes.wake([endpoint], { requested: true }))

describe("a held endpoint", () => {
  layer(engineLayer())((it) => {
    it.effect("is held after the fifth failure in a row, for a minute", () =>
      Effect.gen(function*() {
        const { endpoint } = yield* heldEndpoint
        const { consecutive_failures, failing_since, hold_until, last_failure_at } = yield* laneRow(endpoint)
        assert.strictEqual(consecutive_failures, 5)
        assert.isNotNull(failing_since)
        if (hold_until === null || last_failure_at === null) return assert.fail("It is not held")
        assert.deepStrictEqual(DateTime.distance(last_failure_at, hold_until), Duration.minutes(1))
      }))
  })

  layer(engineLayer())((it) => {
    it.effect("gets nothing before its hold ends, then one probe at a time", () =>
      Effect.gen(function*() {
        const { endpoint, network } = yield* heldEndpoint
        yield* makeDelivery(endpoint)
        yield* never(Effect.sync(() => network.posted.length), (count) => count > 0)
        yield* eventually(laneRow(endpoint), ({ lease_id }) => lease_id === null)
        yield* TestClock.adjust("1 minutes")
        yield* soon(laneRow(endpoint), ({ holds, lease_id }) => holds === 2 && lease_id === null)
        assert.strictEqual(network.posted.length, 1)
        assert.strictEqual(network.open.most, 1)
      }))
  })

  layer(engineLayer())((it) => {
    it.effect("is normal after any 2xx, and what waits goes out", () =>
      Effect.gen(function*() {
        const { deliveries, endpoint, network } = yield* heldEndpoint
        network.respond = () => answered(200)
        yield* TestClock.adjust("6 minutes")
        yield* Effect.forEach(deliveries, ({ id }) => soon(deliveryRow(id), ({ status }) => status === "succeeded"))
        const { consecutive_failures, failing_since, hold_until, holds } = yield* laneRow(endpoint)
        assert.deepStrictEqual({ consecutive_failures, failing_since, hold_until, holds }, {
          consecutive_failures: 0,
          failing_since: null,
          hold_until: null,
          holds: 0
        })
      }))
  })

  layer(engineLayer())((it) => {
    it.effect("is sent at once what a person asked for, one at a time, and held again if that fails", () =>
      Effect.gen(function*() {
        const { endpoint, network } = yield* heldEndpoint
        const asked = yield* Effect.forEach(
          ["manual", "test", "recover"] as const,
          (trigger) => makeDelivery(endpoint, { trigger })
        )
        yield* bringForward(endpoint)
        yield* Effect.forEach(asked, ({ id }) => soon(deliveryRow(id), ({ attempts_count }) => attempts_count === 1))
        assert.strictEqual(network.open.most, 1)
        assert.strictEqual(network.posted.length, 3)
        const { holds } = yield* eventually(laneRow(endpoint), ({ lease_id }) => lease_id === null)
        assert.strictEqual(holds, 4)
      }))
  })

  layer(engineLayer())((it) => {
    it.effect("is not held longer by attempts that were under way when the hold began", () =>
      Effect.gen(function*() {
        const network = yield* FakeNetwork
        network.respond = () => undefined
        const endpoint = yield* makeEndpoint(yield* makeClub())
        yield* Effect.forEach(Array.from({ length: 12 }), () => makeDelivery(endpoint))
        yield* soon(Effect.sync(() => network.posted.length), (count) => count === 12)
        yield* Effect.forEach(network.posted, ({ answer }) => answer(answered(500)))
        const { holds } = yield* soon(
          laneRow(endpoint),
          ({ consecutive_failures, lease_id }) => consecutive_failures === 12 && lease_id === null
        )
        assert.strictEqual(holds, 1)
      }))
  })

  layer(engineLayer())((it) => {
    it.effect("is sent what is due once somebody enables it, also while its probe is under way", () =>
      Effect.gen(function*() {
        const { endpoint, network } = yield* heldEndpoint
        network.respond = () => undefined
        yield* TestClock.adjust("1 minutes")
        yield* soon(Effect.sync(() => network.posted.length), (count) => count === 1)
        yield* makeDelivery(endpoint)
        yield* Effect.flatMap(LaneChanges, (lanes) => lanes.enable(endpoint))
        yield* soon(Effect.sync(() => network.posted.length), (count) => count > 1)
        assert.isAbove(network.open.now, 1)
        yield* Effect.forEach(network.posted, ({ answer }) => answer(answered(200)))
        yield* soon(laneRow(endpoint), ({ lease_id }) => lease_id === null)
      }))
  })

  layer(engineLayer())((it) => {
    it.effect("is normal once somebody enables it, whatever a worker that has it believes", () =>
      Effect.gen(function*() {
        const { endpoint, network } = yield* heldEndpoint
        network.respond = () => undefined
        yield* TestClock.adjust("1 minutes")
        yield* soon(Effect.sync(() => network.posted.length), (count) => count === 1)
        yield* (yield* LaneChanges).enable(endpoint)
        yield* network.posted[0]?.answer(answered(500)) ?? Effect.void
        const lane = yield* soon(laneRow(endpoint), ({ lease_id }) => lease_id === null)
        assert.deepStrictEqual([lane.holds, lane.hold_until], [0, null])
      }))
  })
})
