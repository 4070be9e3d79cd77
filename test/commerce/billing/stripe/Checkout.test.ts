import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { StripeEvents } from "../../../../src/commerce/billing/stripe/StripeEvents.ts"
import { AppLayer, at, foundClub, listAt, outcome, send } from "../../../harness/App.ts"
import {
  beginCheckout,
  billingOf,
  buy,
  FakeStripe,
  invoicesOf,
  pass,
  settle,
  settleAfter,
  stripeLayer,
  subscribedClub,
  tell,
  tellAll
} from "./World.ts"

interface Club {
  readonly path: string
  readonly token: string
}

const managed = (club: Club) => Effect.map(billingOf(club), (status) => at(status, "managed"))
const planOf = (club: Club) => Effect.map(billingOf(club), (status) => at(status, "plan", "key"))

const checkout = ({ path, token }: Club, plan: unknown) =>
  send("POST", `${path}/billing/checkout`, { token, body: { plan } })

const waiting = ({ path, token }: Club) =>
  Effect.map(send("GET", `${path}/billing/subscriptions`, { token }), ({ json }) => listAt(json, "data"))

const confirm = ({ path, token }: Club, id: unknown) =>
  send("POST", `${path}/billing/subscriptions/${String(id)}/confirm`, { token })

/** A stranger pays for a subscription and claims that it belongs to this club. */
const squat = Effect.fnUntraced(function*(organization_id: string, price = "price_starter") {
  const { state } = yield* FakeStripe
  const subscription = state.subscribe([price], { organization_id })
  state.checkout(subscription, organization_id)
  yield* tellAll
  return subscription
})

layer(stripeLayer)("A plan at Stripe", (it) => {
  it.effect("is bought by a checkout that the club's administration begins", () =>
    Effect.gen(function*() {
      const { asked, state } = yield* FakeStripe
      yield* pass(60)
      const club = yield* foundClub()
      const url = yield* beginCheckout(club, "growth")
      const { form } = asked.at(-1) ?? assert.fail()
      assert.strictEqual(form["line_items[0][price]"], "price_growth")
      assert.strictEqual(form["success_url"], "https://dashboard.turma.example/")
      assert.isFalse(yield* managed(club))
      const subscription = state.buy(url)
      state.checkout(subscription, club.organization_id)
      yield* tellAll
      assert.strictEqual(yield* planOf(club), "growth")
      assert.deepStrictEqual(yield* invoicesOf(club), [["paid", 9900]])
      assert.deepStrictEqual(yield* waiting(club), [])
    }))

  it.effect("is offered with its price", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      const { json } = yield* send("GET", `${path}/billing/plans`, { token })
      assert.deepStrictEqual(listAt(json, "data")[0], {
        key: "starter",
        name: "Starter",
        monthly_price_cents: 2900,
        currency: "USD"
      })
    }))

  it.effect("is not bought by a club that has one, nor where the catalog has none of this name", () =>
    Effect.gen(function*() {
      const club = yield* subscribedClub()
      assert.deepStrictEqual(outcome(yield* checkout(club, "growth")), [409, "plan_already_contracted"])
      assert.deepStrictEqual(outcome(yield* checkout(yield* foundClub(), "gold")), [404, "plan_not_found"])
    }))

  it.effect("cannot be bought while Stripe is not reached, and nothing is left of the try", () =>
    Effect.gen(function*() {
      const server = yield* FakeStripe
      const club = yield* foundClub()
      server.fail("POST", "/v1/checkout/sessions", "broken")
      assert.deepStrictEqual(outcome(yield* checkout(club, "starter")), [501, "billing_portal_unavailable"])
      assert.strictEqual((yield* checkout(club, "starter")).status, 200)
    }))
})

