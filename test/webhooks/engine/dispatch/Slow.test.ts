import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { answered, FakeNetwork } from "../../../harness/FakeNetwork.ts"
import { makeClub } from "../../../harness/Makers.ts"
import { attemptRows, deliveryRow, laneRow, makeDelivery, makeEndpoint } from "../../../harness/Webhooks.ts"
import { engineLayer, soon } from "./Engine.ts"

// An engine finishes its work before the next second comes, however slow the database is.

describe.each([0, 1, 7, 60])("an engine whose statements are late by %i turns of the event loop", (lag) => {
  layer(engineLayer({}, lag))((it) => {
    it.effect("does the same at the same time", () =>
      Effect.gen(function*() {
        const network = yield* FakeNetwork
        network.respond = () => answered(500)
        const endpoint = yield* makeEndpoint(yield* makeClub())
        const { id } = yield* makeDelivery(endpoint)
        yield* soon(deliveryRow(id), ({ attempts_count }) => attempts_count === 1)
        const { failing_since, lease_id } = yield* laneRow(endpoint)
        assert.isNull(lease_id)
        assert.deepStrictEqual(failing_since, DateTime.makeUnsafe(1000))
        // One jump of the clock over several waits causes one attempt, at its end.
        yield* TestClock.adjust("3 hours")
        yield* soon(deliveryRow(id), ({ attempts_count }) => attempts_count === 2)
        assert.isNull((yield* laneRow(endpoint)).lease_id)
        const moments = (yield* attemptRows(id)).map(({ started_at }) => DateTime.toEpochMillis(started_at))
        assert.deepStrictEqual(moments, [1000, 10_801_000])
      }))
  })
})
