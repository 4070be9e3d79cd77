import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { at, listAt, outcome, send } from "../support/App.ts"
import { makeStudent } from "../support/Makers.ts"
import {
  foundOnSaturday,
  idsIn,
  list,
  read,
  readDelivery,
  register,
  setLane,
  setStatus,
  WebhooksLayer
} from "./Registering.ts"
import { ago, ended, makeAttempt, makeDelivery, saturday } from "./retention/Rows.ts"

const options = { timeout: "60 seconds" } as const
const unknownId = "0190a000-0000-7000-8000-000000000001"

const registered = Effect.flatMap(foundOnSaturday, (club) => register(club))

layer(WebhooksLayer, options)("The deliveries of an endpoint", (it) => {
  it.effect("are listed newest first, and no other endpoint's among them", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      yield* makeDelivery(yield* register(endpoint.club), ago("1 hours"))
      const ids: Array<string> = []
      for (const hours of [30, 20, 10]) ids.unshift((yield* makeDelivery(endpoint, ago({ hours }))).id)
      const answer = yield* list(endpoint)
      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual(idsIn(answer), ids)
      assert.isNull(at(answer.json, "next_cursor"))
    }))

  it.effect("keep their places in pages of 100 while others come in", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const { id: student_id } = yield* makeStudent(endpoint.club)
      const made: Array<unknown> = []
      for (const minutes of Array.from({ length: 250 }, (_, n) => 1000 - n)) {
        made.unshift((yield* makeDelivery(endpoint, ago({ minutes }), { student_id })).id)
      }
      const seen: Array<unknown> = []
      let query = "?limit=100"
      for (const expected of [100, 100, 50]) {
        const answer = yield* list(endpoint, query)
        assert.lengthOf(idsIn(answer), expected)
        seen.push(...idsIn(answer))
        query = `?limit=100&cursor=${String(at(answer.json, "next_cursor"))}`
        yield* makeDelivery(endpoint, ago("1 minutes"), { student_id })
      }
      assert.deepStrictEqual(seen, made)
      assert.strictEqual(query, "?limit=100&cursor=null")
    }))

  it.effect("can be asked for by status, type, student and time", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const student = yield* makeStudent(endpoint.club)
      const old = yield* makeDelivery(endpoint, ago("9 days"), ended("failed"))
      const paid = yield* makeDelivery(endpoint, ago("5 days"), { event_type: "purchase.paid" })
      const done = yield* makeDelivery(endpoint, ago("2 days"), { student_id: student.id, ...ended("succeeded") })
      const late = yield* makeDelivery(endpoint, ago("1 days"), { student_id: student.id })
      const moment = (days: number) => encodeURIComponent(DateTime.formatIso(ago({ days })))
      const cases: Record<string, ReadonlyArray<{ readonly id: string }>> = {
        "?status=pending": [late, paid],
        "?status=failed": [old],
        "?status=succeeded": [done],
        "?status=canceled": [],
        "?event_type=purchase.paid": [paid],
        "?event_type=webhook.test": [],
        [`?student_id=${student.id}`]: [late, done],
        [`?student_id=${student.id.toUpperCase()}&status=pending`]: [late],
        [`?student_id=${unknownId}`]: [],
        [`?since=${moment(5)}`]: [late, done, paid],
        [`?until=${moment(5)}`]: [old],
        [`?since=${moment(5)}&until=${moment(2)}`]: [paid],
        [`?since=${moment(2)}&until=${moment(5)}`]: []
      }
      for (const [query, expected] of Object.entries(cases)) {
        assert.deepStrictEqual(idsIn(yield* list(endpoint, query)), expected.map(({ id }) => id), query)
      }
    }))

  it.effect.each([
    ["status", "?status=waiting"],
    ["event_type", "?event_type=x"],
    ["since", "?since=yesterday"],
    ["until", "?until=2026-02-30T00:00:00Z"],
    ["student_id", "?student_id=1"],
    ["limit", "?limit=101"],
    ["limit", "?limit=0"]
  ])("cannot be asked for by a wrong %s: %s", ([field, query]) =>
    Effect.gen(function*() {
      const answer = yield* list(yield* registered, query)
      assert.deepStrictEqual(outcome(answer), [422, "validation_failed"])
      assert.isTrue(String(at(answer.json, "error", "message")).startsWith(`${field}: `), answer.text)
    }))

  it.effect("have cursors, and a bad one is 400", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(outcome(yield* list(yield* registered, "?cursor=x")), [400, "invalid_cursor"])
    }))
})

