import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { AppLayer, at, foundClub, listAt, outcome, send, tokenAs } from "../../harness/App.ts"
import { makeCatalogDelivery, makeCohort } from "../../harness/Makers.ts"
import { isAbout } from "../../harness/Refusals.ts"

const unknownId = "018f0000-0000-7000-8000-000000000001"
const expires_at = "2030-01-01T00:00:00.000Z"

/** A club with a delivery and its cohort, and the owner's calls on its registration links. */
const opened = Effect.fnUntraced(function*() {
  const club = yield* foundClub()
  const delivery = yield* makeCatalogDelivery(club)
  const cohort = yield* makeCohort(club, delivery)
  const base = `${club.path}/registration-links`
  return {
    ...club,
    base,
    delivery_id: delivery.id,
    cohort_id: cohort.id,
    read: (path: string) => send("GET", `${base}${path}`, club),
    create: (body: unknown) => send("POST", base, { ...club, body }),
    patch: (id: unknown, body: unknown) => send("PATCH", `${base}/${String(id)}`, { ...club, body }),
    remove: (id: unknown) => send("DELETE", `${base}/${String(id)}`, club)
  }
})

const idOf = (answer: { readonly json: unknown }) => String(at(answer.json, "data", "id"))
const field = (answer: { readonly json: unknown }, name: string) => at(answer.json, "data", name)

