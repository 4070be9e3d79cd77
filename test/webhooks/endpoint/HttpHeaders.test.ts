import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { at, outcome, send } from "../../harness/App.ts"
import { create, fieldsOf, foundOnSaturday, laneNow, patch, read, register, WebhooksLayer } from "../Registering.ts"

const stored = Effect.fnUntraced(function*(id: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`select headers, header_names from webhook_endpoints where id = ${id}`
  const [row] = yield* Schema.decodeUnknownEffect(Schema.Tuple([
    Schema.Struct({ headers: Schema.NullOr(Schema.Uint8Array), header_names: Schema.Array(Schema.String) })
  ]))(rows)
  return row
})

layer(WebhooksLayer)("The headers of an endpoint", (it) => {
  it.effect("are shown by their names alone, and sealed where they are kept", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const answer = yield* create(club, { headers: { "X-Api-Key": "k-4711", authorization: "Bearer geheim" } })
      assert.deepStrictEqual(fieldsOf(answer, "header_names"), { header_names: ["authorization", "x-api-key"] })
      assert.notMatch(answer.text, /k-4711|geheim/)
      const { headers } = yield* stored(String(at(answer.json, "data", "id")))
      assert.isNotNull(headers)
      assert.notMatch(Buffer.from(headers ?? []).toString("latin1"), /k-4711|geheim|api-key/)
    }))

  it.effect("are changed name by name, and the lane is told", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday, { headers: { a: "1", b: "2" } })
      const { wakes } = yield* laneNow(endpoint)
      const changed = yield* patch(endpoint, { headers: { B: null, c: "3" } })
      assert.deepStrictEqual(fieldsOf(changed, "header_names"), { header_names: ["a", "c"] })
      assert.strictEqual((yield* laneNow(endpoint)).wakes, wakes + 1)
      assert.strictEqual((yield* patch(endpoint, { headers: { A: "1" } })).text, changed.text)
      assert.strictEqual((yield* laneNow(endpoint)).wakes, wakes + 1)
      assert.deepStrictEqual(fieldsOf(yield* patch(endpoint, { headers: null }), "header_names"), { header_names: [] })
      assert.isNull((yield* stored(endpoint.endpoint_id)).headers)
    }))

  it.effect("can be taken away where no key opens them any more", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const endpoint = yield* register(yield* foundOnSaturday, { headers: { a: "1" } })
      yield* sql`update webhook_endpoints set headers = ${Buffer.alloc(60)} where id = ${endpoint.endpoint_id}`
      assert.strictEqual((yield* patch(endpoint, { headers: null })).status, 200)
      assert.deepStrictEqual(yield* stored(endpoint.endpoint_id), { headers: null, header_names: [] })
    }))

  it.effect("are forgotten with the endpoint", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday, { headers: { a: "1" } })
      assert.strictEqual((yield* send("DELETE", endpoint.path, endpoint)).status, 204)
      assert.deepStrictEqual(yield* stored(endpoint.endpoint_id), { headers: null, header_names: [] })
    }))

  it.effect.each([
    [422, "header_not_allowed", { Host: "a" }],
    [422, "header_not_allowed", { "x-a": "1\r\nx-b: 2" }],
    [422, "header_not_allowed", { "x a": "1" }],
    [422, "header_not_allowed", { "X-A": "1", "x-a": "2" }],
    [422, "validation_failed", { "x-a": 1 }],
    [422, "validation_failed", "x-a: 1"]
  ])("are refused with %d %s: %j", ([status, code, headers]) =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      assert.deepStrictEqual(outcome(yield* create(club, { headers })), [status, code])
      const endpoint = yield* register(club, { headers: { kept: "1" } })
      const before = yield* read(endpoint)
      assert.deepStrictEqual(outcome(yield* patch(endpoint, { headers, description: "b" })), [status, code])
      assert.strictEqual((yield* read(endpoint)).text, before.text)
    }))
})
