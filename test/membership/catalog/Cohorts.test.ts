import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, at, enrolledStudent, foundClub, listAt, outcome, send, tokenAs } from "../../harness/App.ts"
import { makeCatalogDelivery, makeCohort, makeEnrollment } from "../../harness/Makers.ts"
import { isAbout } from "../../harness/Refusals.ts"

const unknownId = "018f0000-0000-7000-8000-000000000001"
const starts_at = "2026-03-01T00:00:00.000Z"
const ends_at = "2026-06-01T00:00:00.000Z"

/** A club with a delivery, and the owner's calls on its cohorts. */
const opened = Effect.fnUntraced(function*() {
  const club = yield* foundClub()
  const delivery = yield* makeCatalogDelivery(club)
  const base = `${club.path}/deliveries/${delivery.id}/cohorts`
  return {
    ...club,
    base,
    delivery,
    read: (path: string) => send("GET", `${base}${path}`, club),
    create: (body: unknown) => send("POST", base, { ...club, body }),
    patch: (id: unknown, body: unknown) => send("PATCH", `${base}/${String(id)}`, { ...club, body }),
    remove: (id: unknown) => send("DELETE", `${base}/${String(id)}`, club)
  }
})

const idOf = (answer: { readonly json: unknown }) => String(at(answer.json, "data", "id"))
const names = (answer: { readonly json: unknown }) => listAt(answer.json, "data").map((cohort) => at(cohort, "name"))

