import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { at, listAt, outcome } from "../../../harness/App.ts"
import { warmPool } from "../../../harness/Pool.ts"
import { ago, deliveryNow, ended, makeDelivery, saturday } from "../../engine/retention/Rows.ts"
import {
  foundOnSaturday,
  laneNow,
  list,
  owedNow,
  register,
  resend,
  setLane,
  setStatus,
  WebhooksLayer
} from "../../Registering.ts"

// Contract, Delivery: manual resend.

const registered = Effect.flatMap(foundOnSaturday, (club) => register(club))
const now = DateTime.toDateUtc(saturday)
const inAnHour = DateTime.toDateUtc(DateTime.add(saturday, { hours: 1 }))

const canceled = (cancel_reason: string) => ({ status: "canceled", cancel_reason, finished_at: now })

layer(WebhooksLayer)("Resending", (it) => {
  it.effect("brings a pending delivery's next attempt forward and leaves it on its schedule", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const { event_id, id } = yield* makeDelivery(endpoint, ago("1 days"), { rung: 3, next_attempt_at: inAnHour })
      const answer = yield* resend(endpoint, id)
      assert.strictEqual(answer.status, 202)
      assert.deepStrictEqual([at(answer.json, "data")], listAt((yield* list(endpoint)).json, "data"))
      assert.deepStrictEqual<unknown>(yield* owedNow(endpoint), [
        { id, event_id, status: "pending", trigger: "manual", once: false, rung: 3, next_attempt_at: saturday }
      ])
    }))

  it.effect("does not put off what has been due for longer", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const due = DateTime.toDateUtc(ago("1 hours"))
      const { id } = yield* makeDelivery(endpoint, ago("1 days"), { next_attempt_at: due })
      yield* resend(endpoint, id)
      assert.deepStrictEqual((yield* owedNow(endpoint)).map(({ next_attempt_at }) => next_attempt_at), [ago("1 hours")])
    }))

  it.effect.each([
    ["succeeded", ended("succeeded")],
    ["failed", ended("failed")],
    ["canceled", canceled("expired")],
    ["canceled", canceled("endpoint_disabled")]
  ])(
    "gives a delivery that has %s exactly one attempt, and leaves its status until then: %j",
    ([status, columns]) =>
      Effect.gen(function*() {
        const endpoint = yield* registered
        const { event_id, id } = yield* makeDelivery(endpoint, ago("1 days"), { rung: 8, ...Object(columns) })
        const answer = yield* resend(endpoint, id)
        assert.deepStrictEqual([answer.status, at(answer.json, "data", "status")], [202, status])
        assert.strictEqual(at(answer.json, "data", "next_attempt_at"), "2026-11-21T10:00:00.000Z")
        assert.strictEqual(at(answer.json, "data", "finished_at"), "2026-11-21T10:00:00.000Z")
        assert.deepStrictEqual<unknown>(yield* owedNow(endpoint), [
          { id, event_id, status, trigger: "manual", once: true, rung: 8, next_attempt_at: saturday }
        ])
      })
  )

  it.effect("keeps the only attempt of a recovered delivery its only one", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const { id } = yield* makeDelivery(endpoint, ago("1 days"), { once: true, trigger: "recover" })
      yield* resend(endpoint, id)
      assert.deepStrictEqual((yield* owedNow(endpoint)).map(({ once, trigger }) => [once, trigger]), [[true, "manual"]])
    }))

  it.effect("twice, even at once, owes one attempt", () =>
    Effect.gen(function*() {
      yield* warmPool
      const endpoint = yield* registered
      const { id } = yield* makeDelivery(endpoint, ago("1 days"), ended("failed"))
      const answers = yield* Effect.all(Array.from({ length: 8 }, () => resend(endpoint, id)), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(answers.map(({ status }) => status), answers.map(() => 202))
      assert.lengthOf(yield* owedNow(endpoint), 1)
    }))

  it.effect("does not wait for the end of a hold", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const { id } = yield* makeDelivery(endpoint, ago("1 days"))
      yield* setLane(endpoint, { hold_until: inAnHour, holds: 1, due_at: inAnHour })
      yield* resend(endpoint, id)
      assert.deepStrictEqual((yield* laneNow(endpoint)).due_at, saturday)
    }))

  it.effect("is 409 payload_purged once the body is erased, enabled or not, and changes nothing", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const columns = { ...canceled("student_removed"), body_erased: true }
      const delivery = yield* makeDelivery(endpoint, ago("1 days"), columns)
      const before = yield* deliveryNow(delivery)
      assert.deepStrictEqual(outcome(yield* resend(endpoint, delivery.id)), [409, "payload_purged"])
      yield* setStatus(endpoint, "paused")
      assert.deepStrictEqual(outcome(yield* resend(endpoint, delivery.id)), [409, "payload_purged"])
      assert.deepStrictEqual(yield* deliveryNow(delivery), before)
    }))

  it.effect.each(["paused", "disabled"])(
    "is 409 endpoint_not_enabled while the endpoint is %s",
    (status) =>
      Effect.gen(function*() {
        const endpoint = yield* registered
        const { id } = yield* makeDelivery(endpoint, ago("1 days"), ended("failed"))
        yield* setStatus(endpoint, status)
        assert.deepStrictEqual(outcome(yield* resend(endpoint, id)), [409, "endpoint_not_enabled"])
        assert.deepStrictEqual(yield* owedNow(endpoint), [])
      })
  )
})
