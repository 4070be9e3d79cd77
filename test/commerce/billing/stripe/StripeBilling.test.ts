import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { at, listAt, outcome, send } from "../../../harness/App.ts"
import {
  billingOf,
  contract,
  creditsOf,
  FakeStripe,
  itemsAtStripe,
  packsAtStripe,
  pass,
  remove,
  stripeLayer,
  subscribedClub,
  tellAll
} from "./World.ts"

layer(stripeLayer)("A club whose plan Stripe keeps", (it) => {
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
      // 1267 cents paid for 20 of 30 days. The club removes it after 10 of these 20. The consumed part is rounded down.
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

  it.effect("has an add-on written down before Stripe is told, with an Idempotency-Key too, and contracts it once", () =>
    Effect.gen(function*() {
      const server = yield* FakeStripe
      const sql = yield* SqlClient.SqlClient
      const club = yield* subscribedClub()
      const once = send("POST", `${club.path}/billing/addons`, {
        token: club.token,
        body: { key: "pack" },
        headers: { "idempotency-key": "one" }
      })
      server.fail("POST", "/v1/subscription_items", "held")
      const asking = yield* Effect.forkChild(once)
      yield* server.untilHeld
      // Another connection sees the change, and the account has no lock.
      assert.lengthOf(yield* sql`select 1 from billing_changes where club_id = ${club.id}`, 1)
      assert.lengthOf(
        yield* sql`select 1 from billing_accounts where club_id = ${club.id} for no key update skip locked`,
        1
      )
      server.held.splice(0).forEach((release) => release())
      const first = yield* Fiber.join(asking)
      assert.strictEqual(first.status, 201, first.text)
      const second = yield* once
      assert.deepStrictEqual([second.status, second.text, second.headers["idempotency-replayed"]], [
        201,
        first.text,
        "true"
      ])
      assert.deepStrictEqual(yield* packsAtStripe(club), [1, 1])
    }))

  it.effect("has an add-on charged once by requests at once with one Idempotency-Key", () =>
    Effect.gen(function*() {
      const club = yield* subscribedClub()
      const once = send("POST", `${club.path}/billing/addons`, {
        token: club.token,
        body: { key: "pack" },
        headers: { "idempotency-key": "one" }
      })
      const answers = yield* Effect.all(Array.from({ length: 10 }, () => once), { concurrency: "unbounded" })
      const refused = answers.filter(({ status }) => status !== 201).map((answer) => outcome(answer)[1])
      for (const code of refused) assert.include(["addon_already_contracted", "idempotency_in_progress"], code)
      assert.deepStrictEqual(yield* packsAtStripe(club), [1, 1])
    }))
})
