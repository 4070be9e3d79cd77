import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { listAt, outcome } from "../../support/App.ts"
import type { Fault } from "../../support/StripeServer.ts"
import {
  billingOf,
  contract,
  creditsOf,
  FakeStripe,
  itemsAtStripe,
  packsAtStripe,
  pass,
  patiently,
  remove,
  settle,
  stripeLayer,
  type Subscribed,
  subscribedClub,
  tellAll
} from "./World.ts"

const day = 86_400
const faults: ReadonlyArray<Fault> = ["unheard", "lost", "failed", "broken", "busy"]

/** Every call that tells Stripe of a change. */
const calls = [
  ["GET", "/v1/subscription_items"],
  ["POST", "/v1/subscription_items"],
  ["DELETE", "/v1/subscription_items"],
  ["GET", "/v1/invoiceitems"],
  ["POST", "/v1/invoiceitems"]
] as const

const cases = calls.flatMap(([method, path]) => faults.map((fault) => ({ method, path, fault })))

/** What Stripe did with the last attempts, we have not written down: the process was killed before. */
const forgetWhatWasTold = Effect.fnUntraced(function*({ id }: Subscribed) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update billing_changes set status = 'pending', finished_at = null, leased_until = null where club_id = ${id}`
  yield* sql`update billing_addons set external_id = null where club_id = ${id}`
  yield* sql`update billing_entries set external_id = null where club_id = ${id} and kind = 'credit'`
})

/** A club that pays for the add-on for ten days and then removes it, whatever happens on the way. */
const contractAndRemove = Effect.fnUntraced(function*(club: Subscribed) {
  const contracted = yield* patiently(contract(club))
  assert.strictEqual(contracted.status, 201, contracted.text)
  yield* pass(2 * 3600)
  yield* patiently(settle)
  yield* pass(10 * day)
  yield* patiently(tellAll)
  const removed = yield* patiently(remove(club))
  assert.strictEqual(removed.status, 200, removed.text)
  yield* pass(2 * 3600)
  yield* patiently(settle)
  yield* pass(2 * 3600)
  yield* patiently(settle)
})

layer(stripeLayer, { timeout: "120 seconds" })("A change that Stripe is told of", (it) => {
  it.effect.each(cases)(
    "is charged and credited once, whatever becomes of $method $path: $fault",
    ({ fault, method, path }) =>
      Effect.gen(function*() {
        const server = yield* FakeStripe
        server.heal()
        const club = yield* subscribedClub()
        // So that the list of invoice items is asked for, too.
        if (method === "GET" && path === "/v1/invoiceitems") server.fail("POST", path, "lost")
        server.fail(method, path, fault)
        yield* contractAndRemove(club)
        assert.deepStrictEqual(yield* packsAtStripe(club), [0, 1])
        const credits = yield* creditsOf(club)
        assert.lengthOf(credits, 1)
        assert.deepStrictEqual(yield* itemsAtStripe(club), credits)
      })
  )

  it.effect("is told once although the process died before it could write that down, a day ago", () =>
    Effect.gen(function*() {
      const { state } = yield* FakeStripe
      const club = yield* subscribedClub()
      yield* contract(club)
      yield* forgetWhatWasTold(club)
      state.said.clear()
      yield* pass(day)
      yield* settle
      assert.deepStrictEqual(yield* packsAtStripe(club), [1, 1])
      yield* tellAll
      assert.strictEqual((yield* remove(club)).status, 200)
      yield* forgetWhatWasTold(club)
      state.said.clear()
      yield* pass(day)
      yield* settle
      assert.deepStrictEqual(yield* packsAtStripe(club), [0, 1])
      assert.deepStrictEqual(yield* itemsAtStripe(club), yield* creditsOf(club))
    }))

  it.effect("is told once by fifty removals at the same time", () =>
    Effect.gen(function*() {
      const club = yield* subscribedClub()
      yield* contract(club)
      yield* tellAll
      const answers = yield* Effect.forEach(Array.from({ length: 50 }), () => remove(club), {
        concurrency: "unbounded"
      })
      const statuses = answers.map(({ status }) => status).toSorted()
      assert.deepStrictEqual(statuses, [200, ...Array.from({ length: 49 }, () => 409)])
      yield* settle
      assert.deepStrictEqual(yield* itemsAtStripe(club), yield* creditsOf(club))
      assert.lengthOf(yield* creditsOf(club), 1)
    }))

  it.effect("is taken back when the card is declined", () =>
    Effect.gen(function*() {
      const server = yield* FakeStripe
      server.heal()
      const club = yield* subscribedClub()
      server.fail("POST", "/v1/subscription_items", "declined")
      assert.deepStrictEqual(outcome(yield* contract(club)), [409, "addon_unavailable"])
      assert.deepStrictEqual(listAt(yield* billingOf(club), "addons"), [])
      assert.strictEqual((yield* contract(club)).status, 201)
      assert.deepStrictEqual(yield* packsAtStripe(club), [1, 1])
    }))

  it.effect("is told in the order in which it was made", () =>
    Effect.gen(function*() {
      const server = yield* FakeStripe
      server.heal()
      const club = yield* subscribedClub()
      server.fail("POST", "/v1/subscription_items", "busy", 2)
      assert.strictEqual((yield* contract(club)).status, 201)
      assert.strictEqual((yield* remove(club)).status, 200)
      assert.strictEqual((yield* contract(club)).status, 201)
      yield* pass(2 * 3600)
      yield* settle
      yield* pass(2 * 3600)
      yield* settle
      assert.deepStrictEqual(yield* packsAtStripe(club), [1, 2])
      yield* tellAll
      assert.deepStrictEqual(listAt(yield* billingOf(club), "addons"), [{ key: "pack", name: "Pack" }])
      assert.deepStrictEqual(yield* itemsAtStripe(club), yield* creditsOf(club))
    }))
})