layer(stripeLayer)("A subscription that somebody else has bought for a club", (it) => {
  it.effect("gives it no plan, and takes no place of one that it buys", () =>
    Effect.gen(function*() {
      yield* pass(60)
      const club = yield* foundClub()
      const squatter = yield* squat(club.organization_id)
      assert.isFalse(yield* managed(club))
      const own = yield* buy(club, ["price_growth"])
      yield* tellAll
      assert.strictEqual(yield* planOf(club), "growth")
      const { state } = yield* FakeStripe
      state.end(squatter)
      yield* tellAll
      assert.strictEqual(yield* planOf(club), "growth")
      state.end(own)
      yield* tellAll
      assert.isFalse(yield* managed(club))
    }))

  it.effect("is the club's plan once an administrator of the club confirms it, with its invoices", () =>
    Effect.gen(function*() {
      yield* pass(60)
      const club = yield* foundClub()
      const other = yield* foundClub()
      const subscription = yield* squat(club.organization_id)
      const [claim] = yield* waiting(club)
      assert.deepInclude(claim, {
        external_id: subscription.id,
        plan: { key: "starter", name: "Starter" }
      })
      const id = at(claim, "id")
      assert.deepStrictEqual(yield* waiting(other), [])
      assert.deepStrictEqual(outcome(yield* confirm(other, id)), [404, "not_found"])
      const confirmed = yield* confirm(club, id)
      assert.strictEqual(at(confirmed.json, "data", "plan", "key"), "starter")
      assert.deepStrictEqual(yield* invoicesOf(club), [["paid", 2900]])
      assert.deepStrictEqual(yield* waiting(club), [])
      assert.deepStrictEqual(outcome(yield* confirm(club, id)), [404, "not_found"])
    }))

  it.effect("is confirmed once, and none beside it", () =>
    Effect.gen(function*() {
      yield* pass(60)
      const club = yield* foundClub()
      yield* squat(club.organization_id)
      yield* squat(club.organization_id, "price_growth")
      const ids = (yield* waiting(club)).map((claim) => at(claim, "id"))
      assert.lengthOf(ids, 2)
      const answers = yield* Effect.all(ids.map((id) => confirm(club, id)), { concurrency: "unbounded" })
      assert.sameDeepMembers(answers.map(outcome), [[200, undefined], [409, "plan_already_contracted"]])
      assert.lengthOf(yield* invoicesOf(club), 1)
    }))

  it.effect("is forgotten when it ends", () =>
    Effect.gen(function*() {
      const { state } = yield* FakeStripe
      yield* pass(60)
      const club = yield* foundClub()
      const subscription = yield* squat(club.organization_id)
      const [claim] = yield* waiting(club)
      state.end(subscription)
      assert.deepStrictEqual(outcome(yield* confirm(club, at(claim, "id"))), [409, "subscription_ended"])
      yield* tellAll
      assert.deepStrictEqual(yield* waiting(club), [])
    }))

  it.effect("waits while Stripe is not reached", () =>
    Effect.gen(function*() {
      const server = yield* FakeStripe
      yield* pass(60)
      const club = yield* foundClub()
      yield* squat(club.organization_id)
      const [claim] = yield* waiting(club)
      server.fail("GET", "/v1/subscriptions/", "broken")
      assert.deepStrictEqual(outcome(yield* confirm(club, at(claim, "id"))), [503, "temporarily_unavailable"])
      assert.strictEqual((yield* confirm(club, at(claim, "id"))).status, 200)
    }))

  it.effect("is nobody's with a checkout of another club, or one that nobody began", () =>
    Effect.gen(function*() {
      const { state } = yield* FakeStripe
      yield* pass(60)
      const [club, other] = [yield* foundClub(), yield* foundClub()]
      const metadata = state.checkouts.get(yield* beginCheckout(other))?.metadata ?? assert.fail()
      const { organization_id } = club
      state.subscribe(["price_starter"], { ...metadata, organization_id })
      state.subscribe(["price_starter"], { organization_id, checkout_id: crypto.randomUUID() })
      state.subscribe(["price_starter"], { organization_id, checkout_id: "' or 1=1" })
      yield* tellAll
      assert.deepStrictEqual([yield* managed(club), yield* managed(other)], [false, false])
      assert.lengthOf(yield* waiting(club), 3)
    }))

  it.effect("has one event, however often and in whatever order", () =>
    Effect.gen(function*() {
      const { state } = yield* FakeStripe
      yield* pass(60)
      const club = yield* foundClub()
      state.checkout(state.subscribe(["price_starter"]), club.organization_id)
      const events = state.events.splice(0).toReversed()
      yield* Effect.forEach([...events, ...events], tell)
      yield* settle
      yield* settleAfter(60)
      assert.lengthOf(yield* waiting(club), 1)
    }))
})

layer(stripeLayer)("A checkout that is long over", (it) => {
  it.effect("is deleted after 40 days", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { sweep } = yield* StripeEvents
      yield* pass(60)
      yield* beginCheckout(yield* foundClub())
      const left = Effect.map(sql`select 1 from billing_checkouts`, (rows) => rows.length)
      yield* pass(39 * 86_400)
      yield* sweep
      assert.strictEqual(yield* left, 1)
      yield* pass(2 * 86_400)
      yield* sweep
      assert.strictEqual(yield* left, 0)
    }))
})

layer(AppLayer)("Where Stripe is not the provider", (it) => {
  it.effect("no plan is bought or confirmed", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { path, token } = club
      assert.deepStrictEqual(outcome(yield* checkout(club, "starter")), [501, "billing_portal_unavailable"])
      assert.deepStrictEqual(yield* waiting(club), [])
      assert.deepStrictEqual(listAt((yield* send("GET", `${path}/billing/plans`, { token })).json, "data"), [])
      assert.deepStrictEqual(outcome(yield* confirm(club, crypto.randomUUID())), [404, "not_found"])
    }))
})
