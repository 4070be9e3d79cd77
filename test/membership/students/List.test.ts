import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { AppLayer, at, enrolledStudent, foundClub, listAt, outcome, send, tokenAs } from "../../harness/App.ts"
import { makeCatalogDelivery, makeCohort, makeEnrollment, makeStudent } from "../../harness/Makers.ts"

type Founded = Effect.Success<ReturnType<typeof foundClub>>

const list = (club: Founded, query: Record<string, string> = {}) =>
  send("GET", `${club.path}/students?${new URLSearchParams(query)}`, { token: club.token })

/** The names on a page. */
const names = Effect.fnUntraced(function*(club: Founded, query: Record<string, string> = {}) {
  const { json } = yield* list(club, query)
  return listAt(json, "data").map((student) => at(student, "name"))
})

const named = Effect.fnUntraced(function*(...people: ReadonlyArray<string>) {
  const club = yield* foundClub()
  const students = yield* Effect.forEach(people, (name) => makeStudent(club, { name }))
  return { club, students }
})

const days = (count: number) => Effect.map(DateTime.now, (now) => DateTime.add(now, { days: count }))

layer(AppLayer)("The list of students", (it) => {
  it.effect("shows of each what the contract says, without document, enrollments and history", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { email, id, name } = yield* makeStudent(club)
      const { json } = yield* list(club)
      assert.deepStrictEqual(json, {
        data: [{
          id,
          name,
          email,
          verified: true,
          has_password: false,
          anonymized: false,
          created_at: "1970-01-01T00:00:00.000Z"
        }],
        next_cursor: null
      })
    }))

  it.effect("is read by every member, and by no student", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      for (const role of ["owner", "admin", "editor", "support", "viewer"] as const) {
        const token = yield* tokenAs(club, role)
        assert.strictEqual((yield* send("GET", `${club.path}/students`, { token })).status, 200)
      }
      const { token } = yield* enrolledStudent(club)
      assert.deepStrictEqual(outcome(yield* send("GET", `${club.path}/students`, { token })), [401, "unauthenticated"])
    }))

  it.effect("begins with the newest and goes on page by page, without those who come meanwhile", () =>
    Effect.gen(function*() {
      const { club } = yield* named("Ana", "Bia", "Caio")
      const first = yield* list(club, { limit: "2" })
      assert.deepStrictEqual(listAt(first.json, "data").map((student) => at(student, "name")), ["Caio", "Bia"])
      yield* makeStudent(club, { name: "Dora" })
      const cursor = String(at(first.json, "next_cursor"))
      const second = yield* list(club, { limit: "2", cursor })
      assert.deepStrictEqual(listAt(second.json, "data").map((student) => at(student, "name")), ["Ana"])
      assert.strictEqual(at(second.json, "next_cursor"), null)
    }))

  it.effect("leaves out who was removed, and who is of another club", () =>
    Effect.gen(function*() {
      const { club, students } = yield* named("Ana", "Bia")
      yield* named("Caio")
      yield* send("DELETE", `${club.path}/students/${students[0]?.id}`, { token: club.token })
      assert.deepStrictEqual(yield* names(club), ["Bia"])
      assert.deepStrictEqual(yield* names(club, { search: "anonymized" }), [])
      assert.deepStrictEqual(yield* names(club, { active: "false" }), ["Bia"])
    }))

  it.effect.each([
    ["jose", ["José Ção", "JOSÉ B"]],
    ["JOSÉ", ["José Ção", "JOSÉ B"]],
    ["cao jos", ["José Ção"]],
    ["ção", ["José Ção"]],
    ["os", ["José Ção", "JOSÉ B"]],
    ["b", ["JOSÉ B", "Ana_b"]],
    ["%", ["100% Ana"]],
    ["na_", ["Ana_b"]],
    ["100%", ["100% Ana"]],
    ["a\\n", ["Tao\\a\\n"]],
    ["nobody", []]
  ] as const)(
    "finds with %j by every word, whatever case and accents, and nothing by wildcards",
    ([search, found]) =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const people = ["José Ção", "JOSÉ B", "Ana_b", "100% Ana", "Tao\\a\\n"]
        yield* Effect.forEach(people, (name, n) => makeStudent(club, { name, email: `${n}@1.23` }))
        assert.sameMembers([...yield* names(club, { search })], [...found])
      })
  )

  it.effect("finds by the address", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      yield* makeStudent(club, { name: "Ana", email: "first.ana@mail.example" })
      yield* makeStudent(club, { name: "Bia", email: "first.bia@mail.example" })
      assert.deepStrictEqual(yield* names(club, { search: "ANA@mail" }), ["Ana"])
      assert.deepStrictEqual(yield* names(club, { search: "first bia" }), ["Bia"])
    }))

  it.effect("finds who changed their name by the new one alone", () =>
    Effect.gen(function*() {
      const { club, students } = yield* named("Ana Prado")
      const path = `${club.path}/students/${students[0]?.id}`
      yield* send("PATCH", path, { token: club.token, body: { name: "Ana Costa" } })
      assert.deepStrictEqual(yield* names(club, { search: "costa" }), ["Ana Costa"])
      assert.deepStrictEqual(yield* names(club, { search: "prado" }), [])
    }))

  it.effect("shows who has an enrollment of a delivery or a cohort, once, active or not", () =>
    Effect.gen(function*() {
      const { club, students: [ana, bia, caio] } = yield* named("Ana", "Bia", "Caio")
      if (ana === undefined || bia === undefined || caio === undefined) return assert.fail()
      const [one, two] = [yield* makeCatalogDelivery(club), yield* makeCatalogDelivery(club)]
      const cohort = yield* makeCohort(club, one)
      const revoked = { revoked_at: yield* DateTime.now, revoke_reason: "manual" } as const
      yield* makeEnrollment(club, ana, one, revoked)
      yield* makeEnrollment(club, ana, one, { cohort_id: cohort.id })
      yield* makeEnrollment(club, bia, one, revoked)
      yield* makeEnrollment(club, bia, two)
      assert.deepStrictEqual(yield* names(club, { delivery_id: one.id }), ["Bia", "Ana"])
      assert.deepStrictEqual(yield* names(club, { delivery_id: two.id }), ["Bia"])
      assert.deepStrictEqual(yield* names(club, { cohort_id: cohort.id }), ["Ana"])
      assert.deepStrictEqual(yield* names(club, { cohort_id: cohort.id, delivery_id: two.id }), [])
      assert.deepStrictEqual(yield* names(club, { delivery_id: one.id, active: "true" }), ["Ana"])
      assert.deepStrictEqual(yield* names(club, { delivery_id: one.id, active: "false" }), ["Bia"])
      assert.deepStrictEqual(yield* names(club, { active: "true" }), ["Bia", "Ana"])
      assert.deepStrictEqual(yield* names(club, { active: "false" }), ["Caio"])
      assert.deepStrictEqual(yield* names(club, { delivery_id: one.id, search: "bia" }), ["Bia"])
      const page = yield* list(club, { delivery_id: one.id, limit: "1" })
      const next = yield* list(club, { delivery_id: one.id, cursor: String(at(page.json, "next_cursor")) })
      assert.deepStrictEqual(listAt(next.json, "data").map((student) => at(student, "name")), ["Ana"])
    }))

  it.effect("counts as active what has begun, is not over and was not revoked", () =>
    Effect.gen(function*() {
      const { club, students } = yield* named("begun", "scheduled", "over", "revoked", "ends later")
      const delivery = yield* makeCatalogDelivery(club)
      const terms = [
        {},
        { starts_at: yield* days(1) },
        { starts_at: yield* days(-2), expires_at: yield* days(0) },
        { revoked_at: yield* days(0), revoke_reason: "refund" as const },
        { expires_at: yield* days(1) }
      ]
      yield* Effect.forEach(students, (student, n) => makeEnrollment(club, student, delivery, terms[n]))
      assert.deepStrictEqual(yield* names(club, { active: "true" }), ["ends later", "begun"])
      assert.deepStrictEqual(yield* names(club, { active: "false" }), ["revoked", "over", "scheduled"])
    }))

  it.effect("shows nobody of another club's delivery", () =>
    Effect.gen(function*() {
      const { club, students: [ana] } = yield* named("Ana")
      const delivery = yield* makeCatalogDelivery(club)
      yield* makeEnrollment(club, ana ?? assert.fail(), delivery)
      assert.deepStrictEqual(yield* names(yield* foundClub(), { delivery_id: delivery.id }), [])
    }))

  it.effect.each([
    [{ search: "" }],
    [{ search: "x".repeat(101) }],
    [{ active: "yes" }],
    [{ delivery_id: "1" }],
    [{ cohort_id: "1" }]
  ])("is refused with %j", ([query]) =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      assert.deepStrictEqual(outcome(yield* list(club, query)), [422, "validation_failed"])
    }))
})
