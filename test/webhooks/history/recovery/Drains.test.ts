import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { LanesRepo } from "../../../../src/webhooks/engine/dispatch/LanesRepo.ts"
import { Lease } from "../../../../src/webhooks/engine/dispatch/Lease.ts"
import { at, outcome, send } from "../../../harness/App.ts"
import { ago, makeDelivery, saturday } from "../../engine/retention/Rows.ts"
import { fieldsOf, patch, read as readEndpoint, type Registered, setLane, setStatus } from "../../Registering.ts"
import { RecoveringLayer, registered, settle } from "./Recovering.ts"

const read = ({ path, token }: Registered) => send("GET", `${path}/drain`, { token })

const drainNow = (endpoint: Registered) => Effect.map(read(endpoint), (answer) => at(answer.json, "data"))

const due = { next_attempt_at: DateTime.toDateUtc(ago("1 hours")) }

const iso = DateTime.formatIso
const later = (seconds: number) => iso(DateTime.add(saturday, { seconds }))

const none = {
  status: "none",
  rate: null,
  begun_at: null,
  ended_at: null,
  ends_at: null,
  total: null,
  remaining: 0,
  capped: false,
  by_type: [],
  by_day: []
}

/** This many deliveries, all created the day before. */
const remaining = (count: number) => ({
  remaining: count,
  by_type: [{ event_type: "student.created", count }],
  by_day: [{ date: "2026-11-20", count }]
})

const begun = { status: "draining", rate: 20, begun_at: iso(saturday), total: 3 }

/** A paused endpoint with this many deliveries due. */
const paused = Effect.fnUntraced(function*(count: number) {
  const endpoint = yield* registered
  yield* setStatus(endpoint, "paused")
  for (let made = 0; made < count; made++) yield* makeDelivery(endpoint, ago("1 days"), due)
  return endpoint
})

const drain = (endpoint: Registered, drain_rate = 20) => patch(endpoint, { status: "enabled", drain_rate })

/** The worker that leases the lane finds that everything is sent. */
const endDrain = Effect.fnUntraced(function*(endpoint: Registered, begun_at: DateTime.Utc) {
  const { club_id, endpoint_id } = endpoint
  const lease_id = Lease.fields.lease_id.make(endpoint_id)
  const lanes = yield* LanesRepo
  yield* setLane(endpoint, { lease_id })
  yield* lanes.endDrain({ club_id, endpoint_id, lease_id }, begun_at)
})

const DrainingLayer = LanesRepo.layer.pipe(Layer.provideMerge(RecoveringLayer))

