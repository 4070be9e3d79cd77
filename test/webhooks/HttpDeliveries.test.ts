import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { at, keyOf, listAt, outcome, send } from "../harness/App.ts"
import { makeStudent } from "../harness/Makers.ts"
import { isAbout } from "../harness/Refusals.ts"
import { ago, ended, makeAttempt, makeDelivery } from "./engine/retention/Rows.ts"
import {
  foundOnSaturday,
  idsIn,
  list,
  readDelivery,
  register,
  setLane,
  setStatus,
  WebhooksLayer
} from "./Registering.ts"

const unknownId = "0190a000-0000-7000-8000-000000000001"

const registered = Effect.flatMap(foundOnSaturday, (club) => register(club))

layer(WebhooksLayer)("The deliveries of an endpoint", (it) => {
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

  it.effect("are explained in the language that is asked for", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const { id } = yield* makeDelivery(endpoint, ago("1 hours"))
      const said = Effect.fnUntraced(function*(path: string, language: string, ...place: ReadonlyArray<string>) {
        const headers = { "accept-language": language }
        const answer = yield* send("GET", path, { token: endpoint.token, headers })
        assert.match(answer.headers["vary"] ?? "", /, Accept-Language$/)
        return at(answer.json, "data", ...place)
      })
      const path = `${endpoint.path}/deliveries/${id}`
      assert.strictEqual(yield* said(path, "en", "diagnosis", "sentence"), "It was not sent yet.")
      assert.strictEqual(yield* said(path, "pt", "diagnosis", "sentence"), "Ainda não foi enviado.")
      const summary = yield* said(`${endpoint.path}/diagnosis`, "fr, pt-BR;q=0.8", "summary")
      assert.strictEqual(summary, "Entregando; 1 envio espera.")
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
      assert.isTrue(isAbout(at(answer.json, "error", "message"), field), answer.text)
    }))

  it.effect("have cursors, and a bad one is 400", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(outcome(yield* list(yield* registered, "?cursor=x")), [400, "invalid_cursor"])
    }))
})

