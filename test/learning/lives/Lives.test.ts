import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { AppLayer, at, foundClub, listAt, outcome, send, tokenAs } from "../../harness/App.ts"
import { isAbout } from "../../harness/Refusals.ts"
import { announce, announced, asStaff, attendee, close, join, open } from "./Live.ts"

const url = "https://meet.example/roda"

layer(AppLayer)("A live", (it) => {
  it.effect("answers 201 with what was announced", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const body = { ...announced, description: "Traga o violão", url, ends_at: "2026-05-10T19:30:00.000Z" }
      const answer = yield* asStaff(club, "POST", "", body)
      assert.strictEqual(answer.status, 201)
      assert.deepStrictEqual<unknown>(answer.json, {
        data: {
          ...body,
          id: at(answer.json, "data", "id"),
          status: "scheduled",
          opened_at: null,
          ended_at: null,
          created_at: "1970-01-01T00:00:00.000Z"
        }
      })
      const read = yield* asStaff(club, "GET", `/${String(at(answer.json, "data", "id"))}`)
      assert.deepStrictEqual([read.status, read.text], [200, answer.text])
    }))

  it.effect("needs no more than a title and a start", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { json } = yield* asStaff(club, "POST", "", announced)
      const { description, ends_at, url } = Object(at(json, "data"))
      assert.deepStrictEqual([description, url, ends_at], ["", null, null])
    }))

  it.effect("is announced once for a request that is repeated with its Idempotency-Key", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const sent = { token: club.token, body: announced, headers: { "idempotency-key": "live" } }
      const [first, second] = [
        yield* send("POST", `${club.path}/lives`, sent),
        yield* send("POST", `${club.path}/lives`, sent)
      ]
      assert.strictEqual(second.text, first.text)
      assert.lengthOf(listAt((yield* asStaff(club, "GET")).json, "data"), 1)
    }))

  const wrongs: ReadonlyArray<readonly [field: string, wrong: object]> = [
    ["title", { title: "" }],
    ["title", { title: "a".repeat(201) }],
    ["description", { description: "a".repeat(5001) }],
    ["url", { url: "http://meet.example/" }],
    ["url", { url: "javascript:alert(1)" }],
    ["url", { url: "meet.example" }],
    ["url", { url: `https://meet.example/${"a".repeat(2048)}` }],
    ["starts_at", { starts_at: "tomorrow" }],
    ["starts_at", { starts_at: null }],
    ["status", { status: "open" }]
  ]

  it.effect.each(wrongs)("is refused with a wrong %s: %j", ([field, wrong]) =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const id = yield* announce(club)
      const refusals = [
        yield* asStaff(club, "POST", "", { ...announced, ...wrong }),
        yield* asStaff(club, "PATCH", `/${id}`, wrong)
      ]
      for (const answer of refusals) {
        assert.deepStrictEqual(outcome(answer), [422, "validation_failed"])
        assert.isTrue(isAbout(at(answer.json, "error", "message"), field), answer.text)
      }
    }))

  it.effect("ends after it starts", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const refused = [422, "ends_at_not_later"]
      const ends_at = announced.starts_at
      assert.deepStrictEqual(outcome(yield* asStaff(club, "POST", "", { ...announced, ends_at })), refused)
      const id = yield* announce(club, { ends_at: "2026-05-10T19:00:00.000Z" })
      const late = { starts_at: "2026-05-10T19:00:00.000Z" }
      assert.deepStrictEqual(outcome(yield* asStaff(club, "PATCH", `/${id}`, late)), refused)
      assert.strictEqual((yield* asStaff(club, "PATCH", `/${id}`, { ...late, ends_at: null })).status, 200)
    }))

  it.effect("changes in what is sent, and null clears", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const id = yield* announce(club, { url, description: "a", ends_at: "2026-05-10T19:00:00.000Z" })
      const before = at((yield* asStaff(club, "GET", `/${id}`)).json, "data")
      const changes = [{}, { title: "Samba" }, { description: "" }, { url: null, ends_at: null }, {
        starts_at: "2026-06-01T18:00:00.000Z"
      }]
      const expected = Object(before)
      for (const change of changes) {
        Object.assign(expected, change)
        const { json } = yield* asStaff(club, "PATCH", `/${id}`, change)
        assert.deepStrictEqual<unknown>(at(json, "data"), expected)
      }
      assert.deepStrictEqual<unknown>(at((yield* asStaff(club, "GET", `/${id}`)).json, "data"), expected)
    }))

  it.effect("that is deleted is gone for the staff and for students", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const id = yield* announce(club)
      const student = yield* attendee(club, id)
      yield* open(club, id)
      assert.strictEqual((yield* asStaff(club, "DELETE", `/${id}`)).status, 204)
      const answers = [
        yield* asStaff(club, "DELETE", `/${id}`),
        yield* asStaff(club, "GET", `/${id}`),
        yield* asStaff(club, "PATCH", `/${id}`, { title: "a" }),
        yield* open(club, id),
        yield* close(club, id),
        yield* asStaff(club, "GET", `/${id}/attendances`),
        yield* join(club, student, id)
      ]
      for (const answer of answers) assert.deepStrictEqual(outcome(answer), [404, "not_found"])
      assert.deepStrictEqual(listAt((yield* asStaff(club, "GET")).json, "data"), [])
      const unknown = { name: "Lives", items: [{ kind: "live", id }] }
      const delivered = yield* send("POST", `${club.path}/deliveries`, { token: club.token, body: unknown })
      assert.deepStrictEqual(outcome(delivered), [422, "item_unknown"])
    }))

  it.effect("is the club's alone", () =>
    Effect.gen(function*() {
      const [club, foreign] = [yield* foundClub(), yield* foundClub()]
      const theirs = yield* announce(foreign)
      for (const id of [theirs, randomUUID(), "nope"]) {
        const answers = [
          yield* asStaff(club, "GET", `/${id}`),
          yield* asStaff(club, "PATCH", `/${id}`, { title: "a" }),
          yield* asStaff(club, "DELETE", `/${id}`),
          yield* open(club, id),
          yield* close(club, id),
          yield* asStaff(club, "GET", `/${id}/attendances`)
        ]
        for (const answer of answers) assert.deepStrictEqual(outcome(answer), [404, "not_found"])
      }
      assert.deepStrictEqual(listAt((yield* asStaff(club, "GET")).json, "data"), [])
      const items = [{ kind: "live", id: theirs }]
      const delivered = yield* send("POST", `${club.path}/deliveries`, {
        token: club.token,
        body: { name: "a", items }
      })
      assert.deepStrictEqual(outcome(delivered), [422, "item_unknown"])
    }))

  it.effect.each([["owner", true], ["admin", true], ["editor", true], ["support", false], ["viewer", false]] as const)(
    "is read by a member who is %s; that they may write is %s",
    ([role, writes]) =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const id = yield* announce(club)
        const member = { path: club.path, token: yield* tokenAs(club, role) }
        const reads = [
          yield* asStaff(member, "GET"),
          yield* asStaff(member, "GET", `/${id}`),
          yield* asStaff(member, "GET", `/${id}/attendances`)
        ]
        assert.deepStrictEqual(reads.map(({ status }) => status), [200, 200, 200])
        const written = [
          yield* asStaff(member, "POST", "", announced),
          yield* asStaff(member, "PATCH", `/${id}`, { title: "a" }),
          yield* asStaff(member, "POST", `/${id}/open`),
          yield* asStaff(member, "POST", `/${id}/close`),
          yield* asStaff(member, "DELETE", `/${id}`)
        ]
        const expected = writes ? [201, 200, 200, 200, 204] : [403, 403, 403, 403, 403]
        assert.deepStrictEqual(written.map(({ status }) => status), expected)
      })
  )
})

layer(AppLayer)("The lives of a club", (it) => {
  it.effect("are listed with the latest start first, each on one page, while new ones come", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const ids: Array<string> = []
      for (const day of ["12", "10", "14", "14", "11"]) {
        ids.push(yield* announce(club, { starts_at: `2026-05-${day}T18:00:00Z` }))
      }
      const first = yield* asStaff(club, "GET", "?limit=2")
      yield* announce(club, { starts_at: "2026-05-20T18:00:00Z" })
      const second = yield* asStaff(club, "GET", `?limit=2&cursor=${String(at(first.json, "next_cursor"))}`)
      const third = yield* asStaff(club, "GET", `?limit=2&cursor=${String(at(second.json, "next_cursor"))}`)
      const seen = [first, second, third].flatMap(({ json }) => listAt(json, "data").map((live) => at(live, "id")))
      assert.deepStrictEqual<unknown>(seen, [ids[3], ids[2], ids[0], ids[4], ids[1]])
      assert.isNull(at(third.json, "next_cursor"))
      assert.deepStrictEqual(outcome(yield* asStaff(club, "GET", "?cursor=x")), [400, "invalid_cursor"])
    }))
})
