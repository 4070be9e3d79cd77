import { assert, layer } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { at, outcome, send } from "../harness/App.ts"
import { fieldsOf, foundOnSaturday, idsIn, patch, publicUrl, read, register, WebhooksLayer } from "./Registering.ts"

layer(WebhooksLayer)("Changing an endpoint", (it) => {
  it.effect("changes what is sent and leaves the rest", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday, { description: "a" })
      const before = Object(at((yield* read(endpoint)).json, "data"))
      yield* TestClock.adjust(Duration.minutes(1))
      const updated_at = "2026-11-21T10:01:00.000Z"
      const url = "https://93.184.215.14/other"
      const answer = yield* patch(endpoint, { url })
      assert.deepStrictEqual<unknown>(at(answer.json, "data"), { ...before, url, updated_at })
      const types = ["purchase.paid", "student.created"]
      const second = yield* patch(endpoint, { event_types: types, description: "b" })
      const after = { ...before, url, event_types: types, description: "b", updated_at }
      assert.deepStrictEqual<unknown>(at(second.json, "data"), after)
      assert.deepStrictEqual<unknown>(at((yield* read(endpoint)).json, "data"), after)
    }))

  it.effect("switches mails about it off and on", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const endpoint = yield* register(club)
      assert.deepStrictEqual(fieldsOf(yield* patch(endpoint, { notices: false }), "notices"), { notices: false })
      assert.deepStrictEqual(fieldsOf(yield* patch(endpoint, { description: "b" }), "notices"), { notices: false })
      assert.deepStrictEqual(fieldsOf(yield* patch(endpoint, { notices: true }), "notices"), { notices: true })
      const quiet = yield* register(club, { notices: false })
      assert.deepStrictEqual(fieldsOf(yield* read(quiet), "notices"), { notices: false })
    }))

  it.effect("clears the description with null", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday, { description: "a" })
      assert.deepStrictEqual(fieldsOf(yield* patch(endpoint, { description: null }), "description"), {
        description: ""
      })
    }))

  it.effect("leaves it alone, down to updated_at, if nothing is another", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday)
      const before = yield* read(endpoint)
      yield* TestClock.adjust(Duration.minutes(1))
      for (const body of [{}, { url: publicUrl, event_types: ["student.created"], status: "enabled" }]) {
        assert.strictEqual((yield* patch(endpoint, body)).text, before.text)
      }
    }))

  it.effect.each([
    [422, "url_not_https", { url: "http://93.184.215.14/" }],
    [422, "url_not_public", { url: "https://10.0.0.1/", status: "paused" }],
    [422, "event_type_unknown", { event_types: ["x"], status: "paused" }],
    [422, "validation_failed", { event_types: [] }],
    [422, "validation_failed", { url: null }],
    [422, "validation_failed", { status: null }],
    [422, "validation_failed", { status: "deleted" }],
    [422, "validation_failed", { disabled_reason: "failing" }],
    [422, "validation_failed", { max_per_second: 0 }],
    [422, "validation_failed", { max_per_second: 1001 }],
    [422, "validation_failed", { max_per_second: 1.5 }],
    [422, "validation_failed", { max_in_flight: 0 }],
    [422, "validation_failed", { max_in_flight: "4" }],
    [422, "validation_failed", { status: "paused", drain_rate: 0 }],
    [409, "nothing_to_drain", { drain_rate: 5 }],
    [409, "nothing_to_drain", { status: "enabled", drain_rate: 5, description: "b" }],
    [409, "nothing_to_drain", { status: "paused", drain_rate: 5 }]
  ])("is refused with %d %s and changes nothing: %j", ([status, code, body]) =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday)
      const before = yield* read(endpoint)
      assert.deepStrictEqual(outcome(yield* patch(endpoint, body)), [status, code])
      assert.strictEqual((yield* read(endpoint)).text, before.text)
    }))

  it.effect("names an endpoint in capitals too", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday)
      const path = `${endpoint.club.path}/webhook-endpoints/${endpoint.endpoint_id.toUpperCase()}`
      assert.strictEqual((yield* send("POST", `${path}/rotate-secret`, endpoint)).status, 200)
    }))
})

layer(WebhooksLayer)("Deleting an endpoint", (it) => {
  it.effect("answers 204, then 404, and forgets its secrets", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const endpoint = yield* register(yield* foundOnSaturday)
      for (const _ of [1, 2]) yield* send("POST", `${endpoint.path}/rotate-secret`, endpoint)
      const answers = [yield* send("DELETE", endpoint.path, endpoint), yield* send("DELETE", endpoint.path, endpoint)]
      assert.deepStrictEqual(answers.map(({ status, text }) => [status, text === ""]), [[204, true], [404, false]])
      assert.isEmpty(idsIn(yield* send("GET", `${endpoint.club.path}/webhook-endpoints`, endpoint)))
      const rows = yield* sql`
        select secret, deleted_at is not null as deleted, (
          select count(*)::int from webhook_previous_secrets where endpoint_id = ${endpoint.endpoint_id}
        ) as previous
        from webhook_endpoints where id = ${endpoint.endpoint_id}`
      assert.deepStrictEqual<unknown>(rows, [{ secret: null, deleted: true, previous: 0 }])
    }))
})