layer(DrainingLayer)("The drain of an endpoint that was paused", (it) => {
  it.effect("is shown before it begins: what is due by then, by type and by the day of the club", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      assert.deepStrictEqual<unknown>(yield* drainNow(endpoint), none)
      yield* setStatus(endpoint, "paused")
      assert.deepStrictEqual<unknown>(yield* drainNow(endpoint), { ...none, status: "waiting" })
      yield* makeDelivery(endpoint, ago("1 days"), due)
      yield* makeDelivery(endpoint, ago("1 days"), { ...due, event_type: "purchase.paid" })
      yield* makeDelivery(endpoint, ago("2 hours"), due)
      const next_attempt_at = DateTime.toDateUtc(DateTime.add(saturday, { minutes: 1 }))
      yield* makeDelivery(endpoint, ago("2 hours"), { next_attempt_at })
      assert.deepStrictEqual<unknown>(yield* drainNow(endpoint), {
        ...none,
        status: "waiting",
        remaining: 3,
        by_type: [{ event_type: "purchase.paid", count: 1 }, { event_type: "student.created", count: 2 }],
        by_day: [{ date: "2026-11-20", count: 2 }, { date: "2026-11-21", count: 1 }]
      })
      yield* patch(endpoint, { status: "enabled" })
      assert.deepStrictEqual<unknown>(yield* drainNow(endpoint), none)
    }))

  it.effect("says how many of what waited then are not sent yet, and until when, and nothing of what came since", () =>
    Effect.gen(function*() {
      const endpoint = yield* paused(3)
      yield* drain(endpoint)
      yield* TestClock.adjust("1 seconds")
      const since = DateTime.toDateUtc(DateTime.add(saturday, { seconds: 1 }))
      yield* makeDelivery(endpoint, ago("1 minutes"), { next_attempt_at: since })
      const now = { ...none, ...begun, ends_at: later(2) }
      assert.deepStrictEqual<unknown>(yield* drainNow(endpoint), { ...now, ...remaining(3) })
      yield* settle(endpoint, "succeeded", 2)
      assert.deepStrictEqual<unknown>(yield* drainNow(endpoint), { ...now, ...remaining(1) })
      yield* patch(endpoint, { max_per_second: 1 })
      yield* setLane(endpoint, { holds: 1, hold_until: since })
      assert.strictEqual(at(yield* drainNow(endpoint), "ends_at"), null)
    }))

  it.effect("is through no earlier than the endpoint's own rate lets it be", () =>
    Effect.gen(function*() {
      const endpoint = yield* paused(3)
      yield* patch(endpoint, { max_per_second: 1 })
      yield* drain(endpoint)
      assert.strictEqual(at(yield* drainNow(endpoint), "ends_at"), later(3))
    }))

  it.effect("is completed when its worker finds nothing left of it, and stays so until the next", () =>
    Effect.gen(function*() {
      const endpoint = yield* paused(3)
      yield* drain(endpoint)
      yield* TestClock.adjust("9 seconds")
      yield* settle(endpoint, "succeeded")
      yield* endDrain(endpoint, saturday)
      const completed = { ...none, ...begun, status: "completed", rate: null, ended_at: later(9) }
      assert.deepStrictEqual<unknown>(yield* drainNow(endpoint), completed)
      yield* setStatus(endpoint, "paused")
      assert.deepStrictEqual<unknown>(yield* drainNow(endpoint), { ...none, status: "waiting" })
      yield* setStatus(endpoint, "enabled")
      assert.deepStrictEqual<unknown>(yield* drainNow(endpoint), completed)
      yield* setStatus(endpoint, "paused")
      yield* drain(endpoint, 5)
      const next = { status: "draining", rate: 5, begun_at: later(9), ends_at: later(9), total: 0 }
      assert.deepStrictEqual<unknown>(yield* drainNow(endpoint), { ...none, ...next })
    }))

  it.effect("is canceled by `drain_rate` null, and by stopping the endpoint, and says what is not sent yet", () =>
    Effect.gen(function*() {
      for (const [end, left] of [[{ drain_rate: null }, 3], [{ status: "disabled" }, 0]] as const) {
        const endpoint = yield* paused(3)
        yield* drain(endpoint)
        yield* TestClock.adjust("1 seconds")
        yield* patch(endpoint, end)
        const canceled = { ...none, ...begun, status: "canceled", rate: null, ended_at: later(1) }
        assert.deepStrictEqual<unknown>(
          yield* drainNow(endpoint),
          left > 0 ? { ...canceled, ...remaining(left) } : canceled
        )
        yield* TestClock.setTime(DateTime.toEpochMillis(saturday))
      }
    }))

  it.effect("is paused with the endpoint, and goes on with what is left of it", () =>
    Effect.gen(function*() {
      const endpoint = yield* paused(3)
      yield* drain(endpoint)
      yield* settle(endpoint, "succeeded", 1)
      yield* setStatus(endpoint, "paused")
      assert.deepStrictEqual<unknown>(yield* drainNow(endpoint), { ...none, status: "waiting", ...remaining(2) })
      yield* drain(endpoint, 1)
      const again = { ...begun, rate: 1, total: 2, ends_at: later(2) }
      assert.deepStrictEqual<unknown>(yield* drainNow(endpoint), { ...none, ...again, ...remaining(2) })
    }))

  it.effect("goes on at another rate, by `drain_rate` alone, and only while it is under way", () =>
    Effect.gen(function*() {
      const endpoint = yield* paused(3)
      yield* drain(endpoint)
      yield* TestClock.adjust("1 minutes")
      const answer = yield* patch(endpoint, { drain_rate: 2 })
      assert.deepStrictEqual(fieldsOf(answer, "drain_rate", "updated_at"), { drain_rate: 2, updated_at: later(60) })
      const changed = { ...begun, rate: 2, ends_at: later(62) }
      assert.deepStrictEqual<unknown>(yield* drainNow(endpoint), { ...none, ...changed, ...remaining(3) })
      const refused = yield* patch(endpoint, { status: "paused", drain_rate: 3 })
      assert.deepStrictEqual(outcome(refused), [409, "nothing_to_drain"])
      assert.strictEqual(at((yield* readEndpoint(endpoint)).json, "data", "status"), "enabled")
      yield* patch(endpoint, { drain_rate: null })
      assert.deepStrictEqual(outcome(yield* patch(endpoint, { drain_rate: 3 })), [409, "nothing_to_drain"])
    }))

  it.effect("is none of a deleted endpoint", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      yield* send("DELETE", endpoint.path, { token: endpoint.token })
      assert.deepStrictEqual(outcome(yield* read(endpoint)), [404, "not_found"])
    }))
})
