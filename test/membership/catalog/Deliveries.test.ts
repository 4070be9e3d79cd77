import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, at, outcome, send, tokenAs } from "../../harness/App.ts"
import { isAbout } from "../../harness/Refusals.ts"
import { idOf, namesIn, openDeliveries, unknownId } from "./OpenDeliveries.ts"

layer(AppLayer)("A delivery", (it) => {
  it.effect("is created with a name alone: not free, without an end, empty and not archived", () =>
    Effect.gen(function*() {
      const { create, read } = yield* openDeliveries()
      const made = yield* create({ name: "Violão do Zero" })
      assert.strictEqual(made.status, 201)
      const { created_at, id, ...rest } = Object(at(made.json, "data"))
      assert.match(created_at, /^\d{4}-.*\.\d{3}Z$/)
      assert.deepStrictEqual(rest, {
        name: "Violão do Zero",
        free: false,
        default_access_days: null,
        items: [],
        archived: false
      })
      assert.strictEqual((yield* read(`/${id}`)).text, made.text)
    }))

  it.effect("keeps what it is created with and answers it to every member", () =>
    Effect.gen(function*() {
      const club = yield* openDeliveries()
      const items = [{ kind: "community", id: club.community }]
      const body = { name: "Tudo", free: true, default_access_days: 365, items }
      const made = yield* club.create(body)
      assert.deepInclude(Object(at(made.json, "data")), body)
      for (const role of ["editor", "support", "viewer"] as const) {
        const token = yield* tokenAs(club, role)
        assert.strictEqual((yield* send("GET", `${club.base}/${idOf(made)}`, { token })).text, made.text)
      }
    }))

  it.effect("is changed where a patch names it, and nowhere else", () =>
    Effect.gen(function*() {
      const { community, create, patch } = yield* openDeliveries()
      const made = yield* create({ name: "A", default_access_days: 30 })
      const before = Object(at(made.json, "data"))
      const changed = { name: "B", free: true, items: [{ kind: "community", id: community }] }
      const after = yield* patch(idOf(made), changed)
      assert.deepStrictEqual(at(after.json, "data"), { ...before, ...changed })
      const cleared = yield* patch(idOf(made), { default_access_days: null, items: [] })
      assert.deepStrictEqual(at(cleared.json, "data"), { ...before, ...changed, default_access_days: null, items: [] })
      assert.strictEqual((yield* patch(idOf(made), {})).text, cleared.text)
    }))

  it.effect("takes the id of an item in capitals and answers it as it is", () =>
    Effect.gen(function*() {
      const { community, create } = yield* openDeliveries()
      const made = yield* create({ name: "A", items: [{ kind: "community", id: community.toUpperCase() }] })
      assert.deepStrictEqual(at(made.json, "data", "items"), [{ kind: "community", id: community }])
    }))

  it.effect("is made once for a request that is repeated with its Idempotency-Key", () =>
    Effect.gen(function*() {
      const { create, read } = yield* openDeliveries()
      const first = yield* create({ name: "A", free: true }, { "idempotency-key": "once" })
      assert.strictEqual((yield* create({ name: "A", free: true }, { "idempotency-key": "once" })).text, first.text)
      assert.deepStrictEqual(namesIn(yield* read("")), ["A"])
    }))

  it.effect.each([
    ["name", { name: "" }],
    ["name", { name: "a".repeat(121) }],
    ["name", { name: null }],
    ["free", { free: "yes" }],
    ["free", { free: null }],
    ["default_access_days", { default_access_days: 0 }],
    ["default_access_days", { default_access_days: 36_501 }],
    ["default_access_days", { default_access_days: 1.5 }],
    ["items", { items: null }],
    ["items\\[0\\].kind", { items: [{ kind: "poster", id: unknownId }] }],
    ["items\\[0\\].id", { items: [{ kind: "course", id: "malformed" }] }],
    ["items", { items: [{ kind: "course", id: unknownId }, { kind: "course", id: unknownId.toUpperCase() }] }],
    ["items", {
      items: Array.from({ length: 201 }, (_, n) => ({ kind: "course", id: unknownId.slice(0, -3) + (n + 100) }))
    }],
    ["slug", { slug: "a" }]
  ] as const)("is refused with a wrong %s", ([field, wrong]) =>
    Effect.gen(function*() {
      const { create, patch, read } = yield* openDeliveries()
      const made = yield* create({ name: "A" })
      for (const refused of [yield* create({ name: "B", ...wrong }), yield* patch(idOf(made), wrong)]) {
        assert.deepStrictEqual(outcome(refused), [422, "validation_failed"])
        assert.isTrue(isAbout(at(refused.json, "error", "message"), field.replaceAll("\\", "")), refused.text)
      }
      const { json } = yield* read("")
      assert.deepStrictEqual(at(json, "data"), [at(made.json, "data")])
    }))

  it.effect("contains what the club has: unknown, foreign and not yet known things are refused alike", () =>
    Effect.gen(function*() {
      const { community, create, patch, read } = yield* openDeliveries()
      const foreign = yield* openDeliveries()
      const made = yield* create({ name: "A", items: [{ kind: "community", id: community }] })
      const own = { kind: "community", id: community }
      for (
        const unknown of [
          { kind: "community", id: foreign.community },
          { kind: "community", id: unknownId },
          { kind: "course", id: community },
          { kind: "repository", id: unknownId },
          { kind: "live", id: unknownId }
        ]
      ) {
        const answers = [
          yield* create({ name: "B", items: [own, unknown] }),
          yield* patch(idOf(made), { name: "B", free: true, items: [own, unknown] })
        ]
        for (const answer of answers) {
          assert.deepStrictEqual(outcome(answer), [422, "item_unknown"])
          assert.strictEqual(at(answer.json, "error", "message"), "items[1] must be an item that the club has")
        }
      }
      assert.deepStrictEqual(at((yield* read("")).json, "data"), [at(made.json, "data")])
    }))

  it.effect("that another club has, that nobody has and that cannot be is not found", () =>
    Effect.gen(function*() {
      const { patch, read, remove } = yield* openDeliveries()
      const foreign = yield* openDeliveries()
      const made = yield* foreign.create({ name: "A" })
      for (const id of [idOf(made), unknownId, "malformed"]) {
        for (const answer of [yield* read(`/${id}`), yield* patch(id, { name: "B" }), yield* remove(id)]) {
          assert.deepStrictEqual(outcome(answer), [404, "not_found"])
        }
      }
      assert.strictEqual((yield* foreign.read(`/${idOf(made)}`)).text, made.text)
    }))

  it.effect.each(["owner", "admin", "editor"] as const)("is written by an %s", (role) =>
    Effect.gen(function*() {
      const club = yield* openDeliveries()
      const token = yield* tokenAs(club, role)
      const made = yield* send("POST", club.base, { token, body: { name: "A" } })
      const path = `${club.base}/${idOf(made)}`
      const patched = yield* send("PATCH", path, { token, body: { archived: true } })
      const removed = yield* send("DELETE", path, { token })
      assert.deepStrictEqual([made, patched, removed].map(({ status }) => status), [201, 200, 204])
    }))

  it.effect.each(["support", "viewer"] as const)("is not written by a %s", (role) =>
    Effect.gen(function*() {
      const club = yield* openDeliveries()
      const token = yield* tokenAs(club, role)
      assert.deepStrictEqual(outcome(yield* send("POST", club.base, { token, body: { name: "A" } })), [
        403,
        "forbidden"
      ])
      assert.deepStrictEqual(namesIn(yield* club.read("")), [])
    }))
})