layer(AppLayer)("A registration link", (it) => {
  it.effect("has a code that nobody guesses, and the address of the classroom's sign-up page with it", () =>
    Effect.gen(function*() {
      const { create, delivery_id, organization_id, read } = yield* opened()
      const made = yield* create({ delivery_id })
      assert.strictEqual(made.status, 201)
      const { code, created_at, id, ...rest } = Object(at(made.json, "data"))
      assert.match(code, /^[A-Za-z0-9_-]{22}$/)
      assert.match(created_at, /^\d{4}-/)
      const url = `https://turma.example/classroom/${organization_id}/sign-up?code=${code}`
      const none = { cohort_id: null, max_uses: null, expires_at: null }
      assert.deepStrictEqual(rest, { url, delivery_id, ...none, uses: 0 })
      assert.strictEqual((yield* read(`/${id}`)).text, made.text)
      assert.notStrictEqual(field(yield* create({ delivery_id }), "code"), code)
    }))

  it.effect("keeps what it is created with", () =>
    Effect.gen(function*() {
      const { cohort_id, create, delivery_id } = yield* opened()
      const body = { delivery_id, cohort_id, max_uses: 30, expires_at }
      assert.deepInclude(Object(at((yield* create(body)).json, "data")), body)
    }))

  it.effect("may give nothing but the way in", () =>
    Effect.gen(function*() {
      const { create } = yield* opened()
      for (const body of [{}, { delivery_id: null }]) {
        const made = yield* create(body)
        assert.deepStrictEqual([made.status, field(made, "delivery_id")], [201, null])
      }
    }))

  it.effect("gives a delivery that the club has and that is not archived", () =>
    Effect.gen(function*() {
      const { create, read, ...club } = yield* opened()
      const foreign = yield* opened()
      const archived = yield* makeCatalogDelivery(club, { archived_at: yield* DateTime.now })
      for (const delivery_id of [unknownId, foreign.delivery_id, archived.id]) {
        assert.deepStrictEqual(outcome(yield* create({ delivery_id })), [422, "delivery_unknown"])
      }
      assert.deepStrictEqual(listAt((yield* read("")).json, "data"), [])
    }))

  it.effect("gives a cohort of its delivery", () =>
    Effect.gen(function*() {
      const { cohort_id, create, delivery_id, read, ...club } = yield* opened()
      const foreign = yield* opened()
      const sibling = yield* makeCatalogDelivery(club)
      for (
        const body of [
          { delivery_id: sibling.id, cohort_id },
          { delivery_id, cohort_id: foreign.cohort_id },
          { delivery_id, cohort_id: unknownId },
          { cohort_id }
        ]
      ) assert.deepStrictEqual(outcome(yield* create(body)), [422, "cohort_of_other_delivery"])
      assert.deepStrictEqual(listAt((yield* read("")).json, "data"), [])
    }))

  it.effect.each([
    ["delivery_id", { delivery_id: "malformed" }],
    ["max_uses", { max_uses: 0 }],
    ["max_uses", { max_uses: 1_000_001 }],
    ["max_uses", { max_uses: 1.5 }],
    ["expires_at", { expires_at: "soon" }],
    ["code", { code: "MY-OWN-CODE" }],
    ["uses", { uses: 0 }]
  ])("is refused with a wrong %s: %j", ([name, wrong]) =>
    Effect.gen(function*() {
      const { create, delivery_id, patch, read } = yield* opened()
      const made = yield* create({ delivery_id })
      for (const refused of [yield* create(wrong), yield* patch(idOf(made), wrong)]) {
        assert.deepStrictEqual(outcome(refused), [422, "validation_failed"])
        assert.isTrue(isAbout(at(refused.json, "error", "message"), name), refused.text)
      }
      assert.deepStrictEqual(at((yield* read("")).json, "data"), [at(made.json, "data")])
    }))

  it.effect("has its limits changed where a patch names them; null clears one", () =>
    Effect.gen(function*() {
      const { create, delivery_id, patch } = yield* opened()
      const made = yield* create({ delivery_id, max_uses: 5 })
      const before = Object(at(made.json, "data"))
      const limited = yield* patch(idOf(made), { expires_at })
      assert.deepStrictEqual(at(limited.json, "data"), { ...before, expires_at })
      const fewer = yield* patch(idOf(made), { max_uses: 3 })
      assert.deepStrictEqual(at(fewer.json, "data"), { ...before, expires_at, max_uses: 3 })
      const open = yield* patch(idOf(made), { max_uses: null, expires_at: null })
      assert.deepStrictEqual(at(open.json, "data"), { ...before, max_uses: null })
    }))

  it.effect("allows as many uses as it has had, and not fewer", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { create, delivery_id, patch, read } = yield* opened()
      const made = yield* create({ delivery_id, max_uses: 5 })
      yield* sql`update registration_links set uses = 3 where id = ${idOf(made)}`
      const refused = yield* patch(idOf(made), { max_uses: 2, expires_at })
      assert.deepStrictEqual(outcome(refused), [422, "max_uses_below_uses"])
      const { json } = yield* read(`/${idOf(made)}`)
      assert.deepInclude(Object(at(json, "data")), { max_uses: 5, expires_at: null, uses: 3 })
      assert.strictEqual(field(yield* patch(idOf(made), { max_uses: 3 }), "max_uses"), 3)
    }))

  it.effect("is gone after its deletion", () =>
    Effect.gen(function*() {
      const { create, delivery_id, read, remove } = yield* opened()
      const made = yield* create({ delivery_id })
      assert.strictEqual((yield* remove(idOf(made))).status, 204)
      assert.deepStrictEqual(outcome(yield* remove(idOf(made))), [404, "not_found"])
      assert.deepStrictEqual(outcome(yield* read(`/${idOf(made)}`)), [404, "not_found"])
    }))

  it.effect("of another club, of none and one that cannot be are not found", () =>
    Effect.gen(function*() {
      const { patch, read, remove } = yield* opened()
      const foreign = yield* opened()
      const made = yield* foreign.create({ delivery_id: foreign.delivery_id })
      for (const id of [idOf(made), unknownId, "malformed"]) {
        for (const answer of [yield* read(`/${id}`), yield* patch(id, { max_uses: 1 }), yield* remove(id)]) {
          assert.deepStrictEqual(outcome(answer), [404, "not_found"])
        }
      }
      assert.strictEqual((yield* foreign.read(`/${idOf(made)}`)).text, made.text)
    }))

  it.effect("is listed page by page, the club's own alone", () =>
    Effect.gen(function*() {
      const { create, delivery_id, read } = yield* opened()
      const foreign = yield* opened()
      yield* foreign.create({ delivery_id: foreign.delivery_id })
      const made = [yield* create({ delivery_id }), yield* create({ delivery_id }), yield* create({ delivery_id })]
      const first = yield* read("?limit=2")
      const second = yield* read(`?limit=2&cursor=${String(at(first.json, "next_cursor"))}`)
      const listed = [...listAt(first.json, "data"), ...listAt(second.json, "data")]
      assert.deepStrictEqual(listed, made.map(({ json }) => at(json, "data")))
      assert.isNull(at(second.json, "next_cursor"))
    }))

  it.effect("is shown to the administration alone, and kept in no cache", () =>
    Effect.gen(function*() {
      const club = yield* opened()
      const made = yield* club.create({ delivery_id: club.delivery_id })
      assert.strictEqual(made.headers["cache-control"], "no-store")
      for (const role of ["editor", "support", "viewer"] as const) {
        const token = yield* tokenAs(club, role)
        for (const path of ["", `/${idOf(made)}`]) {
          assert.deepStrictEqual(outcome(yield* send("GET", `${club.base}${path}`, { token })), [403, "forbidden"])
        }
      }
      const token = yield* tokenAs(club, "admin")
      assert.strictEqual((yield* send("GET", club.base, { token })).status, 200)
    }))
})
