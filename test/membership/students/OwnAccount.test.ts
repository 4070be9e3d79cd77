import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { outboxOf } from "../../events/EventsLayer.ts"
import { AppLayer, at, enrolledStudent, foundClub, outcome, send } from "../../harness/App.ts"

/** A club with a student, and the student's requests about their account. */
const withStudent = Effect.gen(function*() {
  const club = yield* foundClub()
  const student = yield* enrolledStudent(club)
  const ask = (method: "GET" | "PATCH", body?: unknown, token = student.token) =>
    send(method, `${club.path}/classroom/me`, { token, ...(body === undefined ? {} : { body }) })
  return { ask, club, student }
})

layer(AppLayer)("A student's own account", (it) => {
  it.effect("is read with its club, and without what only the staff sees", () =>
    Effect.gen(function*() {
      const { ask, club, student } = yield* withStudent
      const { json, status } = yield* ask("GET")
      assert.strictEqual(status, 200)
      assert.deepStrictEqual<unknown>(json, {
        data: {
          id: student.id,
          name: student.name,
          email: student.email,
          has_password: false,
          created_at: "1970-01-01T00:00:00.000Z",
          club: {
            organization_id: club.organization_id,
            name: "Violão Fácil",
            slug: "violao-facil",
            time_zone: "UTC",
            locale: "en"
          }
        }
      })
    }))

  it.effect("has the name that the student chose, for the staff too, and one student.updated for it", () =>
    Effect.gen(function*() {
      const { ask, club, student } = yield* withStudent
      const answer = yield* ask("PATCH", { name: "Bia Souza" })
      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual(at(answer.json, "data"), at((yield* ask("GET")).json, "data"))
      yield* ask("PATCH", { name: "Bia Souza" })
      const seen = yield* send("GET", `${club.path}/students/${student.id}`, { token: club.token })
      assert.strictEqual(at(seen.json, "data", "name"), "Bia Souza")
      const facts = yield* outboxOf(club)
      assert.deepStrictEqual(facts.map(({ subject, type }) => [type, subject]), [
        ["student.updated", { changed: ["name"] }]
      ])
    }))

  it.effect("stays as it is without a name, and with an address or a name that nobody can see", () =>
    Effect.gen(function*() {
      const { ask, club } = yield* withStudent
      const before = yield* ask("GET")
      assert.strictEqual((yield* ask("PATCH", {})).text, before.text)
      for (const body of [{ email: "new@example.com" }, { name: "" }, { name: "\u200b" }, { name: "x".repeat(201) }]) {
        assert.deepStrictEqual(outcome(yield* ask("PATCH", body)), [422, "validation_failed"])
      }
      assert.strictEqual((yield* ask("GET")).text, before.text)
      assert.deepStrictEqual(yield* outboxOf(club), [])
    }))

  it.effect("is no member's", () =>
    Effect.gen(function*() {
      const { ask, club } = yield* withStudent
      assert.deepStrictEqual(outcome(yield* ask("GET", undefined, club.token)), [401, "unauthenticated"])
    }))
})
