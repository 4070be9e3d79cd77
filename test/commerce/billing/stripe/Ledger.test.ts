import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Overages } from "../../../../src/commerce/billing/stripe/mirror/Overages.ts"
import {
  addonsOf,
  contract,
  creditsOf,
  FakeStripe,
  invoicesOf,
  itemsAtStripe,
  openInvoiceOf,
  pass,
  remove,
  settle,
  stripeLayer,
  subscribedClub,
  tellAll,
  unpaid,
  used
} from "./World.ts"

/** Closes every ended period, this many days later. */
const closeAllAfter = Effect.fnUntraced(function*(days: number) {
  const { tick } = yield* Overages
  yield* pass(days * 86_400)
  yield* Effect.repeat(tick, { while: (closed) => closed > 0 })
})

layer(stripeLayer)("The ledger of a club whose plan Stripe keeps", (it) => {
  it.effect("adds and removes what is added and removed at Stripe, without credit of ours", () =>
    Effect.gen(function*() {
      const { state } = yield* FakeStripe
      const club = yield* subscribedClub()
      const item = { id: state.id("si"), price: "price_pack", metadata: {} }
      club.subscription.items.push(item)
      state.happens("customer.subscription.updated", club.subscription.id)
      const invoice = state.invoice(club.subscription, [state.lineOf(item, 1900, state.now, club.subscription.end)])
      yield* tellAll
      assert.deepStrictEqual(yield* addonsOf(club), ["pack"])
      club.subscription.items.pop()
      state.happens("customer.subscription.updated", club.subscription.id)
      yield* tellAll
      state.happens("invoice.paid", invoice.id)
      yield* tellAll
      assert.deepStrictEqual(yield* addonsOf(club), [])
      assert.deepStrictEqual(yield* creditsOf(club), [])
    }))

  it.effect("credits a charge that is paid only after the add-on is gone", () =>
    Effect.gen(function*() {
      const { state } = yield* FakeStripe
      const club = yield* subscribedClub()
      yield* unpaid(contract(club))
      yield* tellAll
      yield* remove(club)
      yield* tellAll
      assert.deepStrictEqual(yield* creditsOf(club), [])
      const open = yield* openInvoiceOf(club)
      state.pay(open)
      yield* tellAll
      const credits = yield* creditsOf(club)
      assert.lengthOf(credits, 1)
      assert.deepStrictEqual(yield* itemsAtStripe(club), credits)
    }))

  it.effect("carries credit that an invoice cannot use up", () =>
    Effect.gen(function*() {
      const { state } = yield* FakeStripe
      const club = yield* subscribedClub()
      state.balances.set(club.subscription.customer, -4000)
      state.renew(club.subscription)
      yield* tellAll
      state.renew(club.subscription)
      yield* pass(0)
      yield* tellAll
      assert.deepStrictEqual(yield* invoicesOf(club), [["paid", 1800], ["paid", 0], ["paid", 2900]])
    }))

  it.effect("counts tax and discount as what was paid for a line", () =>
    Effect.gen(function*() {
      const { state } = yield* FakeStripe
      const club = yield* subscribedClub()
      const [item] = club.subscription.items
      if (item === undefined) return assert.fail("no item")
      const line = state.lineOf(item, 1000, state.now, club.subscription.end)
      state.invoice(club.subscription, [{ ...line, tax: 180, discount: 100 }])
      yield* tellAll
      assert.deepStrictEqual((yield* invoicesOf(club))[0], ["paid", 1080])
    }))

  it.effect("closes the periods of all others, where one cannot be closed", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [broken, other] = [yield* subscribedClub(), yield* subscribedClub()]
      yield* sql`update billing_accounts set anchor = 'infinity' where club_id = ${broken.id}`
      yield* closeAllAfter(32)
      const due = sql`
        select club_id from billing_accounts
        where ended_at is null and invoiced_until <= to_timestamp(${(yield* FakeStripe).state.now}::float8)`
      assert.deepStrictEqual((yield* due).map((row) => row["club_id"]), [broken.id])
      yield* sql`update billing_accounts set ended_at = created_at where club_id = ${broken.id}`
      assert.notStrictEqual(broken.id, other.id)
    }))

  it.effect("charges what was used beyond the allowance once, when the period is over", () =>
    Effect.gen(function*() {
      const overages = yield* Overages
      const club = yield* subscribedClub()
      yield* used(club, 13)
      yield* closeAllAfter(32)
      yield* Effect.all([overages.tick, overages.tick], { concurrency: "unbounded" })
      yield* settle
      assert.deepStrictEqual(yield* itemsAtStripe(club), [21])
    }))
})
