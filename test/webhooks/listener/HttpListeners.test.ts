import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { Webhook } from "standardwebhooks"
import { at, codeOf, foundClub, listAt, outcome, send, tokenAs } from "../../harness/App.ts"
import { attemptRows, deliveryRow, laneRow, makeDelivery } from "../../harness/Webhooks.ts"
import {
  create,
  fieldsOf,
  foundOnSaturday,
  patch,
  read,
  register,
  sendTest,
  setStatus,
  WebhooksLayer
} from "../Registering.ts"
import { createListener, handedIn, poll, polled, resultOf, startListening, tell, toldIn } from "./Listening.ts"

layer(WebhooksLayer)("A listener", (it) => {
  it.effect("is an endpoint without an address, which is listed and read as one", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const answer = yield* createListener(club, { description: "My machine" })
      assert.strictEqual(answer.status, 201, answer.text)
      const id = String(at(answer.json, "data", "id"))
      assert.match(String(at(answer.json, "data", "secret")), /^whsec_[A-Za-z0-9+/]{43}=$/)
      assert.strictEqual(answer.headers["cache-control"], "no-store")
      assert.deepStrictEqual(fieldsOf(answer, "kind", "url", "status", "description", "listening_until"), {
        kind: "listener",
        url: `listener:${id}`,
        status: "enabled",
        description: "My machine",
        listening_until: "2026-11-21T11:00:00.000Z"
      })
      const { secret: _, ...shown } = Object(at(answer.json, "data"))
      const list = yield* send("GET", `${club.path}/webhook-endpoints`, club)
      assert.deepStrictEqual(listAt(list.json, "data"), [shown])
      const alone = yield* send("GET", `${club.path}/webhook-endpoints/${id}`, club)
      assert.deepStrictEqual(at(alone.json, "data"), shown)
    }))

  it.effect("is made once for a request that is repeated with its Idempotency-Key", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const headers = { "idempotency-key": "listener-1" }
      const [one, other] = [yield* createListener(club, {}, headers), yield* createListener(club, {}, headers)]
      assert.strictEqual(at(one.json, "data", "id"), at(other.json, "data", "id"))
    }))

  it.effect("counts among the club's 20 endpoints, and makes room when it is deleted", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const listener = yield* startListening(club)
      yield* Effect.repeat(createListener(club), { times: 9 })
      yield* Effect.repeat(create(club), { times: 8 })
      assert.deepStrictEqual(outcome(yield* createListener(club)), [409, "endpoint_limit_reached"])
      assert.strictEqual((yield* send("DELETE", listener.endpoint.path, club)).status, 204)
      assert.strictEqual((yield* createListener(club)).status, 201)
    }))

  it.effect("knows the types of the catalog alone, and takes no address", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      assert.deepStrictEqual(outcome(yield* createListener(club, { event_types: ["student.*"] })), [
        422,
        "event_type_unknown"
      ])
      assert.deepStrictEqual(outcome(yield* createListener(club, { url: "https://93.184.215.14/" })), [
        422,
        "validation_failed"
      ])
      const { endpoint } = yield* startListening(club)
      assert.deepStrictEqual(outcome(yield* patch(endpoint, { url: "https://93.184.215.14/" })), [
        409,
        "listener_has_no_url"
      ])
      assert.strictEqual((yield* patch(endpoint, { event_types: ["purchase.paid"] })).status, 200)
    }))

  it.effect("is for owners and admins of its club alone", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const listener = yield* startListening(club)
      yield* makeDelivery(listener)
      const other = yield* foundClub()
      for (const token of [yield* tokenAs(club, "editor"), yield* tokenAs(club, "support"), other.token]) {
        assert.deepStrictEqual(outcome(yield* createListener({ ...club, token })), [403, "forbidden"])
        assert.deepStrictEqual(outcome(yield* poll({ ...listener, token })), [403, "forbidden"])
        assert.deepStrictEqual(outcome(yield* tell({ ...listener, token })), [403, "forbidden"])
      }
      const inOther = { path: listener.path.replace(club.path, other.path), token: other.token }
      assert.deepStrictEqual(outcome(yield* poll(inOther)), [404, "not_found"])
      const [handed] = yield* polled({ ...listener, token: yield* tokenAs(club, "admin") })
      assert.isDefined(handed)
      if (handed === undefined) return
      assert.deepStrictEqual(outcome(yield* tell(inOther, resultOf(handed))), [404, "not_found"])
      const theirs = yield* startListening(other)
      assert.deepStrictEqual(toldIn(yield* tell(theirs, resultOf(handed))), [0, 1])
      assert.strictEqual((yield* deliveryRow(handed.delivery_id)).attempts_count, 0)
    }))

  it.effect("is not what an endpoint with an address is", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const endpoint = yield* register(club)
      const { id } = yield* makeDelivery(endpoint)
      const asListener = { path: endpoint.path.replace("endpoints", "listeners"), token: club.token }
      assert.deepStrictEqual(outcome(yield* poll(asListener)), [404, "not_found"])
      const handed = { delivery_id: id, receipt: "0.schedule" }
      const result = { ...handed, status_code: 200, error: null, duration_ms: 1 }
      assert.deepStrictEqual(outcome(yield* tell(asListener, result)), [404, "not_found"])
      assert.strictEqual((yield* deliveryRow(id)).status, "pending")
    }))

  it.effect("has a lane that no worker ever finds due, whatever happens to it", () =>
    Effect.gen(function*() {
      const listener = yield* startListening(yield* foundOnSaturday)
      const isNeverDue = Effect.map(laneRow(listener), ({ due_at, lease_id }) =>
        assert.deepStrictEqual({ due_at, lease_id }, { due_at: null, lease_id: listener.endpoint_id }))
      yield* sendTest(listener.endpoint)
      yield* isNeverDue
      yield* setStatus(listener.endpoint, "paused")
      yield* setStatus(listener.endpoint, "enabled")
      yield* isNeverDue
      const [handed] = yield* polled(listener)
      if (handed === undefined) {
        return assert.fail("Nothing was handed out")
      }
      yield* tell(listener, resultOf(handed, { status_code: 500 }))
      yield* isNeverDue
    }))

  it.effect("is gone for whoever polls once it is deleted, and what waited is canceled", () =>
    Effect.gen(function*() {
      const listener = yield* startListening(yield* foundOnSaturday)
      const { id } = yield* makeDelivery(listener)
      yield* send("DELETE", listener.endpoint.path, listener)
      assert.deepStrictEqual(outcome(yield* poll(listener)), [404, "not_found"])
      assert.deepInclude(yield* deliveryRow(id), { status: "canceled", cancel_reason: "endpoint_deleted" })
    }))
})

