import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { outcome, send } from "../../../harness/App.ts"
import { warmPool } from "../../../harness/Pool.ts"
import { ago, begin, deliveryNow, ended, makeDelivery, saturday } from "../../engine/retention/Rows.ts"
import {
  foundOnSaturday,
  laneNow,
  owedNow,
  recover,
  register,
  type Registered,
  setLane,
  setStatus,
  WebhooksLayer
} from "../../Registering.ts"

// Contract, Delivery behavior 8.

const registered = Effect.flatMap(foundOnSaturday, (club) => register(club))
const now = DateTime.toDateUtc(saturday)
const since = DateTime.formatIso(ago("5 days"))

const canceled = (cancel_reason: string) => ({ status: "canceled", cancel_reason, finished_at: now })

const data = (answer: { readonly json: unknown }) => Object(answer.json).data

const owedIds = (endpoint: Registered) => Effect.map(owedNow(endpoint), (owed) => owed.map(({ id }) => id))

layer(WebhooksLayer)("Recovering", (it) => {
  it.effect("puts what failed or was canceled by disabling back in the queue, with one attempt each", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const failed = yield* makeDelivery(endpoint, ago("2 days"), { ...ended("failed"), rung: 8 })
      const dropped = yield* makeDelivery(endpoint, ago("1 days"), canceled("endpoint_disabled"))
      const answer = yield* recover(endpoint, since)
      assert.deepStrictEqual([answer.status, data(answer)], [202, { recovered: 2 }])
      const pending = { status: "pending", trigger: "recover", once: true, next_attempt_at: saturday }
      assert.deepStrictEqual<unknown>(yield* owedNow(endpoint), [
        { id: failed.id, event_id: failed.event_id, rung: 8, ...pending },
        { id: dropped.id, event_id: dropped.event_id, rung: 0, ...pending }
      ])
      const { cancel_reason, finished_at } = yield* deliveryNow(dropped)
      assert.deepStrictEqual([cancel_reason, finished_at], [null, null])
    }))

  it.effect("leaves everything else alone", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const sibling = yield* register(endpoint.club)
      const others = [
        yield* makeDelivery(endpoint, ago("1 days")),
        yield* makeDelivery(endpoint, ago("1 days"), ended("succeeded")),
        yield* makeDelivery(endpoint, ago("1 days"), canceled("expired")),
        yield* makeDelivery(endpoint, ago("1 days"), canceled("student_removed")),
        yield* makeDelivery(endpoint, ago("1 days"), canceled("endpoint_deleted")),
        yield* makeDelivery(endpoint, ago("1 days"), { ...ended("failed"), body_erased: true }),
        yield* makeDelivery(endpoint, ago(Duration.millis(Duration.toMillis("5 days") + 1)), ended("failed")),
        yield* makeDelivery(sibling, ago("1 days"), ended("failed"))
      ]
      const before = yield* Effect.forEach(others, deliveryNow)
      assert.deepStrictEqual(data(yield* recover(endpoint, since)), { recovered: 0 })
      assert.deepStrictEqual(yield* Effect.forEach(others, deliveryNow), before)
    }))

  it.effect("reaches back to the very moment that was asked for", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const { id } = yield* makeDelivery(endpoint, ago("5 days"), ended("failed"))
      yield* recover(endpoint, since)
      assert.deepStrictEqual(yield* owedIds(endpoint), [id])
    }))

  it.effect("counts each delivery once when it is done many times at once", () =>
    Effect.gen(function*() {
      yield* warmPool
      const endpoint = yield* registered
      for (const hours of Array.from({ length: 20 }, (_, n) => n + 1)) {
        yield* makeDelivery(endpoint, ago({ hours }), ended("failed"))
      }
      const answers = yield* Effect.all(Array.from({ length: 6 }, () => recover(endpoint, since)), {
        concurrency: "unbounded"
      })
      const counts = answers.map((answer) => data(answer).recovered)
      assert.strictEqual(counts.reduce((sum, count) => sum + count, 0), 20)
      assert.lengthOf(yield* owedNow(endpoint), 20)
    }))

  it.effect("does not wait for the end of a hold", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const hold_until = DateTime.toDateUtc(DateTime.add(saturday, { hours: 1 }))
      yield* setLane(endpoint, { hold_until, holds: 1, due_at: hold_until })
      yield* makeDelivery(endpoint, ago("1 days"), ended("failed"))
      yield* recover(endpoint, since)
      assert.deepStrictEqual((yield* laneNow(endpoint)).due_at, saturday)
    }))

  it.effect.each(["paused", "disabled"])(
    "is 409 endpoint_not_enabled while the endpoint is %s",
    (status) =>
      Effect.gen(function*() {
        const endpoint = yield* registered
        yield* makeDelivery(endpoint, ago("1 days"), ended("failed"))
        yield* setStatus(endpoint, status)
        assert.deepStrictEqual(outcome(yield* recover(endpoint, since)), [409, "endpoint_not_enabled"])
        assert.deepStrictEqual(yield* owedIds(endpoint), [])
      })
  )

  it.effect.each([
    ["since_in_future", "2026-11-21T10:00:00.001Z"],
    ["since_in_future", "2026-11-22"],
    ["since_too_old", "2026-10-22T09:54:59.999Z"],
    ["since_too_old", "2026-10-21"],
    ["since_too_old", "1970-01-01T00:00:00Z"],
    ["since_too_old", "1970-01-01"],
    ["validation_failed", "2026-02-30"],
    ["validation_failed", "21/11/2026"],
    ["validation_failed", "2026-11-21T10:00:00"],
    ["validation_failed", ""],
    ["validation_failed", null]
  ])("is 422 %s since %s", ([code, since]) =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      assert.deepStrictEqual(outcome(yield* recover(endpoint, since)), [422, code])
    }))

  it.effect.each([
    "2026-11-21T10:00:00.000Z",
    "2026-10-22T10:00:00.000Z",
    "2026-10-22T07:00:00.000-03:00",
    "2026-10-22T09:55:00.000Z",
    "2026-11-21",
    "2026-10-22"
  ])(
    "is possible since %s, now and 30 days back included",
    (since) =>
      Effect.gen(function*() {
        assert.strictEqual((yield* recover(yield* registered, since)).status, 202)
      })
  )

  it.effect("reaches 30 days back for who reckoned that a moment earlier", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const since = DateTime.formatIso(ago("30 days"))
      const { id } = yield* makeDelivery(endpoint, ago("9 days"), ended("failed"))
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(data(yield* recover(endpoint, since)), { recovered: 1 })
      assert.deepStrictEqual(yield* owedIds(endpoint), [id])
      yield* TestClock.adjust(Duration.minutes(5))
      assert.deepStrictEqual(outcome(yield* recover(endpoint, since)), [422, "since_too_old"])
    }))

  it.effect("of a date begins with that day in the club's time zone", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      yield* send("PATCH", endpoint.club.path, { token: endpoint.token, body: { time_zone: "America/Sao_Paulo" } })
      const midnight = DateTime.makeUnsafe("2026-11-20T03:00:00Z")
      const { id } = yield* makeDelivery(endpoint, midnight, ended("failed"))
      yield* makeDelivery(endpoint, DateTime.subtract(midnight, { milliseconds: 1 }), ended("failed"))
      assert.deepStrictEqual(data(yield* recover(endpoint, "2026-11-20")), { recovered: 1 })
      assert.deepStrictEqual(yield* owedIds(endpoint), [id])
    }))
})

layer(WebhooksLayer)("A delivery whose body is past its age", (it) => {
  it.effect("is not recovered", () =>
    Effect.gen(function*() {
      yield* begin("31 days")
      const endpoint = yield* registered
      yield* makeDelivery(endpoint, ago("30 days"), ended("failed"))
      const young = yield* makeDelivery(
        endpoint,
        ago(Duration.millis(Duration.toMillis("30 days") - 1)),
        ended("failed")
      )
      yield* recover(endpoint, DateTime.formatIso(ago("30 days")))
      assert.deepStrictEqual(yield* owedIds(endpoint), [young.id])
    }))
})