layer(AppLayer)("The list of deliveries", (it) => {
  it.effect("is read page by page, oldest first, and shows this club's alone", () =>
    Effect.gen(function*() {
      const { create, read } = yield* openDeliveries()
      yield* (yield* openDeliveries()).create({ name: "foreign" })
      for (const name of ["A", "B", "C"]) yield* create({ name })
      const first = yield* read("?limit=2")
      yield* create({ name: "D" })
      const second = yield* read(`?limit=2&cursor=${String(at(first.json, "next_cursor"))}`)
      assert.deepStrictEqual([namesIn(first), namesIn(second)], [["A", "B"], ["C", "D"]])
      assert.isNull(at(second.json, "next_cursor"))
      assert.deepStrictEqual(outcome(yield* read("?cursor=nonsense")), [400, "invalid_cursor"])
    }))

  it.effect("leaves the archived ones out, or shows them alone", () =>
    Effect.gen(function*() {
      const { create, patch, read } = yield* openDeliveries()
      const [kept, archived] = [yield* create({ name: "kept" }), yield* create({ name: "archived" })]
      yield* patch(idOf(archived), { archived: true })
      assert.deepStrictEqual(namesIn(yield* read("")), ["kept"])
      assert.deepStrictEqual(namesIn(yield* read("?archived=false")), ["kept"])
      assert.deepStrictEqual(namesIn(yield* read("?archived=true")), ["archived"])
      assert.deepStrictEqual(outcome(yield* read("?archived=perhaps")), [422, "validation_failed"])
      yield* patch(idOf(archived), { archived: false })
      yield* patch(idOf(kept), { archived: true })
      assert.deepStrictEqual(namesIn(yield* read("")), ["archived"])
    }))
})
