import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { at } from "../../../harness/App.ts"
import type { SubscriptionState } from "../../../harness/stripe/State.ts"
import {
  billingOf,
  buy,
  contract,
  creditsOf,
  FakeStripe,
  invoicesOf,
  openInvoiceOf,
  pass,
  patiently,
  remove,
  settleAfter,
  stripeLayer,
  type Subscribed,
  subscribedClub,
  tellAll,
  unpaid,
  used
} from "./World.ts"

const day = 86_400

/** A club that has removed a paid add-on ten days before the end of its period. */
const clubWithCredit = Effect.gen(function*() {
  const club = yield* subscribedClub()
  yield* contract(club)
  yield* tellAll
  yield* pass(20 * day)
  assert.strictEqual((yield* remove(club)).status, 200)
  return club
})

/** The plan ends and the club buys it again, without `customer` as a new customer. */
const buysAnew = Effect.fnUntraced(function*(club: Subscribed, customer?: string) {
  const { state } = yield* FakeStripe
  state.end(club.subscription)
  yield* patiently(tellAll)
  const subscription = yield* buy(club, ["price_starter"], customer)
  yield* patiently(tellAll)
  return subscription
})

/** The amounts that wait at Stripe for the next invoice of a subscription. */
const waitingFor = (subscription: SubscriptionState) =>
  Effect.map(FakeStripe, ({ state }) => state.waiting(subscription).map(({ amount }) => amount))

const answersOf = (club: Subscribed) =>
  Effect.map(
    billingOf(club),
    (status) => [at(status, "resources", "0", "used"), at(status, "resources", "0", "overage")]
  )

layer(stripeLayer)("Credit that was not invoiced when a plan ended", (it) => {
  it.effect("goes to the subscription that is bought next, of the same customer or another", () =>
    Effect.gen(function*() {
      const { state } = yield* FakeStripe
      for (const isSame of [true, false]) {
        const club = yield* clubWithCredit
        const [credit] = yield* creditsOf(club)
        assert.deepStrictEqual(yield* waitingFor(club.subscription), [credit])
        const next = yield* buysAnew(club, isSame ? club.subscription.customer : undefined)
        assert.deepStrictEqual([yield* waitingFor(club.subscription), yield* waitingFor(next)], [[], [credit]])
        state.renew(next)
        yield* pass(0)
        yield* tellAll
        assert.deepStrictEqual((yield* invoicesOf(club))[0], ["paid", 2900 + Number(credit)])
        // Another purchase: the invoiced credit does not move.
        const last = yield* buysAnew({ ...club, subscription: next })
        yield* settleAfter(day)
        assert.deepStrictEqual([yield* waitingFor(next), yield* waitingFor(last)], [[], []])
      }
    }))

  it.effect("goes there once when nobody heard what Stripe answered, or it was refused", () =>
    Effect.gen(function*() {
      const server = yield* FakeStripe
      for (const fault of ["lost", "failed", "declined"] as const) {
        server.heal()
        server.fail("POST", "/v1/invoiceitems", fault)
        const club = yield* patiently(clubWithCredit)
        const next = yield* buysAnew(club)
        yield* settleAfter(2 * 3600)
        assert.deepStrictEqual([yield* waitingFor(club.subscription), yield* waitingFor(next)], [
          [],
          yield* creditsOf(club)
        ])
        assert.lengthOf(yield* creditsOf(club), 1)
      }
    }))

  it.effect("goes there once when the old one is being told while the plan ends", () =>
    Effect.gen(function*() {
      const server = yield* FakeStripe
      server.heal()
      const club = yield* subscribedClub()
      yield* contract(club)
      yield* tellAll
      yield* pass(20 * day)
      server.fail("POST", "/v1/invoiceitems", "held")
      const removal = yield* Effect.forkChild(remove(club))
      yield* server.untilHeld
      const next = yield* buysAnew(club)
      server.held.splice(0).forEach((release) => release())
      assert.strictEqual((yield* Fiber.join(removal)).status, 200)
      yield* settleAfter(2 * 3600)
      assert.deepStrictEqual([yield* waitingFor(club.subscription), yield* waitingFor(next)], [
        [],
        yield* creditsOf(club)
      ])
    }))

  it.effect("is given for what is paid only when the subscription is long over", () =>
    Effect.gen(function*() {
      const { state } = yield* FakeStripe
      const club = yield* subscribedClub()
      yield* unpaid(contract(club))
      yield* tellAll
      yield* pass(20 * day)
      yield* remove(club)
      const next = yield* buysAnew(club)
      const open = yield* openInvoiceOf(club)
      state.pay(open)
      yield* tellAll
      const credits = yield* creditsOf(club)
      assert.lengthOf(credits, 1)
      assert.deepStrictEqual(yield* waitingFor(next), credits)
    }))
})

layer(stripeLayer)("Credit on an invoice that is void", (it) => {
  it.effect("is told once more, once, for the next one", () =>
    Effect.gen(function*() {
      const { state } = yield* FakeStripe
      const club = yield* clubWithCredit
      const [credit] = yield* creditsOf(club)
      const invoice = yield* unpaid(Effect.sync(() => state.renew(club.subscription)))
      yield* pass(0)
      yield* tellAll
      state.void(invoice)
      state.happens("invoice.voided", invoice.id)
      yield* tellAll
      assert.deepStrictEqual(yield* creditsOf(club), [credit, credit])
      assert.deepStrictEqual(yield* waitingFor(club.subscription), [credit])
      state.renew(club.subscription)
      yield* pass(0)
      yield* tellAll
      assert.deepStrictEqual((yield* invoicesOf(club)).slice(0, 2), [["paid", 2900 + Number(credit)], [
        "void",
        2900 + Number(credit)
      ]])
    }))
})

layer(stripeLayer)("What was used beyond the allowance", (it) => {
  it.effect("is charged by the plan that it was used with, once, when another one begins", () =>
    Effect.gen(function*() {
      const { state } = yield* FakeStripe
      const club = yield* subscribedClub()
      yield* used(club, 13)
      const [item] = club.subscription.items
      if (item === undefined) return assert.fail("no item")
      club.subscription.items = [{ ...item, price: "price_growth" }]
      state.happens("customer.subscription.updated", club.subscription.id)
      state.happens("customer.subscription.updated", club.subscription.id)
      yield* tellAll
      assert.deepStrictEqual(at(yield* billingOf(club), "plan", "key"), "growth")
      assert.deepStrictEqual(yield* answersOf(club), [10, 0])
      assert.deepStrictEqual(yield* waitingFor(club.subscription), [21])
    }))

  it.effect("is charged when the plan ends, by the subscription that is bought next", () =>
    Effect.gen(function*() {
      const club = yield* subscribedClub()
      yield* used(club, 13)
      const next = yield* buysAnew(club)
      assert.deepStrictEqual([yield* waitingFor(club.subscription), yield* waitingFor(next)], [[], [21]])
    }))
})
