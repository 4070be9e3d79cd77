import { assert, layer } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { at, outcome, send } from "../../harness/App.ts"
import { ago, makeDelivery } from "../engine/retention/Rows.ts"
import {
  create,
  fieldsOf,
  foundOnSaturday,
  laneNow,
  patch,
  read,
  register,
  setStatus,
  WebhooksLayer
} from "../Registering.ts"

const limits = ["max_per_second", "max_in_flight", "drain_rate"] as const

layer(WebhooksLayer)("The limits of an endpoint", (it) => {
  it.effect("are none unless they are asked for", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday)
      assert.deepStrictEqual(fieldsOf(yield* read(endpoint), ...limits), {
        max_per_second: null,
        max_in_flight: null,
        drain_rate: null
      })
    }))

  it.effect("are set when it is registered and shown from then on", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const answer = yield* create(club, { max_per_second: 20, max_in_flight: 4 })
      const expected = { max_per_second: 20, max_in_flight: 4, drain_rate: null }
      assert.deepStrictEqual(fieldsOf(answer, ...limits), expected)
      const path = `${club.path}/webhook-endpoints/${String(at(answer.json, "data", "id"))}`
      assert.deepStrictEqual(fieldsOf(yield* read({ path, token: club.token }), ...limits), expected)
    }))

  it.effect("are changed one by one, wake whoever sends to it, and are gone with null", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday, { max_per_second: 20 })
      const { wakes } = yield* laneNow(endpoint)
      yield* TestClock.adjust(Duration.minutes(1))
      const both = { max_per_second: 20, max_in_flight: 3, drain_rate: null, updated_at: "2026-11-21T10:01:00.000Z" }
      const answer = yield* patch(endpoint, { max_in_flight: 3 })
      assert.deepStrictEqual(fieldsOf(answer, ...limits, "updated_at"), both)
      assert.strictEqual((yield* laneNow(endpoint)).wakes, wakes + 1)
      yield* TestClock.adjust(Duration.minutes(1))
      assert.strictEqual((yield* patch(endpoint, { max_in_flight: 3, max_per_second: 20 })).text, answer.text)
      assert.deepStrictEqual(fieldsOf(yield* patch(endpoint, { max_per_second: null }), ...limits), {
        max_per_second: null,
        max_in_flight: 3,
        drain_rate: null
      })
    }))

  it.effect("are refused for a listener, which polls", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundOnSaturday
      const made = yield* send("POST", `${path}/webhook-listeners`, {
        token,
        body: { event_types: ["student.created"] }
      })
      const listener = { path: `${path}/webhook-endpoints/${String(at(made.json, "data", "id"))}`, token }
      const refused = [
        { max_per_second: 1 },
        { max_in_flight: null },
        { drain_rate: 1 },
        { headers: { a: "b" } }
      ]
      for (const body of refused) {
        assert.deepStrictEqual(outcome(yield* patch(listener, body)), [409, "listener_polls"])
      }
      assert.strictEqual((yield* patch(listener, { signing: "both" })).status, 200)
    }))
})

layer(WebhooksLayer)("The rate of a drain", (it) => {
  it.effect("is given when a paused endpoint is enabled, and ends with null or when it is paused again", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday, { status: "paused" })
      yield* makeDelivery(endpoint, ago("1 days"))
      const enabled = { status: "enabled", drain_rate: 5 }
      assert.deepStrictEqual(fieldsOf(yield* patch(endpoint, enabled), "status", "drain_rate"), enabled)
      assert.strictEqual(at((yield* patch(endpoint, { drain_rate: null })).json, "data", "drain_rate"), null)
      yield* setStatus(endpoint, "paused")
      yield* patch(endpoint, enabled)
      assert.strictEqual(at((yield* setStatus(endpoint, "paused")).json, "data", "drain_rate"), null)
    }))

  it.effect("is for what waits: not for an endpoint that was disabled", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday)
      const disabled = yield* setStatus(endpoint, "disabled")
      const answer = yield* patch(endpoint, { status: "enabled", drain_rate: 5 })
      assert.deepStrictEqual(outcome(answer), [409, "nothing_to_drain"])
      assert.strictEqual((yield* read(endpoint)).text, disabled.text)
    }))
})