layer(WebhooksLayer)("A poll", (it) => {
  it.effect("hands out the bytes that are signed, with the headers of this moment", () =>
    Effect.gen(function*() {
      const listener = yield* startListening(yield* foundOnSaturday)
      const body = `{"type":"student.created","data":{"name":"Zoë \u{1f3b8}"}}`
      const { event_id, id } = yield* makeDelivery(listener, { body })
      const answer = yield* poll(listener)
      assert.strictEqual(answer.headers["cache-control"], "no-store")
      const [handed, ...others] = handedIn(answer)
      assert.lengthOf(others, 0)
      assert.deepInclude(handed, { delivery_id: id, event_id, attempt: 1, receipt: "0.schedule", body })
      const seconds = DateTime.toEpochMillis(yield* DateTime.now) / 1000
      assert.deepInclude(handed?.headers, {
        "content-type": "application/json",
        "user-agent": "Turma-webhooks/1",
        "webhook-id": event_id,
        "webhook-timestamp": `${seconds}`
      })
      // The independent library reads the real clock, so compare its own signature of this moment.
      const expected = new Webhook(listener.secret).sign(event_id, new globalThis.Date(seconds * 1000), body)
      assert.strictEqual(handed?.headers["webhook-signature"], expected)
    }))

  it.effect("hands the same out again until a result is told, longest due first, without what the caller has", () =>
    Effect.gen(function*() {
      const listener = yield* startListening(yield* foundOnSaturday)
      const made: Array<string> = []
      for (let count = 0; count < 4; count++) {
        made.push((yield* makeDelivery(listener)).id)
        yield* TestClock.adjust("1 second")
      }
      const idsOf = (query = "") =>
        Effect.map(polled(listener, query), (all) => all.map(({ delivery_id }) => delivery_id))
      assert.deepStrictEqual(yield* idsOf(), made)
      assert.deepStrictEqual(yield* idsOf("?limit=2"), made.slice(0, 2))
      const except = `?limit=2&except=${made.slice(0, 2).map((id) => id.toUpperCase()).join(",")}`
      assert.deepStrictEqual(yield* idsOf(except), made.slice(2))
      const [first] = yield* polled(listener)
      if (first === undefined) return assert.fail("Nothing was handed out")
      yield* tell(listener, resultOf(first))
      assert.deepStrictEqual(yield* idsOf(), made.slice(1))
    }))

  it.effect("takes its bounds, and refuses what is beyond them", () =>
    Effect.gen(function*() {
      const listener = yield* startListening(yield* foundOnSaturday)
      const id = listener.endpoint_id
      const many = (count: number) => Array.from({ length: count }, () => id).join(",")
      for (const query of ["?limit=100&wait=0", `?except=${id}`, `?except=${many(100)}`]) {
        assert.strictEqual((yield* poll(listener, query)).status, 200)
      }
      const wrong = [
        "limit=0",
        "limit=101",
        "wait=26",
        "wait=-1",
        "wait=1.5",
        "except=",
        "except=a",
        `except=${many(101)}`
      ]
      for (const query of wrong) {
        assert.strictEqual(codeOf(yield* poll(listener, `?${query}`)), "validation_failed", query)
      }
    }))

  it.effect("hands out nothing while the endpoint is paused, and what has waited once it is enabled", () =>
    Effect.gen(function*() {
      const listener = yield* startListening(yield* foundOnSaturday)
      yield* makeDelivery(listener)
      yield* setStatus(listener.endpoint, "paused")
      assert.lengthOf(yield* polled(listener), 0)
      yield* setStatus(listener.endpoint, "enabled")
      assert.lengthOf(yield* polled(listener), 1)
    }))

  it.effect("signs with a replaced secret too, for its day", () =>
    Effect.gen(function*() {
      const listener = yield* startListening(yield* foundOnSaturday)
      yield* makeDelivery(listener)
      yield* send("POST", `${listener.endpoint.path}/rotate-secret`, listener)
      const signatures = Effect.map(polled(listener), ([one]) => one?.headers["webhook-signature"]?.split(" ").length)
      assert.strictEqual(yield* signatures, 2)
      yield* TestClock.adjust("24 hours")
      assert.strictEqual(yield* signatures, 1)
    }))

  it.effect("answers fewer where bodies are large, and at least one", () =>
    Effect.gen(function*() {
      const listener = yield* startListening(yield* foundOnSaturday)
      for (const size of [600_000, 200_000, 200_000, 200_000]) {
        yield* makeDelivery(listener, { body: JSON.stringify("x".repeat(size)) })
        yield* TestClock.adjust("1 second")
      }
      const first = yield* polled(listener)
      assert.lengthOf(first, 1)
      assert.lengthOf(yield* polled(listener, `?except=${first[0]?.delivery_id}`), 2)
    }))

  it.effect("moves the hour at whose end the listener is deleted, at most once a minute", () =>
    Effect.gen(function*() {
      const listener = yield* startListening(yield* foundOnSaturday)
      const until = Effect.map(read(listener.endpoint), ({ json }) => at(json, "data", "listening_until"))
      yield* TestClock.adjust("59 seconds")
      yield* poll(listener)
      assert.strictEqual(yield* until, "2026-11-21T11:00:00.000Z")
      yield* TestClock.adjust("1 second")
      yield* poll(listener)
      assert.strictEqual(yield* until, "2026-11-21T11:01:00.000Z")
    }))
})

