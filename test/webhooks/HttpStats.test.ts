import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { at, listAt, outcome, send } from "../harness/App.ts"
import { ago, ended, makeDelivery, saturday } from "./engine/retention/Rows.ts"
import { foundOnSaturday, patch, read, register, setLane, setStatus, WebhooksLayer } from "./Registering.ts"

const registered = Effect.flatMap(foundOnSaturday, (club) => register(club))

layer(WebhooksLayer)("Of an endpoint", (it) => {
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
      const day = {
        window: "24h",
        succeeded: 3,
        failed: 0,
        canceled: 1,
        pending: 0,
        p50_ms: 20,
        p95_ms: 30,
        capped: false
      }
      const week = {
        window: "7d",
        succeeded: 3,
        failed: 1,
        canceled: 1,
        pending: 1,
        p50_ms: 20,
        p95_ms: 400,
        capped: false
      }
      assert.deepStrictEqual<unknown>((yield* stats(endpoint)).json, { data: day })
      assert.deepStrictEqual<unknown>((yield* stats(endpoint, "?window=24h")).json, { data: day })
      assert.deepStrictEqual<unknown>((yield* stats(endpoint, "?window=7d")).json, { data: week })
      assert.deepStrictEqual(outcome(yield* stats(endpoint, "?window=1h")), [422, "validation_failed"])
    }))

  it.effect("without deliveries the counts are 0 and the times null", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual<unknown>((yield* stats(yield* registered)).json, {
        data: {
          window: "24h",
          succeeded: 0,
          failed: 0,
          canceled: 0,
          pending: 0,
          p50_ms: null,
          p95_ms: null,
          capped: false
        }
      })
    }))
})

layer(WebhooksLayer)("The diagnosis of an endpoint", (it) => {
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
    last_failure: null,
    advice: [],
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
      const failure = {
        last_failure_at: DateTime.toDateUtc(ago("1 hours")),
        last_failure_error: "address_not_allowed"
      }
      yield* setLane(endpoint, { hold_until, holds: 3, consecutive_failures: 7, failing_since, ...failure })
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
        last_failure: {
          cause: "address_not_allowed",
          status_code: null,
          at: "2026-11-21T09:00:00.000Z",
          sentence: "Refused: the address is not on the public internet, for example on a private network.",
          next_step: "Set a URL with a public address, or point its name to one."
        },
        summary:
          "Held after 7 failed attempts in a row: one attempt at a time until one is accepted; 2 deliveries wait."
      })
      const held = Object(at((yield* read(endpoint)).json, "data"))
      assert.deepStrictEqual([held.hold_until, held.consecutive_failures], ["2026-11-21T10:04:00.000Z", 7])
    }))

  it.effect("advises to renew a certificate that ends soon, until the endpoint has another address", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const advice = Effect.map(diagnosis(endpoint), (found) => at(found, "advice"))
      yield* setLane(endpoint, { certificate_ends_at: new Date("2026-11-30T12:00:00Z") })
      assert.deepStrictEqual<unknown>(yield* advice, [{
        about: "certificate_ends",
        sentence:
          "The receiver's certificate ends on 2026-11-30, in 9 days: renew it, and check that the receiver loads the new one. Without it nothing is delivered."
      }])
      yield* patch(endpoint, { event_types: ["student.updated"] })
      assert.lengthOf(Object(yield* advice), 1)
      yield* patch(endpoint, { url: "https://93.184.215.14/other" })
      assert.deepStrictEqual<unknown>(yield* advice, [])
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

layer(WebhooksLayer)("The diagnoses of all endpoints", (it) => {
  it.effect("are those of each, oldest endpoint first, without those that are deleted", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const [held, gone, paused] = [
        yield* register(endpoint.club),
        yield* register(endpoint.club),
        yield* register(endpoint.club)
      ]
      yield* setLane(held, {
        hold_until: DateTime.toDateUtc(DateTime.add(saturday, { minutes: 4 })),
        holds: 1,
        consecutive_failures: 5,
        failing_since: DateTime.toDateUtc(ago("1 days"))
      })
      yield* makeDelivery(held, ago("1 days"), { next_attempt_at: DateTime.toDateUtc(ago("1 hours")) })
      yield* makeDelivery(paused, ago("1 days"))
      yield* setStatus(paused, "paused")
      yield* send("DELETE", gone.path, gone)
      const all = yield* send("GET", `${endpoint.club.path}/webhook-endpoints/diagnoses`, endpoint)
      const each = yield* Effect.forEach([endpoint, held, paused], (one) =>
        Effect.map(send("GET", `${one.path}/diagnosis`, one), ({ json }) => ({
          endpoint_id: one.endpoint_id,
          diagnosis: at(json, "data")
        })))
      assert.deepStrictEqual<unknown>(all.json, { data: each, next_cursor: null })
      assert.deepStrictEqual(
        each.map(({ diagnosis }) =>
          at(diagnosis, "queue_depth")
        ),
        [0, 1, 1]
      )
    }))

  it.effect("count 1,000 deliveries of each queue at most", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const endpoint = yield* registered
      const made = sql`${DateTime.toEpochMillis(ago("1 hours"))}::bigint - n`
      yield* sql`
        insert into webhook_deliveries (
          club_id, endpoint_id, id, event_id, event_type, status, trigger, created_at, next_attempt_at
        )
        select ${endpoint.club_id}::uuid, ${endpoint.endpoint_id}::uuid,
          (lpad(to_hex(${made}), 12, '0') || '70008' || substr(md5(n::text), 1, 15))::uuid, gen_random_uuid(),
          'lesson.completed', 'pending', 'schedule', to_timestamp((${made}) / 1000.0), to_timestamp((${made}) / 1000.0)
        from generate_series(1, 1001) n`
      const { json } = yield* send("GET", `${endpoint.club.path}/webhook-endpoints/diagnoses`, endpoint)
      const [one] = listAt(json, "data")
      const { queue_depth, queue_depth_capped } = Object(at(one, "diagnosis"))
      assert.deepStrictEqual([queue_depth, queue_depth_capped], [1000, true])
    }))
})