layer(WebhooksLayer, options)("A delivery", (it) => {
  it.effect("is read with its payload and its attempts, oldest first", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const delivery = yield* makeDelivery(endpoint, ago("2 hours"))
      const other = yield* makeDelivery(endpoint, ago("2 hours"))
      yield* makeAttempt(delivery, ago("2 hours"))
      yield* makeAttempt(delivery, ago("1 hours"))
      yield* makeAttempt(other, ago("1 hours"))
      const { json, status } = yield* readDelivery(endpoint, delivery.id)
      assert.strictEqual(status, 200)
      const listed = listAt((yield* list(endpoint)).json, "data").find((item) => at(item, "id") === delivery.id)
      const { attempts, payload, ...fields } = Object(at(json, "data"))
      assert.deepStrictEqual<unknown>(fields, listed)
      assert.deepStrictEqual(payload, { id: delivery.event_id })
      assert.deepStrictEqual(attempts.map((attempt: unknown) => at(attempt, "started_at")), [
        "2026-11-21T08:00:00.000Z",
        "2026-11-21T09:00:00.000Z"
      ])
      const { id, ...attempt } = attempts[0]
      assert.isString(id)
      assert.deepStrictEqual(attempt, {
        delivery_id: delivery.id,
        number: 1,
        trigger: "schedule",
        started_at: "2026-11-21T08:00:00.000Z",
        duration_ms: 7,
        status_code: 500,
        error: "http_status",
        response_body: "no room for Bia Lima",
        retry_after_seconds: null
      })
    }))

  it.effect("shows its 100 latest attempts", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const delivery = yield* makeDelivery(endpoint, ago("9 days"))
      for (const hours of Array.from({ length: 103 }, (_, n) => 103 - n)) yield* makeAttempt(delivery, ago({ hours }))
      const { json } = yield* readDelivery(endpoint, delivery.id)
      const attempts = listAt(json, "data", "attempts")
      assert.deepStrictEqual([attempts.length, at(attempts.at(0), "started_at"), at(attempts.at(-1), "started_at")], [
        100,
        DateTime.formatIso(ago("100 hours")),
        DateTime.formatIso(ago("1 hours"))
      ])
    }))

  it.effect("of another endpoint or club, unknown or malformed is 404", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const [sibling, stranger] = [yield* register(endpoint.club), yield* registered]
      const [theirs, foreign] = [
        yield* makeDelivery(sibling, ago("1 hours")),
        yield* makeDelivery(stranger, ago("1 hours"))
      ]
      for (const id of [theirs.id, foreign.id, unknownId, "malformed"]) {
        assert.deepStrictEqual(outcome(yield* readDelivery(endpoint, id)), [404, "not_found"])
        const again = yield* send("POST", `${endpoint.path}/deliveries/${id}/resend`, endpoint)
        assert.deepStrictEqual(outcome(again), [404, "not_found"])
      }
    }))
})

layer(WebhooksLayer, options)("An event", (it) => {
  it.effect("is read with its body and its deliveries to all endpoints, deleted ones too", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const sibling = yield* register(endpoint.club)
      const { event_id, id, student_id } = yield* makeDelivery(endpoint, ago("2 hours"))
      // The same event once more, to the other endpoint.
      const copy = yield* makeDelivery(sibling, ago("2 hours"), { event_id, student_id })
      yield* makeDelivery(sibling, ago("2 hours"))
      yield* send("DELETE", sibling.path, sibling)
      const answer = yield* send("GET", `${endpoint.club.path}/webhook-events/${event_id}`, endpoint)
      const { deliveries, ...event } = Object(at(answer.json, "data"))
      assert.deepStrictEqual(event, {
        id: event_id,
        type: "student.created",
        student_id,
        created_at: "2026-11-21T08:00:00.000Z",
        payload_purged: false,
        payload: { id: event_id }
      })
      assert.sameMembers(deliveries.map((delivery: unknown) => at(delivery, "id")), [id, copy.id])
    }))

  it.effect("of another club, unknown or malformed is 404", () =>
    Effect.gen(function*() {
      const [endpoint, stranger] = [yield* registered, yield* registered]
      const { event_id } = yield* makeDelivery(stranger, ago("2 hours"))
      const ids = [event_id, unknownId, "ffffffff-ffff-7fff-bfff-ffffffffffff", "malformed"]
      for (const id of ids) {
        const answer = yield* send("GET", `${endpoint.club.path}/webhook-events/${id}`, endpoint)
        assert.deepStrictEqual(outcome(answer), [404, "not_found"], id)
      }
    }))
})

