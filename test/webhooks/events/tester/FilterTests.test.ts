import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { at, foundClub, listAt, outcome, send } from "../../../harness/App.ts"
import { operations } from "../../../harness/Document.ts"
import { create, fieldsOf, foundOnSaturday, patch, read, register, sendTest, WebhooksLayer } from "../../Registering.ts"

const verified = { field: "data.student.verified", equals: true }

const tryFilter = ({ path, token }: { readonly path: string; readonly token: string }, body: unknown) =>
  send("POST", `${path}/webhook-endpoints/filter-test`, { token, body })

layer(WebhooksLayer)("The filter of an endpoint", (it) => {
  it.effect("is none unless it is given, and is shown, changed and cleared", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      assert.deepStrictEqual(fieldsOf(yield* read(yield* register(club)), "filter"), { filter: null })
      const endpoint = yield* register(club, { filter: verified })
      assert.deepStrictEqual(fieldsOf(yield* read(endpoint), "filter"), { filter: verified })
      const other = { any: [verified, { field: "type", in: ["student.created", "x"] }] }
      assert.deepStrictEqual(fieldsOf(yield* patch(endpoint, { filter: other }), "filter"), { filter: other })
      assert.deepStrictEqual(fieldsOf(yield* patch(endpoint, { description: "b" }), "filter"), { filter: other })
      assert.deepStrictEqual(fieldsOf(yield* patch(endpoint, { filter: null }), "filter"), { filter: null })
    }))

  it.effect("is refused where it is none, with its place, and changes nothing", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const endpoint = yield* register(club)
      const before = yield* read(endpoint)
      const wrong = { all: [verified, { field: "a.b", like: "x" }] }
      const refused = yield* patch(endpoint, { filter: wrong, description: "b" })
      assert.deepStrictEqual(outcome(refused), [422, "filter_invalid"])
      assert.include(refused.text, "filter.all[1]: must be")
      assert.deepStrictEqual(outcome(yield* create(club, { filter: wrong })), [422, "filter_invalid"])
      assert.deepStrictEqual(outcome(yield* patch(endpoint, { filter: [] })), [422, "validation_failed"])
      assert.strictEqual((yield* read(endpoint)).text, before.text)
    }))

  it.effect("does not keep the test of the endpoint away", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday, { filter: { field: "nothing", exists: true } })
      assert.strictEqual((yield* sendTest(endpoint)).status, 202)
    }))
})

layer(WebhooksLayer)("A filter that is tried", (it) => {
  it.effect("says whether the example of a type would be sent, and which condition decides", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const filter = { all: [{ field: "type", equals: "student.created" }, { field: "data.x", equals: 1 }] }
      const { json, status } = yield* tryFilter(club, { filter, event_type: "student.created" })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual<unknown>(at(json, "data"), {
        matches: false,
        failed: ["filter.all[1]"],
        conditions: [
          { place: "filter.all[0]", field: "type", present: true, value: "student.created", matches: true },
          { place: "filter.all[1]", field: "data.x", present: false, value: null, matches: false }
        ]
      })
    }))

  it.effect("is met by the events that the reference shows it with", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const shownBy = (path: string) => {
        const name = `POST /v1/clubs/{clubId}/webhook-endpoints${path}`
        const { requestBody } = operations.find((one) => one.name === name) ?? assert.fail(name)
        return at(requestBody, "content", "application/json", "example")
      }
      const registered = shownBy("")
      const types = listAt(registered, "event_types")
      assert.isNotEmpty(types)
      const ofTypes = types.map((event_type) => ({ filter: at(registered, "filter"), event_type }))
      for (const body of [shownBy("/filter-test"), ...ofTypes]) {
        assert.deepStrictEqual(
          fieldsOf(yield* tryFilter(club, body), "matches"),
          { matches: true },
          JSON.stringify(body)
        )
      }
    }))

  it.effect("shows of an event no more than can be seen at a glance", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const all = ["text", "object", "list", "number"].map((name) => ({ field: `data.${name}`, exists: true }))
      const data = { text: "x".repeat(100_000), object: { a: "y".repeat(100_000) }, list: ["z"], number: 7 }
      const { json } = yield* tryFilter(club, { filter: { all }, event: { data } })
      const shown = listAt(json, "data", "conditions").map((one) => [at(one, "present"), at(one, "value")])
      assert.deepStrictEqual(shown, [[true, "x".repeat(500)], [true, null], [true, null], [true, 7]])
    }))

  it.effect("is tried on a body that is sent, and on an event of the club", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday)
      const event = { data: { student: { verified: true } } }
      const answer = yield* tryFilter(endpoint.club, { filter: verified, event })
      assert.deepStrictEqual(fieldsOf(answer, "matches", "failed"), { matches: true, failed: [] })
      const event_id = at((yield* sendTest(endpoint)).json, "data", "event_id")
      const filter = { field: "data.endpoint_id", equals: endpoint.endpoint_id }
      assert.deepStrictEqual(fieldsOf(yield* tryFilter(endpoint.club, { filter, event_id }), "matches"), {
        matches: true
      })
      const stranger = yield* foundClub()
      assert.deepStrictEqual(outcome(yield* tryFilter(stranger, { filter, event_id })), [404, "not_found"])
    }))

  it.effect("says that a removal is sent in any case, and still shows what the conditions find", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const event_type = "student.removed"
      const answer = yield* tryFilter(club, { filter: verified, event_type })
      assert.deepStrictEqual(fieldsOf(answer, "matches", "failed"), { matches: true, failed: [] })
      assert.deepStrictEqual(listAt(answer.json, "data", "conditions").map((one) => at(one, "matches")), [false])
      const event = { type: event_type }
      assert.deepStrictEqual(fieldsOf(yield* tryFilter(club, { filter: verified, event }), "matches"), {
        matches: true
      })
    }))

  it.effect.each([
    [422, "filter_invalid", { filter: { field: "a" }, event: {} }],
    [422, "validation_failed", { filter: verified }],
    [422, "validation_failed", { filter: verified, event_type: "student.flown" }]
  ])("is refused with %d %s: %j", ([status, code, body]) =>
    Effect.gen(function*() {
      assert.deepStrictEqual(outcome(yield* tryFilter(yield* foundOnSaturday, body)), [status, code])
    }))
})