layer(WebhooksLayer)("A result", (it) => {
  const handOne = Effect.gen(function*() {
    const listener = yield* startListening(yield* foundOnSaturday)
    yield* makeDelivery(listener)
    const [handed] = yield* polled(listener)
    return handed === undefined ? assert.fail("Nothing was handed out") : { listener, handed }
  })

  it.effect("of 2xx ends the delivery, with an attempt in its history", () =>
    Effect.gen(function*() {
      const { handed, listener } = yield* handOne
      const answer = yield* tell(
        listener,
        resultOf(handed, { status_code: 204, duration_ms: 1500, response_body: "ok\u0000" })
      )
      assert.deepStrictEqual(toldIn(answer), [1, 0], answer.text)
      assert.deepInclude(yield* deliveryRow(handed.delivery_id), {
        status: "succeeded",
        attempts_count: 1,
        last_status_code: 204
      })
      const [attempt] = yield* attemptRows(handed.delivery_id)
      assert.deepInclude(attempt, {
        number: 1,
        trigger: "schedule",
        status_code: 204,
        error: null,
        response_body: "ok",
        started_at: DateTime.subtract(yield* DateTime.now, { milliseconds: 1500 }),
        connection_reused: null,
        signature: null
      })
      assert.lengthOf(yield* polled(listener), 0)
    }))

  it.effect("keeps 2 KB of an answer, whatever its letters are", () =>
    Effect.gen(function*() {
      const { handed, listener } = yield* handOne
      yield* tell(listener, resultOf(handed, { response_body: "\u20ac".repeat(2048) }))
      assert.strictEqual((yield* attemptRows(handed.delivery_id))[0]?.response_body, "\u20ac".repeat(682))
    }))

  it.effect("of a failure leads to the next attempt of the schedule, with a receipt of its own", () =>
    Effect.gen(function*() {
      const { handed, listener } = yield* handOne
      yield* tell(
        listener,
        resultOf(handed, { status_code: 503, retry_after_seconds: 60, response_body: "x".repeat(2048) })
      )
      assert.lengthOf(yield* polled(listener), 0)
      const row = yield* deliveryRow(handed.delivery_id)
      assert.deepInclude(row, { status: "pending", last_error: "http_status", rung: 1 })
      assert.deepStrictEqual(row.next_attempt_at, DateTime.add(yield* DateTime.now, { seconds: 60 }))
      assert.strictEqual((yield* attemptRows(handed.delivery_id))[0]?.retry_after_seconds, 60)
      yield* TestClock.adjust("60 seconds")
      const [again] = yield* polled(listener)
      assert.deepInclude(again, {
        delivery_id: handed.delivery_id,
        attempt: 2,
        receipt: "1.schedule",
        body: handed.body
      })
    }))

  it.effect("waits for what was asked with a 429 or a 503 alone", () =>
    Effect.gen(function*() {
      const { handed, listener } = yield* handOne
      yield* tell(listener, resultOf(handed, { status_code: 500, retry_after_seconds: 3600 }))
      const { next_attempt_at } = yield* deliveryRow(handed.delivery_id)
      const latest = DateTime.add(yield* DateTime.now, { seconds: 6 })
      assert.isTrue(next_attempt_at !== null && DateTime.isLessThan(next_attempt_at, latest))
      assert.isNull((yield* attemptRows(handed.delivery_id))[0]?.retry_after_seconds)
    }))

  it.effect("counts once for its receipt, however often and however late it is told", () =>
    Effect.gen(function*() {
      const { handed, listener } = yield* handOne
      const failed = resultOf(handed, { status_code: 500 })
      assert.deepStrictEqual(toldIn(yield* tell(listener, failed, failed)), [1, 1])
      assert.deepStrictEqual(toldIn(yield* tell(listener, failed, resultOf(handed))), [0, 2])
      assert.deepInclude(yield* deliveryRow(handed.delivery_id), { status: "pending", attempts_count: 1 })
      assert.strictEqual((yield* laneRow(listener)).consecutive_failures, 1)
      for (const receipt of ["", "1", "01.schedule2", "0.other", "-1.schedule"]) {
        assert.deepStrictEqual(toldIn(yield* tell(listener, { ...failed, receipt })), [0, 1], receipt)
      }
    }))

  it.effect("without an answer says why, and is a connection that failed where it does not", () =>
    Effect.gen(function*() {
      const { handed, listener } = yield* handOne
      yield* tell(listener, resultOf(handed, { status_code: null, error: "timeout" }))
      assert.strictEqual((yield* deliveryRow(handed.delivery_id)).last_error, "timeout")
      yield* TestClock.adjust("10 seconds")
      const [again] = yield* polled(listener)
      if (again === undefined) return assert.fail("It was not handed out again")
      yield* tell(listener, resultOf(again, { status_code: null }))
      assert.strictEqual((yield* deliveryRow(handed.delivery_id)).last_error, "connection")
    }))

  it.effect("of 3xx is a redirect, which is a failure, and a status decides whatever error is beside it", () =>
    Effect.gen(function*() {
      const { handed, listener } = yield* handOne
      yield* tell(listener, resultOf(handed, { status_code: 302, error: "tls" }))
      assert.strictEqual((yield* deliveryRow(handed.delivery_id)).last_error, "redirect")
    }))

  it.effect("is counted like any, and never holds the listener nor says since when it fails", () =>
    Effect.gen(function*() {
      const listener = yield* startListening(yield* foundOnSaturday)
      for (let count = 0; count < 8; count++) yield* makeDelivery(listener)
      const handed = yield* polled(listener)
      yield* tell(listener, ...handed.slice(0, 7).map((one) => resultOf(one, { status_code: 500 })))
      const nothingHeld = { holds: 0, hold_until: null, failing_since: null }
      assert.deepInclude(yield* laneRow(listener), { ...nothingHeld, consecutive_failures: 7, last_success_at: null })
      yield* tell(listener, ...handed.slice(7).map((one) => resultOf(one)))
      assert.deepInclude(yield* laneRow(listener), { ...nothingHeld, consecutive_failures: 0 })
      assert.isNotNull((yield* laneRow(listener)).last_success_at)
    }))

  it.effect("that comes after the endpoint was disabled still counts as accepted", () =>
    Effect.gen(function*() {
      const { handed, listener } = yield* handOne
      yield* setStatus(listener.endpoint, "disabled")
      assert.strictEqual((yield* deliveryRow(handed.delivery_id)).status, "canceled")
      assert.deepStrictEqual(toldIn(yield* tell(listener, resultOf(handed))), [1, 0])
      assert.strictEqual((yield* deliveryRow(handed.delivery_id)).status, "succeeded")
    }))

  it.effect("of what was canceled counts for an hour, and of another listener's or club's delivery never", () =>
    Effect.gen(function*() {
      const { handed, listener } = yield* handOne
      for (const club of [listener.club, yield* foundClub()]) {
        const other = yield* startListening(club)
        assert.deepStrictEqual(toldIn(yield* tell(other, resultOf(handed))), [0, 1])
      }
      yield* setStatus(listener.endpoint, "disabled")
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(toldIn(yield* tell(listener, resultOf(handed))), [0, 1])
      assert.deepInclude(yield* deliveryRow(handed.delivery_id), { status: "canceled", attempts_count: 0 })
    }))

  it.effect("of a failure leaves a resend that came meanwhile in the queue", () =>
    Effect.gen(function*() {
      const { handed, listener } = yield* handOne
      yield* send("POST", `${listener.endpoint.path}/deliveries/${handed.delivery_id}/resend`, listener)
      yield* tell(listener, resultOf(handed, { status_code: 500 }))
      const [again] = yield* polled(listener)
      assert.deepInclude(again, { attempt: 2, receipt: "1.manual" })
    }))

  it.effect("is one of 100 at most, and of an hour at most", () =>
    Effect.gen(function*() {
      const { handed, listener } = yield* handOne
      const results = Array.from({ length: 101 }, () => resultOf(handed))
      assert.strictEqual(codeOf(yield* tell(listener, ...results)), "validation_failed")
      assert.strictEqual(codeOf(yield* tell(listener)), "validation_failed")
      const wrong = [{ duration_ms: 3_600_001 }, { status_code: 199 }, { status_code: 600 }, { error: "other" }, {
        response_body: "x".repeat(2049)
      }]
      for (const given of wrong) {
        assert.strictEqual(codeOf(yield* tell(listener, resultOf(handed, given))), "validation_failed")
      }
      assert.strictEqual((yield* deliveryRow(handed.delivery_id)).attempts_count, 0)
    }))
})
