import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { at, listAt, outcome, send } from "../../support/App.ts"
import {
  billingOf,
  contract,
  creditsOf,
  FakeStripe,
  itemsAtStripe,
  pass,
  remove,
  subscribedClub,
  tellAll
} from "./World.ts"
import { stripeLayer } from "./World.ts"

layer(stripeLayer, { timeout: "60 seconds" })("A club whose plan Stripe keeps", (it) => {
  it.effect("has the plan that its subscription says", () =>
    Effect.gen(function*() {
      const club = yield* subscribedClub()
      const status = yield* billingOf(club)
      assert.deepStrictEqual(at(status, "plan"), { key: "starter", name: "Starter" })
      assert.deepStrictEqual([at(status, "managed"), at(status, "portal_available")], [true, true])
      const invoices = yield* send("GET", `${club.path}/billing/invoices`, { token: club.token })
      assert.deepStrictEqual(
        listAt(invoices.json, "data").map((one) => [at(one, "number"), at(one, "status"), at(one, "total_cents")]),
        [[1, "paid", 2900]]
      )
    }))

  it.effect("is credited what it paid for the rest of the period, on the next invoice", () =>
    Effect.gen(function*() {
      const { state } = yield* FakeStripe
      const club = yield* subscribedClub()
      yield* pass(10 * 86_400)
      const contracted = yield* contract(club)
      assert.strictEqual(contracted.status, 201, contracted.text)
      assert.deepStrictEqual(listAt(contracted.json, "data", "addons"), [{ key: "pack", name: "Pack" }])
      yield* tellAll
      yield* pass(10 * 86_400)
      const removed = yield* remove(club)
      assert.strictEqual(removed.status, 200, removed.text)
      assert.deepStrictEqual(listAt(removed.json, "addons"), [])
      // 20 of 30 days were paid with 1267 cents; 10 of these 20 are left: what is used up is rounded down.
      assert.deepStrictEqual(yield* creditsOf(club), [-634])
      assert.deepStrictEqual(yield* itemsAtStripe(club), [-634])
      const upcoming = yield* send("GET", `${club.path}/billing/invoices/upcoming`, { token: club.token })
      assert.deepStrictEqual(
        listAt(upcoming.json, "data", "lines").map((line) => [at(line, "kind"), at(line, "amount_cents")]),
        [["plan", 2900], ["credit", -634]]
      )
      assert.strictEqual(at(upcoming.json, "data", "total_cents"), 2266)
      state.renew(club.subscription)
      yield* pass(0)
      yield* tellAll
      const invoices = yield* send("GET", `${club.path}/billing/invoices`, { token: club.token })
      const [newest] = listAt(invoices.json, "data")
      assert.strictEqual(at(newest, "total_cents"), 2266)
      assert.deepStrictEqual(
        listAt(newest, "lines").map((line) => [at(line, "kind"), at(line, "amount_cents")]),
        [["plan", 2900], ["credit", -634]]
      )
      assert.deepStrictEqual(outcome(yield* remove(club)), [409, "addon_not_contracted"])
    }))
})