layer(WebhooksLayer)("A delivery", (it) => {
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
      const { attempts, diagnosis, payload, ...fields } = Object(at(json, "data"))
      assert.strictEqual(diagnosis.cause, "waiting")
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
        retry_after_seconds: null,
        phases: null,
        connection_reused: null,
        peer_address: null,
        tls_version: null,
        certificate_ends_at: null,
        request_headers: null,
        body_sha256: null
      })
    }))

  it.effect("has no tax document in what a receiver answered, for a key", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const endpoint = yield* registered
      const { token } = yield* keyOf(endpoint.club)
      const delivery = yield* makeDelivery(endpoint, ago("2 hours"))
      yield* makeAttempt(delivery, ago("2 hours"))
      const told = `{"rg":"1234567","note":"CPF 529.982.247-25"}`
      yield* sql`update webhook_attempts set response_body = ${told} where delivery_id = ${delivery.id}`
      const answered = (by: string) =>
        Effect.map(
          send("GET", `${endpoint.path}/deliveries/${delivery.id}`, { token: by }),
          ({ json }) => at(json, "data", "attempts", 0, "response_body")
        )
      assert.strictEqual(yield* answered(token), `{"rg":"***","note":"CPF ***"}`)
      assert.strictEqual(yield* answered(endpoint.club.token), told)
    }))

  it.effect("says why it is not delivered, and how often in a row that was so", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const failed = {
        attempts_count: 2,
        last_attempt_at: DateTime.toDateUtc(ago("1 hours")),
        last_status_code: 500,
        last_error: "http_status"
      }
      const delivery = yield* makeDelivery(endpoint, ago("2 hours"), { ...ended("failed"), ...failed })
      yield* makeAttempt(delivery, ago("2 hours"))
      yield* makeAttempt(delivery, ago("1 hours"))
      assert.deepStrictEqual(at((yield* readDelivery(endpoint, delivery.id)).json, "data", "diagnosis"), {
        cause: "http_status",
        status_code: 500,
        at: "2026-11-21T09:00:00.000Z",
        sentence: "The receiver answered 500, 2 times in a row.",
        next_step: "The receiver failed: look at its logs."
      })
      const accepted = yield* makeDelivery(endpoint, ago("2 hours"), ended("succeeded"))
      assert.isNull(at((yield* readDelivery(endpoint, accepted.id)).json, "data", "diagnosis"))
    }))

  it.effect("says where TLS failed that the receiver's certificate had ended, in the event's diagnoses too", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const last_attempt_at = DateTime.toDateUtc(ago("1 hours"))
      const failed = { ...ended("failed"), attempts_count: 1, last_attempt_at, last_error: "tls" }
      const delivery = yield* makeDelivery(endpoint, ago("2 hours"), failed)
      const sentences = Effect.gen(function*() {
        const event = yield* send("GET", `${endpoint.club.path}/webhook-events/${delivery.event_id}`, endpoint)
        return [
          at((yield* readDelivery(endpoint, delivery.id)).json, "data", "diagnosis", "sentence"),
          at(at(listAt(event.json, "data", "diagnoses")[0], "diagnosis"), "sentence")
        ]
      })
      const unknown = "The receiver was reached, but its certificate was refused or TLS ended early."
      assert.deepStrictEqual<unknown>(yield* sentences, [unknown, unknown])
      yield* setLane(endpoint, { certificate_ends_at: new Date("2026-11-20T00:00:00Z") })
      const known = "TLS failed: the receiver's certificate ended on 2026-11-20."
      assert.deepStrictEqual<unknown>(yield* sentences, [known, known])
    }))

  it.effect("shows where the time of an attempt went, and its headers as they were signed", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const delivery = yield* makeDelivery(endpoint, ago("2 hours"))
      const phases = { lookup_ms: null, connect_ms: null, tls_ms: null, send_ms: 0, wait_ms: 6, read_ms: 1 }
      const signature =
        "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4= v1,MG9fMEVLVF9lZXRhbF9hX3NpZ25hdHVyZV9vdGhlcjA="
      const started = DateTime.add(ago("1 hour"), { milliseconds: 999 })
      const peer = { peer_address: "203.0.113.7", tls_version: "TLSv1.3" }
      const certificate_ends_at = new Date("2027-01-01T00:00:00Z")
      yield* makeAttempt(delivery, started, {
        ...phases,
        ...peer,
        certificate_ends_at,
        connection_reused: true,
        signature
      })
      const attempt = at((yield* readDelivery(endpoint, delivery.id)).json, "data", "attempts", 0)
      assert.deepInclude(Object(attempt), {
        phases,
        ...peer,
        certificate_ends_at: "2027-01-01T00:00:00.000Z",
        connection_reused: true,
        body_sha256: createHash("sha256").update(JSON.stringify({ id: delivery.event_id })).digest("hex"),
        request_headers: {
          "content-type": "application/json",
          "user-agent": "Turma-webhooks/1",
          "webhook-id": delivery.event_id,
          "webhook-timestamp": "1795251600",
          "webhook-signature": signature
        }
      })
    }))

  it.effect("shows no signature of a body that was erased", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const delivery = yield* makeDelivery(endpoint, ago("2 hours"), { ...ended("failed"), body_erased: true })
      yield* makeAttempt(delivery, ago("1 hour"), { signature: "v1,late" })
      const attempt = at((yield* readDelivery(endpoint, delivery.id)).json, "data", "attempts", 0)
      assert.isNull(at(attempt, "request_headers"))
      assert.isNull(at(attempt, "body_sha256"))
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

layer(WebhooksLayer)("An event", (it) => {
  it.effect("is read with its body and its deliveries to all endpoints, deleted ones too", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const sibling = yield* register(endpoint.club)
      const { event_id, id, student_id } = yield* makeDelivery(endpoint, ago("2 hours"))
      // The same event again, to the other endpoint.
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
        payload: { id: event_id },
        diagnoses: deliveries.map((delivery: unknown) => ({
          delivery_id: at(delivery, "id"),
          diagnosis: {
            cause: at(delivery, "id") === id ? "waiting" : "endpoint_deleted",
            status_code: null,
            at: at(delivery, "finished_at"),
            sentence: at(delivery, "id") === id ?
              "It was not sent yet." :
              "The endpoint was deleted while it waited.",
            next_step: at(delivery, "id") === id
              ? "Nothing: it is sent when it is due and a worker is free."
              : "Nothing more is sent to it. Read the event to send it by other means."
          }
        }))
      })
      assert.sameMembers(deliveries.map((delivery: unknown) => at(delivery, "id")), [id, copy.id])
    }))

  it.effect("says of what was never tried that its endpoint is held or paused, as each delivery does", () =>
    Effect.gen(function*() {
      const held = yield* registered
      const paused = yield* register(held.club)
      const { event_id, id, student_id } = yield* makeDelivery(held, ago("2 hours"))
      const copy = yield* makeDelivery(paused, ago("2 hours"), { event_id, student_id })
      yield* setLane(held, { hold_until: new Date("2026-11-21T10:30:00Z") })
      yield* setStatus(paused, "paused")
      const { json } = yield* send("GET", `${held.club.path}/webhook-events/${event_id}`, held)
      const diagnoses =
        new Map(listAt(json, "data", "diagnoses").map((one) => [at(one, "delivery_id"), at(one, "diagnosis")]))
      assert.strictEqual(at(diagnoses.get(id), "cause"), "held")
      assert.strictEqual(at(diagnoses.get(copy.id), "cause"), "paused")
      for (const [endpoint, delivery] of [[held, id], [paused, copy.id]] as const) {
        const page = yield* readDelivery(endpoint, delivery)
        assert.deepStrictEqual(diagnoses.get(delivery), at(page.json, "data", "diagnosis"))
      }
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
