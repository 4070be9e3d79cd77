import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { at, foundClub, listAt, outcome, send } from "../../../harness/App.ts"
import { contract, FakeStripe, itemsAtStripe, packsAtStripe, remove, stripeLayer, subscribedClub } from "./World.ts"

const noPlan = {
  managed: false,
  portal_available: false,
  period_start: null,
  period_end: null,
  plan: null,
  addons: [],
  available_addons: [],
  resources: []
}

layer(stripeLayer)("Where Stripe keeps plans", (it) => {
  it.effect("a club that has bought none is told so everywhere, and Stripe is not asked", () =>
    Effect.gen(function*() {
      const { asked } = yield* FakeStripe
      const before = asked.length
      const { path, token } = yield* foundClub()
      const call = (method: "DELETE" | "GET" | "POST", tail: string, body?: unknown) =>
        send(method, `${path}/billing${tail}`, { token, ...(body === undefined ? {} : { body }) })
      assert.deepStrictEqual((yield* call("GET", "")).json, { data: noPlan })
      assert.deepStrictEqual((yield* call("GET", "/invoices")).json, { data: [], next_cursor: null })
      const refused = yield* Effect.all([
        call("POST", "/addons", { key: "pack" }),
        call("POST", "/addons", { key: "nothing" }),
        call("DELETE", "/addons/pack"),
        call("DELETE", "/addons/nothing"),
        call("GET", "/invoices/upcoming"),
        call("POST", "/portal")
      ])
      assert.deepStrictEqual(refused.map(outcome), [
        [409, "addon_unavailable"],
        [404, "addon_not_found"],
        [409, "addon_not_contracted"],
        [404, "addon_not_found"],
        [404, "invoice_upcoming_none"],
        [501, "billing_portal_unavailable"]
      ])
      assert.lengthOf(asked, before)
    }))

  it.effect("what cannot be contracted or removed is refused by its name, and Stripe is told nothing", () =>
    Effect.gen(function*() {
      const club = yield* subscribedClub("price_starter", "price_onboarding")
      yield* contract(club)
      assert.deepStrictEqual(outcome(yield* contract(club)), [409, "addon_already_contracted"])
      assert.deepStrictEqual(outcome(yield* contract(club, "priority")), [409, "addon_unavailable"])
      assert.deepStrictEqual(outcome(yield* contract(club, "nothing")), [404, "addon_not_found"])
      assert.deepStrictEqual(outcome(yield* remove(club, "priority")), [409, "addon_not_contracted"])
      assert.deepStrictEqual(outcome(yield* remove(club, "onboarding")), [409, "addon_not_removable"])
      assert.deepStrictEqual(outcome(yield* remove(club, "nothing")), [404, "addon_not_found"])
      assert.deepStrictEqual([yield* packsAtStripe(club), yield* itemsAtStripe(club)], [[1, 1], []])
    }))

  it.effect("a removal answers the bare status, once", () =>
    Effect.gen(function*() {
      const club = yield* subscribedClub()
      yield* contract(club)
      const removed = yield* remove(club)
      const { json } = yield* send("GET", `${club.path}/billing`, { token: club.token })
      assert.deepStrictEqual([removed.status, { data: removed.json }], [200, json])
      assert.deepStrictEqual(outcome(yield* remove(club)), [409, "addon_not_contracted"])
    }))

  it.effect("status and invoices ask Stripe nothing", () =>
    Effect.gen(function*() {
      const { asked } = yield* FakeStripe
      const { path, token } = yield* subscribedClub()
      const before = asked.length
      const { json } = yield* send("GET", `${path}/billing`, { token })
      assert.isTrue(at(json, "data", "portal_available"))
      assert.lengthOf(listAt((yield* send("GET", `${path}/billing/invoices`, { token })).json, "data"), 1)
      assert.lengthOf(asked, before)
    }))

  it.effect("the portal's address is of the club's own customer, and kept by nobody", () =>
    Effect.gen(function*() {
      const { asked } = yield* FakeStripe
      const [club, other] = [yield* subscribedClub(), yield* subscribedClub()]
      const { headers, json, status } = yield* send("POST", `${club.path}/billing/portal`, { token: club.token })
      assert.deepStrictEqual([status, headers["cache-control"]], [200, "no-store"])
      assert.deepStrictEqual(Object.keys(at(json, "data") ?? {}), ["url"])
      assert.strictEqual(asked.at(-1)?.form["customer"], club.subscription.customer)
      const foreign = yield* send("POST", `${club.path}/billing/portal`, { token: other.token })
      assert.deepStrictEqual(outcome(foreign), [403, "forbidden"])
    }))
})