layer(WebhooksLayer, options)("Of an endpoint", (it) => {
  const stats = ({ path, token }: { readonly path: string; readonly token: string }, query = "") =>
    send("GET", `${path}/stats${query}`, { token })

  it.effect("the deliveries of a day or a week are counted, and how long their latest attempts took", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const took = (last_duration_ms: number) => ({ ...ended("succeeded"), last_duration_ms })
      yield* makeDelivery(endpoint, ago("8 days"), took(9000))
      yield* makeDelivery(endpoint, ago("7 days"), { ...ended("failed"), last_duration_ms: 400 })
      yield* makeDelivery(endpoint, ago("25 hours"))
      yield* makeDelivery(endpoint, ago("24 hours"), took(10))
      yield* makeDelivery(endpoint, ago("1 hours"), took(30))
      yield* makeDelivery(endpoint, ago("1 hours"), took(20))
      const canceled = { status: "canceled", cancel_reason: "expired", finished_at: DateTime.toDateUtc(saturday) }
      yield* makeDelivery(endpoint, ago("1 hours"), canceled)
      const day = { window: "24h", succeeded: 3, failed: 0, canceled: 1, pending: 0, p50_ms: 20, p95_ms: 30 }
      const week = { window: "7d", succeeded: 3, failed: 1, canceled: 1, pending: 1, p50_ms: 20, p95_ms: 400 }
      assert.deepStrictEqual<unknown>((yield* stats(endpoint)).json, { data: day })
      assert.deepStrictEqual<unknown>((yield* stats(endpoint, "?window=24h")).json, { data: day })
      assert.deepStrictEqual<unknown>((yield* stats(endpoint, "?window=7d")).json, { data: week })
      assert.deepStrictEqual(outcome(yield* stats(endpoint, "?window=1h")), [422, "validation_failed"])
    }))

  it.effect("without deliveries the counts are 0 and the times null", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual<unknown>((yield* stats(yield* registered)).json, {
        data: { window: "24h", succeeded: 0, failed: 0, canceled: 0, pending: 0, p50_ms: null, p95_ms: null }
      })
    }))
})

layer(WebhooksLayer, options)("The diagnosis of an endpoint", (it) => {
  const diagnosis = ({ path, token }: { readonly path: string; readonly token: string }) =>
    Effect.map(send("GET", `${path}/diagnosis`, { token }), ({ json }) => at(json, "data"))

  const healthy = {
    status: "enabled",
    disabled_reason: null,
    held: false,
    hold_until: null,
    consecutive_failures: 0,
    queue_depth: 0,
    queue_depth_capped: false,
    oldest_pending_at: null,
    next_attempt_at: null,
    failing_since: null,
    projected_disable_at: null,
    summary: "Delivering; no deliveries wait."
  }

  it.effect("finds nothing wrong with a new one", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual<unknown>(yield* diagnosis(yield* registered), healthy)
    }))

  it.effect("tells of a hold, what waits for its end, and when the endpoint will be disabled", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const hold_until = DateTime.toDateUtc(DateTime.add(saturday, { minutes: 4 }))
      const failing_since = DateTime.toDateUtc(ago("1 days"))
      yield* setLane(endpoint, { hold_until, holds: 3, consecutive_failures: 7, failing_since })
      yield* makeDelivery(endpoint, ago("2 days"), { next_attempt_at: DateTime.toDateUtc(ago("1 hours")) })
      yield* makeDelivery(endpoint, ago("1 days"), { next_attempt_at: DateTime.toDateUtc(ago("2 hours")) })
      yield* makeDelivery(endpoint, ago("3 days"), ended("failed"))
      assert.deepStrictEqual<unknown>(yield* diagnosis(endpoint), {
        ...healthy,
        held: true,
        hold_until: "2026-11-21T10:04:00.000Z",
        consecutive_failures: 7,
        queue_depth: 2,
        oldest_pending_at: "2026-11-19T10:00:00.000Z",
        next_attempt_at: "2026-11-21T10:04:00.000Z",
        failing_since: "2026-11-20T10:00:00.000Z",
        projected_disable_at: "2026-11-25T10:00:00.000Z",
        summary:
          "Held after 7 failed attempts in a row: one attempt at a time until one is accepted; 2 deliveries wait."
      })
      const held = Object(at((yield* read(endpoint)).json, "data"))
      assert.deepStrictEqual([held.hold_until, held.consecutive_failures], ["2026-11-21T10:04:00.000Z", 7])
    }))

  it.effect("tells that what a person asked for comes before the end of a hold", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      yield* setLane(endpoint, { hold_until: DateTime.toDateUtc(DateTime.add(saturday, { minutes: 4 })), holds: 1 })
      const asked = { trigger: "manual", next_attempt_at: DateTime.toDateUtc(saturday) }
      yield* makeDelivery(endpoint, ago("1 days"), { ...ended("failed"), ...asked })
      const found = Object(yield* diagnosis(endpoint))
      assert.deepStrictEqual([found.next_attempt_at, found.oldest_pending_at, found.queue_depth], [
        "2026-11-21T10:00:00.000Z",
        null,
        1
      ])
    }))

  it.effect("tells who disabled it, and why", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      yield* setStatus(endpoint, "disabled")
      assert.deepStrictEqual<unknown>(yield* diagnosis(endpoint), {
        ...healthy,
        status: "disabled",
        disabled_reason: "manual",
        summary: "Not delivering: an administrator disabled the endpoint."
      })
    }))
})
