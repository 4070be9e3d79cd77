import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { Changes } from "../../../../src/commerce/billing/stripe/Changes.ts"
import { listAt, outcome } from "../../../harness/App.ts"
import type { Fault } from "../../../harness/StripeServer.ts"
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
  settleAfter,
  stripeLayer,
  type Subscribed,
  subscribedClub,
  tellAll
} from "./World.ts"

const day = 86_400
const faults: ReadonlyArray<Fault> = ["unheard", "lost", "failed", "broken", "busy"]

/** Every call that sends a change to Stripe. */
const calls = [
  ["GET", "/v1/subscription_items"],
  ["POST", "/v1/subscription_items"],
  ["DELETE", "/v1/subscription_items"],
  ["GET", "/v1/invoiceitems"],
  ["POST", "/v1/invoiceitems"]
] as const

const cases = calls.flatMap(([method, path]) => faults.map((fault) => ({ method, path, fault })))

/** Forgets the results of the last calls to Stripe, as if the process had died before it recorded them. */
const forgetWhatWasTold = Effect.fnUntraced(function*({ id }: Subscribed) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update billing_changes set status = 'pending', finished_at = null, leased_until = null where club_id = ${id}`
  yield* sql`update billing_addons set external_id = null where club_id = ${id}`
  yield* sql`update billing_entries set external_id = null where club_id = ${id} and kind = 'credit'`
})

const pendingOf = ({ id }: Subscribed) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql`select kind from billing_changes where club_id = ${id} and status = 'pending' order by position`,
      (rows) => rows.map((row) => row["kind"])
    ))

/** The club pays for the add-on for ten days and then removes it, whatever faults happen. */
const contractAndRemove = Effect.fnUntraced(function*(club: Subscribed) {
  const contracted = yield* patiently(contract(club))
  assert.strictEqual(contracted.status, 201, contracted.text)
  yield* patiently(settleAfter(2 * 3600))
  yield* pass(10 * day)
  yield* patiently(tellAll)
  const removed = yield* patiently(remove(club))
  assert.strictEqual(removed.status, 200, removed.text)
  yield* patiently(settleAfter(2 * 3600))
  yield* patiently(settleAfter(2 * 3600))
})

layer(stripeLayer)("A change that Stripe has to make", (it) => {
  it.effect.each(cases)(
    "is charged and credited once, whatever becomes of $method $path: $fault",
    ({ fault, method, path }) =>
      Effect.gen(function*() {
        const server = yield* FakeStripe
        server.heal()
        const club = yield* subscribedClub()
        // The lost answer makes the service ask for the list of invoice items.
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
      yield* settleAfter(day)
      assert.deepStrictEqual(yield* packsAtStripe(club), [1, 1])
      yield* tellAll
      assert.strictEqual((yield* remove(club)).status, 200)
      yield* forgetWhatWasTold(club)
      state.said.clear()
      yield* settleAfter(day)
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
      yield* settleAfter(2 * 3600)
      yield* settleAfter(2 * 3600)
      assert.deepStrictEqual(yield* packsAtStripe(club), [1, 2])
      yield* tellAll
      assert.deepStrictEqual(listAt(yield* billingOf(club), "addons"), [{ key: "pack", name: "Pack" }])
      assert.deepStrictEqual(yield* itemsAtStripe(club), yield* creditsOf(club))
    }))

  it.effect("does not wait for the lease of who hung up, and is not begun twice while Stripe is still at it", () =>
    Effect.gen(function*() {
      const server = yield* FakeStripe
      const changes = yield* Changes
      server.heal()
      const club = yield* subscribedClub()
      server.fail("POST", "/v1/subscription_items", "busy")
      yield* contract(club)
      yield* pass(60)
      server.fail("POST", "/v1/subscription_items", "held")
      // Stripe's list does not show the item yet.
      const fiber = yield* Effect.forkChild(changes.perform(club.id))
      yield* server.untilHeld
      const items = club.subscription.items.splice(1)
      yield* Fiber.interrupt(fiber)
      yield* settleAfter(30)
      assert.isNotEmpty(yield* pendingOf(club))
      club.subscription.items.push(...items)
      server.held.splice(0).forEach((release) => release())
      yield* settleAfter(60)
      assert.deepStrictEqual(yield* pendingOf(club), [])
      assert.deepStrictEqual(yield* packsAtStripe(club), [1, 1])
    }))

  it.effect("is told by one process at a time, and by another once that has had its time", () =>
    Effect.gen(function*() {
      const server = yield* FakeStripe
      const changes = yield* Changes
      server.heal()
      const club = yield* subscribedClub()
      server.fail("GET", "/v1/subscription_items", "held")
      const first = yield* Effect.forkChild(contract(club))
      yield* server.untilHeld
      const asked = server.asked.length
      assert.strictEqual(yield* changes.tick, 0)
      yield* changes.perform(club.id)
      assert.strictEqual(server.asked.length, asked)
      // The first process stands still with its own clock. For all others its two minutes have passed.
      const sql = yield* SqlClient.SqlClient
      yield* sql`update billing_changes set leased_until = next_attempt_at where club_id = ${club.id}`
      yield* settle
      assert.deepStrictEqual([yield* pendingOf(club), yield* packsAtStripe(club)], [[], [1, 1]])
      assert.strictEqual((yield* remove(club)).status, 200)
      server.held.splice(0).forEach((release) => release())
      assert.strictEqual((yield* Fiber.join(first)).status, 201)
      yield* tellAll
      assert.deepStrictEqual([yield* pendingOf(club), yield* packsAtStripe(club)], [[], [0, 1]])
      assert.deepStrictEqual(listAt(yield* billingOf(club), "addons"), [])
    }))

  it.effect("gets another key where Stripe has heard the first one with other words", () =>
    Effect.gen(function*() {
      const server = yield* FakeStripe
      server.heal()
      const club = yield* subscribedClub()
      server.fail("POST", "/v1/subscription_items", "broken")
      yield* contract(club)
      const [key] = [...server.state.said].flatMap(([key, { reply }]) => reply.status === 500 ? [key] : []).slice(-1)
      const other = key?.replace(/^(turma-[\w-]{36}-)0/, "$11") ?? ""
      server.state.said.set(other, { words: "other ones", reply: { status: 200, body: {} } })
      yield* settleAfter(60)
      assert.isNotEmpty(yield* pendingOf(club))
      yield* settleAfter(60)
      assert.deepStrictEqual(yield* packsAtStripe(club), [1, 1])
    }))

  it.effect("waits, and holds up nobody else, where another provider keeps the plan meanwhile", () =>
    Effect.gen(function*() {
      const server = yield* FakeStripe
      const sql = yield* SqlClient.SqlClient
      server.heal()
      const [gone, there] = [yield* subscribedClub(), yield* subscribedClub()]
      server.fail("POST", "/v1/subscription_items", "busy", 2)
      yield* contract(gone)
      yield* contract(there)
      yield* sql`
        update billing_accounts set provider = 'local', subscription_id = null, customer_id = null
        where club_id = ${gone.id}`
      yield* settleAfter(60)
      assert.deepStrictEqual([yield* packsAtStripe(gone), yield* packsAtStripe(there)], [[0, 0], [1, 1]])
      assert.deepStrictEqual(yield* pendingOf(gone), ["contract"])
    }))
})
