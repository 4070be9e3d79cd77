import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { outcome, send } from "../../harness/App.ts"
import { ago, deliveryNow, ended, makeDelivery, saturday } from "../engine/retention/Rows.ts"
import {
  fieldsOf,
  foundOnSaturday,
  laneNow,
  owedNow,
  patch,
  read,
  readDelivery,
  register,
  type Registered,
  sendTest,
  setLane,
  setStatus,
  WebhooksLayer
} from "../Registering.ts"

const now = DateTime.toDateUtc(saturday)
const before = DateTime.toDateUtc(ago("2 days"))

/** An endpoint with three deliveries: one pending, one succeeded with a resend due, and one failed for good. */
const withQueue = Effect.gen(function*() {
  const endpoint = yield* register(yield* foundOnSaturday)
  const again = { once: true, trigger: "manual", next_attempt_at: now }
  const pending = yield* makeDelivery(endpoint, ago("3 days"))
  const succeeded = yield* makeDelivery(endpoint, ago("2 days"), { status: "succeeded", finished_at: before, ...again })
  const failed = yield* makeDelivery(endpoint, ago("1 days"), ended("failed"))
  return { endpoint, pending, succeeded, failed }
})

const held = {
  consecutive_failures: 7,
  holds: 3,
  hold_until: DateTime.toDateUtc(DateTime.add(saturday, { hours: 1 })),
  failing_since: DateTime.toDateUtc(ago("1 days"))
}

const status = (endpoint: Registered) => Effect.map(read(endpoint), (answer) => fieldsOf(answer, "status"))

layer(WebhooksLayer)("An endpoint that is enabled", (it) => {
  it.effect("can be paused, and what waits goes on waiting", () =>
    Effect.gen(function*() {
      const { endpoint, pending } = yield* withQueue
      yield* setLane(endpoint, { due_at: now })
      const before = yield* owedNow(endpoint)
      const answer = yield* setStatus(endpoint, "paused")
      assert.deepStrictEqual(fieldsOf(answer, "status", "disabled_reason", "disabled_at"), {
        status: "paused",
        disabled_reason: null,
        disabled_at: null
      })
      assert.deepStrictEqual(yield* owedNow(endpoint), before)
      assert.strictEqual((yield* deliveryNow(pending)).status, "pending")
      assert.isNull((yield* laneNow(endpoint)).due_at)
    }))

  it.effect("can be disabled, which cancels what waits and keeps what has ended", () =>
    Effect.gen(function*() {
      const { endpoint, failed, pending, succeeded } = yield* withQueue
      yield* setLane(endpoint, { due_at: now })
      const answer = yield* setStatus(endpoint, "disabled")
      assert.deepStrictEqual(fieldsOf(answer, "status", "disabled_reason", "disabled_at"), {
        status: "disabled",
        disabled_reason: "manual",
        disabled_at: "2026-11-21T10:00:00.000Z"
      })
      assert.deepStrictEqual(yield* owedNow(endpoint), [])
      assert.isNull((yield* laneNow(endpoint)).due_at)
      assert.deepStrictEqual(yield* deliveryNow(pending), {
        status: "canceled",
        cancel_reason: "endpoint_disabled",
        body_erased: false,
        next_attempt_at: null,
        finished_at: saturday
      })
      for (
        const [delivery, was, at] of [[succeeded, "succeeded", ago("2 days")], [failed, "failed", saturday]] as const
      ) {
        const { cancel_reason, finished_at, status } = yield* deliveryNow(delivery)
        assert.deepStrictEqual([status, cancel_reason, finished_at], [was, null, at])
      }
    }))

  it.effect("cancels no other endpoint's queue", () =>
    Effect.gen(function*() {
      const { endpoint, pending } = yield* withQueue
      const other = yield* register(endpoint.club)
      yield* setStatus(other, "disabled")
      assert.strictEqual((yield* deliveryNow(pending)).status, "pending")
    }))
})

