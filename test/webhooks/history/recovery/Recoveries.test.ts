import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { at, outcome, send } from "../../../harness/App.ts"
import { warmPool } from "../../../harness/Pool.ts"
import { ago, deliveryNow, ended, makeDelivery, saturday } from "../../engine/retention/Rows.ts"
import { idsIn, laneNow, owedNow, recover, register, setLane, setStatus } from "../../Registering.ts"
import {
  askFor,
  change,
  create,
  makeFailed,
  now,
  readRecovery,
  RecoveringLayer,
  recoveryIn,
  registered,
  settle,
  tick
} from "./Recovering.ts"

const canceled = (cancel_reason: string) => ({
  status: "canceled",
  cancel_reason,
  finished_at: DateTime.toDateUtc(saturday)
})

layer(RecoveringLayer)("A recovery as a job", (it) => {
  it.effect("says what it would send, by type and day, and what it leaves out, and changes nothing", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const made = [
        yield* makeDelivery(endpoint, ago("50 hours"), ended("failed")),
        yield* makeDelivery(endpoint, ago("26 hours"), { ...ended("failed"), event_type: "purchase.paid" }),
        yield* makeDelivery(endpoint, ago("25 hours"), canceled("endpoint_disabled")),
        yield* makeDelivery(endpoint, ago("24 hours"), canceled("student_removed")),
        yield* makeDelivery(endpoint, ago("23 hours"), canceled("expired")),
        yield* makeDelivery(endpoint, ago("22 hours"), { ...ended("failed"), body_erased: true }),
        yield* makeDelivery(endpoint, ago("21 hours"), canceled("endpoint_deleted")),
        yield* makeDelivery(endpoint, ago("20 hours"), ended("succeeded")),
        yield* makeDelivery(endpoint, ago("19 hours"))
      ]
      const before = yield* Effect.forEach(made, deliveryNow)
      const answer = yield* askFor(endpoint)
      assert.strictEqual(answer.status, 201)
      const { preview, progress, status } = yield* recoveryIn(answer)
      assert.strictEqual(status, "previewed")
      assert.deepStrictEqual<unknown>(preview, {
        total: 3,
        failed: 2,
        endpoint_disabled: 1,
        by_type: [{ event_type: "purchase.paid", count: 1 }, { event_type: "student.created", count: 2 }],
        by_day: [{ date: "2026-11-19", count: 1 }, { date: "2026-11-20", count: 2 }],
        left_out: { student_removed: 1, expired: 1, payload_purged: 1 }
      })
      assert.strictEqual(progress.remaining, 3)
      yield* tick
      assert.deepStrictEqual(yield* Effect.forEach(made, deliveryNow), before)
    }))

  it.effect("counts days in the club's time zone", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      yield* send("PATCH", endpoint.club.path, { token: endpoint.token, body: { time_zone: "America/Sao_Paulo" } })
      yield* makeDelivery(endpoint, DateTime.makeUnsafe("2026-11-20T02:59:00Z"), ended("failed"))
      const { preview } = yield* create(endpoint)
      assert.deepStrictEqual<unknown>(preview.by_day, [{ date: "2026-11-19", count: 1 }])
    }))

  it.effect("sends what it has counted, once each, and says what came of it", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const made = yield* makeFailed(endpoint, 5)
      const { id } = yield* create(endpoint)
      const started = yield* change(endpoint, id, { status: "running" })
      assert.deepStrictEqual([started.status, at(started.json, "data", "status")], [200, "running"])
      yield* tick
      const owed = yield* owedNow(endpoint)
      assert.deepStrictEqual(
        owed.map(({ id, once, status, trigger }) => ({ id, once, status, trigger })),
        made.map(({ id }) => ({ id, once: true, status: "pending", trigger: "recover" }))
      )
      const moved = (yield* now(endpoint, id)).progress
      assert.deepStrictEqual(moved, {
        moved: 5,
        waiting: 5,
        succeeded: 0,
        failed: 0,
        canceled: 0,
        remaining: 0,
        skipped: 0
      })
      yield* settle(endpoint, "succeeded", 3)
      yield* tick
      assert.strictEqual((yield* now(endpoint, id)).progress.waiting, 2)
      yield* settle(endpoint, "failed")
      yield* tick
      const { finished_at, progress, status } = yield* now(endpoint, id)
      assert.strictEqual(status, "completed")
      assert.isNotNull(finished_at)
      assert.deepStrictEqual(progress, { ...moved, waiting: 0, succeeded: 3, failed: 2 })
      yield* tick
      assert.lengthOf(yield* owedNow(endpoint), 0)
    }))

  it.effect("starts by itself where that was asked for", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      yield* makeFailed(endpoint, 2)
      const { started_at, status } = yield* create(endpoint, { start: true })
      assert.strictEqual(status, "running")
      assert.isNotNull(started_at)
      yield* tick
      assert.lengthOf(yield* owedNow(endpoint), 2)
    }))

  it.effect("sends only the types, the time and in the order that were asked for", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      yield* makeFailed(endpoint, 2)
      const paid = yield* makeFailed(endpoint, 4, { event_type: "purchase.paid" })
      const until = DateTime.formatIso(ago("1 hours"))
      const { preview } = yield* create(endpoint, {
        event_types: ["purchase.paid"],
        until,
        order: "newest",
        rate: 2,
        start: true
      })
      assert.strictEqual(preview.total, 3)
      yield* TestClock.adjust("1 seconds")
      yield* tick
      assert.deepStrictEqual((yield* owedNow(endpoint)).map(({ id }) => id), paid.slice(2, 3).map(({ id }) => id))
    }))

  it.effect("moves no more than its rate, which may be changed while it runs", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      yield* makeFailed(endpoint, 40)
      const { id } = yield* create(endpoint, { rate: 10, start: true })
      const counts: Array<number> = []
      for (let seconds = 0; seconds < 3; seconds++) {
        for (let ticks = 0; ticks < 10; ticks++) yield* tick
        counts.push(yield* settle(endpoint, "succeeded"))
      }
      assert.deepStrictEqual(counts, [10, 10, 10])
      yield* change(endpoint, id, { rate: null })
      yield* tick
      yield* tick
      assert.strictEqual(yield* settle(endpoint, "succeeded"), 10)
    }))

  it.effect("moves nothing while it is paused, and goes on where it was", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      yield* makeFailed(endpoint, 20)
      const { id } = yield* create(endpoint, { rate: 10, start: true })
      for (let ticks = 0; ticks < 5; ticks++) yield* tick
      assert.strictEqual((yield* recoveryIn(yield* change(endpoint, id, { status: "paused" }))).status, "paused")
      const before = (yield* now(endpoint, id)).progress
      assert.strictEqual(yield* settle(endpoint, "succeeded"), before.moved)
      yield* TestClock.adjust("1 hours")
      yield* tick
      assert.deepStrictEqual((yield* now(endpoint, id)).progress, { ...before, waiting: 0, succeeded: before.moved })
      assert.lengthOf(yield* owedNow(endpoint), 0)
      yield* change(endpoint, id, { status: "running", rate: null })
      yield* tick
      assert.lengthOf(yield* owedNow(endpoint), 20 - before.moved)
    }))

  it.effect("has no other rate once it has ended", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      yield* makeFailed(endpoint, 2)
      const { id } = yield* create(endpoint, { rate: 10 })
      assert.strictEqual((yield* change(endpoint, id, { status: "canceled", rate: 20 })).status, 200)
      assert.deepStrictEqual(outcome(yield* change(endpoint, id, { rate: 20 })), [409, "invalid_transition"])
      assert.strictEqual((yield* now(endpoint, id)).rate, 10)
    }))

  it.effect("is canceled, and what was moved already is still sent and counted", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const made = yield* makeFailed(endpoint, 100)
      const { id } = yield* create(endpoint, { start: true })
      yield* tick
      const { cancel_reason, progress, status } = yield* recoveryIn(yield* change(endpoint, id, { status: "canceled" }))
      assert.deepStrictEqual([status, cancel_reason], ["canceled", "requested"])
      assert.strictEqual(progress.moved + progress.remaining, made.length)
      assert.isBelow(progress.moved, made.length)
      assert.strictEqual(yield* settle(endpoint, "succeeded"), progress.moved)
      yield* tick
      yield* tick
      assert.lengthOf(yield* owedNow(endpoint), 0)
      const { succeeded, waiting } = (yield* now(endpoint, id)).progress
      assert.deepStrictEqual([succeeded, waiting], [progress.moved, 0])
    }))

  it.effect("leaves out what was resent or removed meanwhile, and what failed since", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const [first, second] = yield* makeFailed(endpoint, 3)
      if (first === undefined || second === undefined) return assert.fail("Nothing was made")
      const { id } = yield* create(endpoint)
      const sql = yield* SqlClient.SqlClient
      yield* sql`update webhook_deliveries set body_erased = true where id = ${first.id}`
      const later = DateTime.toDateUtc(DateTime.add(saturday, { seconds: 1 }))
      yield* sql`update webhook_deliveries set finished_at = ${later} where id = ${second.id}`
      yield* makeDelivery(endpoint, ago("1 minutes"), { ...ended("failed"), finished_at: later })
      yield* change(endpoint, id, { status: "running" })
      yield* tick
      assert.lengthOf(yield* owedNow(endpoint), 1)
      yield* settle(endpoint, "succeeded")
      yield* tick
      const { progress, status } = yield* now(endpoint, id)
      assert.deepStrictEqual([status, progress.moved, progress.skipped, progress.remaining], ["completed", 1, 2, 0])
    }))

  it.effect("counts what is canceled before its attempt, once no attempt can be under way any more", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      yield* makeFailed(endpoint, 2)
      const { id } = yield* create(endpoint, { start: true })
      yield* tick
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        update webhook_deliveries set status = 'canceled', cancel_reason = 'student_removed', next_attempt_at = null,
          finished_at = ${DateTime.toDateUtc(yield* DateTime.now)}
        where club_id = ${endpoint.club_id} and endpoint_id = ${endpoint.endpoint_id}`
      yield* tick
      assert.strictEqual((yield* now(endpoint, id)).progress.waiting, 2)
      yield* TestClock.adjust("20 seconds")
      yield* tick
      const { progress, status } = yield* now(endpoint, id)
      assert.deepStrictEqual([status, progress.canceled, progress.waiting], ["completed", 2, 0])
    }))
})

layer(RecoveringLayer)("A recovery, its endpoint and others", (it) => {
  it.effect("waits while the endpoint is paused, and goes on when it is enabled", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      yield* makeFailed(endpoint, 2)
      const { id } = yield* create(endpoint, { start: true })
      yield* setStatus(endpoint, "paused")
      yield* tick
      assert.strictEqual((yield* now(endpoint, id)).blocked_by, "endpoint_paused")
      assert.lengthOf(yield* owedNow(endpoint), 0)
      yield* setStatus(endpoint, "enabled")
      yield* TestClock.adjust("5 seconds")
      yield* tick
      assert.lengthOf(yield* owedNow(endpoint), 2)
      assert.isNull((yield* now(endpoint, id)).blocked_by)
    }))

  it.effect("gives a held endpoint its first attempt at once, and the next as a probe after the hold", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      yield* makeFailed(endpoint, 3)
      const hold_until = DateTime.toDateUtc(DateTime.add(saturday, { minutes: 1 }))
      yield* setLane(endpoint, { hold_until, holds: 1 })
      const { id } = yield* create(endpoint, { start: true })
      yield* tick
      assert.strictEqual((yield* now(endpoint, id)).blocked_by, "endpoint_held")
      assert.lengthOf(yield* owedNow(endpoint), 1)
      assert.deepStrictEqual((yield* laneNow(endpoint)).due_at, yield* DateTime.now)
      yield* settle(endpoint, "failed", 1)
      yield* TestClock.adjust("30 seconds")
      yield* tick
      assert.lengthOf(yield* owedNow(endpoint), 0)
      yield* TestClock.adjust("30 seconds")
      yield* tick
      yield* TestClock.adjust("10 seconds")
      yield* tick
      assert.lengthOf(yield* owedNow(endpoint), 1)
    }))

  it.effect("makes its lane due after the hold, not before", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      yield* makeFailed(endpoint, 1)
      yield* create(endpoint, { start: true })
      yield* tick
      assert.deepStrictEqual((yield* laneNow(endpoint)).due_at, DateTime.add(saturday, { milliseconds: 100 }))
    }))

  it.effect("is canceled when the endpoint is disabled", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      yield* makeFailed(endpoint, 2)
      const { id } = yield* create(endpoint, { start: true })
      yield* setStatus(endpoint, "disabled")
      yield* tick
      const { cancel_reason, status } = yield* now(endpoint, id)
      assert.deepStrictEqual([status, cancel_reason], ["canceled", "endpoint_disabled"])
      assert.lengthOf(yield* owedNow(endpoint), 0)
    }))

  it.effect.each(["previewed", "paused"])(
    "is canceled by that while it is %s and nobody looks at it",
    (state) =>
      Effect.gen(function*() {
        const endpoint = yield* registered
        yield* makeFailed(endpoint, 2)
        const { id } = yield* create(endpoint)
        if (state === "paused") {
          yield* change(endpoint, id, { status: "running" })
          yield* change(endpoint, id, { status: "paused" })
          yield* tick
        }
        assert.strictEqual((yield* now(endpoint, id)).status, state)
        yield* setStatus(endpoint, "disabled")
        yield* setStatus(endpoint, "enabled")
        yield* setStatus(endpoint, "disabled")
        yield* tick
        const { cancel_reason, status } = yield* now(endpoint, id)
        assert.deepStrictEqual([status, cancel_reason], ["canceled", "endpoint_disabled"])
      })
  )

  it.effect.each(["paused", "disabled"])(
    "is 409 endpoint_not_enabled while the endpoint is %s",
    (status) =>
      Effect.gen(function*() {
        const endpoint = yield* registered
        const { id } = yield* create(endpoint)
        yield* setStatus(endpoint, status)
        assert.deepStrictEqual(outcome(yield* askFor(endpoint)), [409, "endpoint_not_enabled"])
        assert.deepStrictEqual(
          outcome(yield* change(endpoint, id, { status: "running" })),
          [409, "endpoint_not_enabled"]
        )
      })
  )

  it.effect("is 409 recovery_in_progress while another runs or is paused", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      yield* makeFailed(endpoint, 1)
      const { id } = yield* create(endpoint, { start: true })
      assert.deepStrictEqual(outcome(yield* askFor(endpoint)), [409, "recovery_in_progress"])
      yield* change(endpoint, id, { status: "paused" })
      assert.deepStrictEqual(outcome(yield* askFor(endpoint)), [409, "recovery_in_progress"])
      yield* change(endpoint, id, { status: "canceled" })
      assert.strictEqual((yield* askFor(endpoint)).status, 201)
    }))

  it.effect("takes the place of one that was never started", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const first = yield* create(endpoint)
      const second = yield* create(endpoint)
      const { cancel_reason, status } = yield* now(endpoint, first.id)
      assert.deepStrictEqual([status, cancel_reason], ["canceled", "replaced"])
      assert.strictEqual(second.status, "previewed")
    }))

  it.effect("is one, however many are asked for at once", () =>
    Effect.gen(function*() {
      yield* warmPool
      const endpoint = yield* registered
      yield* makeFailed(endpoint, 1)
      const answers = yield* Effect.all(Array.from({ length: 6 }, () => askFor(endpoint, { start: true })), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409, 409, 409, 409])
    }))

  it.effect("is 409 invalid_transition once it has ended, and where it cannot be paused", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const { id } = yield* create(endpoint)
      assert.deepStrictEqual(outcome(yield* change(endpoint, id, { status: "paused" })), [409, "invalid_transition"])
      yield* change(endpoint, id, { status: "canceled" })
      assert.deepStrictEqual(outcome(yield* change(endpoint, id, { status: "running" })), [409, "invalid_transition"])
      assert.strictEqual((yield* change(endpoint, id, { status: "canceled" })).status, 200)
    }))

  it.effect.each([
    ["since_in_future", { since: "2026-11-22" }],
    ["since_too_old", { since: "1970-01-01" }],
    ["validation_failed", { since: "yesterday" }],
    ["validation_failed", { rate: 0 }],
    ["validation_failed", { rate: 1001 }],
    ["validation_failed", { event_types: [] }],
    ["event_type_unknown", { event_types: ["student.unknown"] }],
    ["validation_failed", { order: "random" }]
  ])("is 422 %s of %j", ([code, body]) =>
    Effect.gen(function*() {
      assert.deepStrictEqual(outcome(yield* askFor(yield* registered, body)), [422, code])
    }))

  it.effect("is listed newest first, page by page, and found by its own endpoint alone", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const ids: Array<string> = []
      for (let count = 0; count < 3; count++) {
        yield* TestClock.adjust("1 seconds")
        ids.unshift((yield* create(endpoint)).id)
      }
      const page = (query: string) =>
        send("GET", `${endpoint.path}/recoveries?limit=2${query}`, { token: endpoint.token })
      const first = yield* page("")
      const second = yield* page(`&cursor=${String(at(first.json, "next_cursor"))}`)
      assert.deepStrictEqual([...idsIn(first), ...idsIn(second)], ids)
      assert.isNull(at(second.json, "next_cursor"))
      const [id = ""] = ids
      for (const other of [yield* register(endpoint.club), yield* registered]) {
        assert.deepStrictEqual(outcome(yield* readRecovery(other, id)), [404, "not_found"])
        assert.deepStrictEqual(outcome(yield* change(other, id, { status: "canceled" })), [404, "not_found"])
      }
      assert.strictEqual((yield* now(endpoint, id)).status, "previewed")
    }))

  it.effect("repeats nothing that recovering at once has sent", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      yield* makeFailed(endpoint, 4)
      const { id } = yield* create(endpoint)
      yield* recover(endpoint, "2026-11-20")
      yield* settle(endpoint, "succeeded")
      yield* change(endpoint, id, { status: "running" })
      yield* tick
      yield* tick
      const { progress, status } = yield* now(endpoint, id)
      assert.deepStrictEqual([status, progress.moved, progress.skipped], ["completed", 0, 4])
    }))
})