layer(AppLayer)("A cohort", (it) => {
  it.effect("is created with a name alone, or with a start and an end", () =>
    Effect.gen(function*() {
      const { create, delivery, read } = yield* opened()
      const bare = yield* create({ name: "Always" })
      assert.strictEqual(bare.status, 201)
      const { created_at, id, ...rest } = Object(at(bare.json, "data"))
      assert.match(created_at, /^\d{4}-/)
      assert.deepStrictEqual(rest, { delivery_id: delivery.id, name: "Always", starts_at: null, ends_at: null })
      assert.strictEqual((yield* read(`/${id}`)).text, bare.text)
      const dated = yield* create({ name: "March", starts_at, ends_at })
      assert.deepInclude(Object(at(dated.json, "data")), { starts_at, ends_at })
    }))

  it.effect("is changed where a patch names it; null clears a date", () =>
    Effect.gen(function*() {
      const { create, patch } = yield* opened()
      const made = yield* create({ name: "March", starts_at, ends_at })
      const before = Object(at(made.json, "data"))
      const renamed = yield* patch(idOf(made), { name: "April" })
      assert.deepStrictEqual(at(renamed.json, "data"), { ...before, name: "April" })
      const cleared = yield* patch(idOf(made), { starts_at: null })
      assert.deepStrictEqual(at(cleared.json, "data"), { ...before, name: "April", starts_at: null })
      const moved = yield* patch(idOf(made), { ends_at: starts_at })
      assert.deepStrictEqual(at(moved.json, "data"), { ...before, name: "April", starts_at: null, ends_at: starts_at })
    }))

  it.effect("ends after it starts, whichever of the two is sent", () =>
    Effect.gen(function*() {
      const { create, patch, read } = yield* opened()
      const made = yield* create({ name: "March", starts_at, ends_at })
      for (
        const refused of [
          yield* create({ name: "B", starts_at: ends_at, ends_at: starts_at }),
          yield* create({ name: "B", starts_at, ends_at: starts_at }),
          yield* patch(idOf(made), { starts_at: ends_at, name: "B" }),
          yield* patch(idOf(made), { ends_at: starts_at })
        ]
      ) assert.deepStrictEqual(outcome(refused), [422, "ends_at_not_later"])
      assert.deepStrictEqual(at((yield* read("")).json, "data"), [at(made.json, "data")])
    }))

  it.effect.each([
    ["name", { name: "" }],
    ["name", { name: "a".repeat(121) }],
    ["starts_at", { starts_at: "soon" }],
    ["ends_at", { ends_at: "2026-02-30T00:00:00Z" }],
    ["delivery_id", { delivery_id: unknownId }]
  ] as const)("is refused with a wrong %s: %j", ([field, wrong]) =>
    Effect.gen(function*() {
      const { create, patch, read } = yield* opened()
      const made = yield* create({ name: "A" })
      for (const refused of [yield* create({ name: "B", ...wrong }), yield* patch(idOf(made), wrong)]) {
        assert.deepStrictEqual(outcome(refused), [422, "validation_failed"])
        assert.isTrue(isAbout(at(refused.json, "error", "message"), field), refused.text)
      }
      assert.deepStrictEqual(names(yield* read("")), ["A"])
    }))

  it.effect("is found under its own delivery alone", () =>
    Effect.gen(function*() {
      const club = yield* opened()
      const foreign = yield* opened()
      const sibling = yield* makeCatalogDelivery(club)
      const made = yield* club.create({ name: "A" })
      const theirs = yield* foreign.create({ name: "A" })
      const paths = [
        `${club.path}/deliveries/${sibling.id}/cohorts/${idOf(made)}`,
        `${club.path}/deliveries/${foreign.delivery.id}/cohorts/${idOf(theirs)}`,
        `${club.base}/${idOf(theirs)}`,
        `${club.base}/${unknownId}`,
        `${club.base}/malformed`
      ]
      for (const path of paths) {
        for (
          const answer of [
            yield* send("GET", path, club),
            yield* send("PATCH", path, { ...club, body: { name: "B" } }),
            yield* send("DELETE", path, club)
          ]
        ) assert.deepStrictEqual(outcome(answer), [404, "not_found"])
      }
      assert.deepStrictEqual([names(yield* club.read("")), names(yield* foreign.read(""))], [["A"], ["A"]])
    }))

  it.effect("is not made for a delivery that the club has not, nor listed", () =>
    Effect.gen(function*() {
      const club = yield* opened()
      const foreign = yield* opened()
      for (const id of [foreign.delivery.id, unknownId, "malformed"]) {
        const path = `${club.path}/deliveries/${id}/cohorts`
        assert.deepStrictEqual(outcome(yield* send("POST", path, { ...club, body: { name: "A" } })), [404, "not_found"])
        assert.deepStrictEqual(outcome(yield* send("GET", path, club)), [404, "not_found"])
      }
      assert.deepStrictEqual(names(yield* foreign.read("")), [])
    }))

  it.effect("is listed with the others of its delivery, page by page", () =>
    Effect.gen(function*() {
      const club = yield* opened()
      yield* makeCohort(club, yield* makeCatalogDelivery(club))
      for (const name of ["A", "B", "C"]) yield* club.create({ name })
      const first = yield* club.read("?limit=2")
      const second = yield* club.read(`?limit=2&cursor=${String(at(first.json, "next_cursor"))}`)
      assert.deepStrictEqual([names(first), names(second)], [["A", "B"], ["C"]])
      assert.isNull(at(second.json, "next_cursor"))
    }))

  it.effect("is deleted unless an enrollment or a registration link refers to it", () =>
    Effect.gen(function*() {
      const club = yield* opened()
      const [free, enrolled, linked] = [
        yield* makeCohort(club, club.delivery),
        yield* makeCohort(club, club.delivery),
        yield* makeCohort(club, club.delivery)
      ]
      yield* makeEnrollment(club, yield* enrolledStudent(club), club.delivery, { cohort_id: enrolled.id })
      const body = { delivery_id: club.delivery.id, cohort_id: linked.id }
      yield* send("POST", `${club.path}/registration-links`, { ...club, body })
      assert.strictEqual((yield* club.remove(free.id)).status, 204)
      assert.deepStrictEqual(outcome(yield* club.remove(free.id)), [404, "not_found"])
      assert.deepStrictEqual(outcome(yield* club.remove(enrolled.id)), [409, "cohort_in_use"])
      assert.deepStrictEqual(outcome(yield* club.remove(linked.id)), [409, "cohort_in_use"])
      assert.lengthOf(names(yield* club.read("")), 2)
    }))

  it.effect("is read by every member and written by who writes content", () =>
    Effect.gen(function*() {
      const club = yield* opened()
      for (const [role, status] of [["editor", 201], ["support", 403], ["viewer", 403]] as const) {
        const token = yield* tokenAs(club, role)
        assert.strictEqual((yield* send("POST", club.base, { token, body: { name: role } })).status, status)
        assert.deepStrictEqual(names(yield* send("GET", club.base, { token })), ["editor"])
      }
    }))
})