layer(WebhooksLayer)("An endpoint that is paused", (it) => {
  it.effect("can be enabled, which makes what waits due and resets the breaker", () =>
    Effect.gen(function*() {
      const { endpoint } = yield* withQueue
      yield* setStatus(endpoint, "paused")
      yield* setLane(endpoint, held)
      const before = yield* laneNow(endpoint)
      const answer = yield* setStatus(endpoint, "enabled")
      assert.deepStrictEqual(fieldsOf(answer, "status", "hold_until", "consecutive_failures"), {
        status: "enabled",
        hold_until: null,
        consecutive_failures: 0
      })
      assert.deepStrictEqual(yield* laneNow(endpoint), {
        due_at: saturday,
        wakes: before.wakes + 1,
        breaker_epoch: before.breaker_epoch + 1,
        consecutive_failures: 0,
        holds: 0,
        hold_until: null,
        failing_since: null
      })
      assert.lengthOf(yield* owedNow(endpoint), 2)
    }))

  it.effect("can be disabled, which cancels what waits", () =>
    Effect.gen(function*() {
      const { endpoint, pending } = yield* withQueue
      yield* setStatus(endpoint, "paused")
      assert.deepStrictEqual(fieldsOf(yield* setStatus(endpoint, "disabled"), "disabled_reason"), {
        disabled_reason: "manual"
      })
      assert.strictEqual((yield* deliveryNow(pending)).cancel_reason, "endpoint_disabled")
    }))
})

layer(WebhooksLayer)("An endpoint that is disabled", (it) => {
  it.effect("can be enabled, and what was canceled stays canceled", () =>
    Effect.gen(function*() {
      const { endpoint, pending } = yield* withQueue
      yield* setStatus(endpoint, "disabled")
      yield* setLane(endpoint, held)
      const answer = yield* setStatus(endpoint, "enabled")
      assert.deepStrictEqual(fieldsOf(answer, "status", "disabled_reason", "disabled_at", "hold_until"), {
        status: "enabled",
        disabled_reason: null,
        disabled_at: null,
        hold_until: null
      })
      assert.strictEqual((yield* deliveryNow(pending)).status, "canceled")
    }))

  it.effect("cannot be paused: 409 invalid_transition, and nothing of the request is done", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday)
      yield* setStatus(endpoint, "disabled")
      const before = yield* read(endpoint)
      const answer = yield* patch(endpoint, { status: "paused", description: "b" })
      assert.deepStrictEqual(outcome(answer), [409, "invalid_transition"])
      assert.strictEqual((yield* read(endpoint)).text, before.text)
    }))

  it.effect("keeps its reason when it is disabled again", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday)
      const first = yield* setStatus(endpoint, "disabled")
      assert.strictEqual((yield* setStatus(endpoint, "disabled")).text, first.text)
    }))

  it.effect("can still be changed and deleted", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday)
      yield* setStatus(endpoint, "disabled")
      assert.deepStrictEqual(yield* status(endpoint), { status: "disabled" })
      assert.strictEqual((yield* patch(endpoint, { description: "b" })).status, 200)
      assert.strictEqual((yield* send("DELETE", endpoint.path, endpoint)).status, 204)
    }))
})

layer(WebhooksLayer)("An endpoint's worker", (it) => {
  it.effect("hears of another address, other types and a new secret, and of nothing else", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday)
      const wakes = Effect.map(laneNow(endpoint), ({ wakes }) => wakes)
      const told: Array<number> = []
      for (
        const change of [
          patch(endpoint, { description: "b" }),
          patch(endpoint, { url: "https://93.184.215.14/other" }),
          patch(endpoint, { event_types: ["purchase.paid"] }),
          patch(endpoint, { event_types: ["purchase.paid"] }),
          send("POST", `${endpoint.path}/rotate-secret`, endpoint)
        ]
      ) {
        const before = yield* wakes
        yield* change
        told.push((yield* wakes) - before)
      }
      assert.deepStrictEqual(told, [0, 1, 1, 0, 1])
    }))
})

layer(WebhooksLayer)("An endpoint that is deleted", (it) => {
  it.effect("has its queue canceled, whatever its status, and its history kept with the events", () =>
    Effect.gen(function*() {
      const { endpoint, pending, succeeded } = yield* withQueue
      yield* send("DELETE", endpoint.path, endpoint)
      assert.deepStrictEqual(yield* owedNow(endpoint), [])
      const { cancel_reason, finished_at, status } = yield* deliveryNow(pending)
      assert.deepStrictEqual([status, cancel_reason, finished_at], ["canceled", "endpoint_deleted", saturday])
      assert.strictEqual((yield* deliveryNow(succeeded)).status, "succeeded")
      assert.deepStrictEqual(outcome(yield* readDelivery(endpoint, pending.id)), [404, "not_found"])
      const event = yield* send("GET", `${endpoint.club.path}/webhook-events/${pending.event_id}`, endpoint)
      assert.strictEqual(event.status, 200)
    }))

  it.effect("gets nothing any more", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday)
      yield* send("DELETE", endpoint.path, endpoint)
      assert.deepStrictEqual(outcome(yield* sendTest(endpoint)), [404, "not_found"])
    }))
})
