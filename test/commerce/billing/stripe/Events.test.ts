import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { StripeEvents } from "../../../../src/commerce/billing/stripe/StripeEvents.ts"
import { texts } from "../../../../src/platform/sql/Arrays.ts"
import { AppLayer, at, foundClub, outcome, send } from "../../../harness/App.ts"
import { bodyOf } from "../../../harness/stripe/Handlers.ts"
import { signed } from "../../../harness/StripeServer.ts"
import { hasTrials } from "../../../harness/Trials.ts"
import {
  addonsOf,
  billingOf,
  buy,
  contract,
  FakeStripe,
  invoicesOf,
  pass,
  settle,
  settleAfter,
  stripeLayer,
  subscribedClub,
  tell,
  tellAll,
  webhookSecret
} from "./World.ts"

// Takes long: a thousand events come at once.

const hook = "/internal/billing/stripe"

layer(stripeLayer)("What Stripe tells", (it) => {
  it.effect("is refused unless Stripe has signed it lately", () =>
    Effect.gen(function*() {
      const { state } = yield* FakeStripe
      yield* pass(60)
      const body = JSON.stringify(bodyOf(state.happens("invoice.paid", "in_1")))
      state.events.splice(0)
      const sent = (signature: string, bytes = body) =>
        Effect.map(send("POST", hook, { body: bytes, headers: { "stripe-signature": signature } }), outcome)
      const refused = [401, "invalid_signature"]
      assert.deepStrictEqual(yield* sent(""), refused)
      assert.deepStrictEqual(yield* sent("t=1,v1=ab"), refused)
      assert.deepStrictEqual(yield* sent(signed(body, "whsec_other", state.now)), refused)
      assert.deepStrictEqual(yield* sent(signed(body, webhookSecret, state.now - 301)), refused)
      assert.deepStrictEqual(yield* sent(signed(body, webhookSecret, state.now), body.replace("in_1", "in_2")), refused)
      assert.deepStrictEqual(yield* sent("x", "y".repeat(257 * 1024)), [413, "payload_too_large"])
      assert.deepStrictEqual(yield* sent(signed("{}", webhookSecret, state.now), "{}"), [200, undefined])
      const sql = yield* SqlClient.SqlClient
      assert.isEmpty(yield* sql`select 1 from billing_events where object_id in ('in_1', 'in_2')`)
    }))

  it.effect("may be told again, and in any order", () =>
    Effect.gen(function*() {
      const { state } = yield* FakeStripe
      yield* pass(60)
      const club = yield* foundClub()
      state.checkout(yield* buy(club), club.organization_id)
      const events = state.events.splice(0).toReversed()
      yield* Effect.forEach([...events.slice(1), ...events, ...events], tell)
      yield* settle
      yield* settleAfter(60)
      assert.deepStrictEqual(yield* invoicesOf(club), [["paid", 2900]])
      assert.deepStrictEqual(at(yield* billingOf(club), "plan", "key"), "starter")
    }))

  it.effect("gives nobody's subscription to a club that has one, and none to a club that is not there", () =>
    Effect.gen(function*() {
      const { state } = yield* FakeStripe
      const club = yield* subscribedClub("price_growth")
      state.subscribe(["price_starter"], { organization_id: club.organization_id })
      state.checkout(state.subscribe(["price_starter"]), club.organization_id)
      state.subscribe(["price_starter"], { organization_id: crypto.randomUUID() })
      state.subscribe(["price_starter"], { organization_id: "'; drop table clubs" })
      state.checkout(state.subscribe(["price_starter"]), "x".repeat(10_000))
      yield* tellAll
      assert.deepStrictEqual(at(yield* billingOf(club), "plan", "key"), "growth")
      assert.deepStrictEqual(yield* invoicesOf(club), [["paid", 9900]])
    }))

  it.effect("is asked for after an outage of a day", () =>
    Effect.gen(function*() {
      const stripeEvents = yield* StripeEvents
      const { state } = yield* FakeStripe
      const club = yield* subscribedClub()
      yield* stripeEvents.reconcile
      yield* settle
      yield* pass(86_400)
      const other = yield* foundClub()
      state.checkout(yield* buy(other), other.organization_id)
      state.end(club.subscription)
      yield* pass(86_400)
      // The newest event comes first. It must not hide the older ones.
      const late = yield* foundClub()
      const events = state.events.length
      state.checkout(yield* buy(late, ["price_growth"]), late.organization_id)
      yield* Effect.forEach(state.events.slice(events), tell)
      yield* stripeEvents.reconcile
      yield* settle
      yield* stripeEvents.reconcile
      yield* settle
      state.events.splice(0)
      assert.isFalse(at(yield* billingOf(club), "managed"))
      assert.deepStrictEqual(at(yield* billingOf(other), "plan", "key"), "starter")
      assert.deepStrictEqual(yield* invoicesOf(other), [["paid", 2900]])
      assert.deepStrictEqual(at(yield* billingOf(late), "plan", "key"), "growth")
    }))

  it.effect("is asked for page by page, from where it was known to the end", () =>
    Effect.gen(function*() {
      const stripeEvents = yield* StripeEvents
      const server = yield* FakeStripe
      const { state } = server
      yield* pass(40 * 86_400)
      state.happens("invoice.paid", "in_before")
      yield* stripeEvents.reconcile
      const sql = yield* SqlClient.SqlClient
      const known = () =>
        Effect.map(sql`select 1 from billing_events where object_id = 'in_of_many'`, (rows) => rows.length)
      for (let number = 0; number < 450; number++) {
        yield* number % 100 === 0 ? pass(3 * 3600) : Effect.void
        state.happens("invoice.paid", "in_of_many")
      }
      // Fails the third call for a page of events.
      server.fail("GET", "/v1/events", "busy", 1, 2)
      yield* Effect.flip(stripeEvents.reconcile)
      assert.strictEqual(yield* known(), 200)
      server.heal()
      yield* stripeEvents.reconcile
      assert.strictEqual(yield* known(), 450)
      yield* stripeEvents.reconcile
      yield* settle
      state.events.splice(0)
    }))

  it.effect.skipIf(!hasTrials)(
    "is dealt with a thousand at once, each once, by any number of processes",
    () =>
      Effect.gen(function*() {
        const stripeEvents = yield* StripeEvents
        const { state } = yield* FakeStripe
        const clubs = yield* Effect.replicateEffect(subscribedClub(), 10)
        const events = Array.from(
          { length: 1000 },
          (_, number) => state.happens("customer.subscription.updated", clubs[number % 10]?.subscription.id ?? "")
        )
        state.events.splice(0)
        const answers = yield* Effect.forEach([...events, ...events], tell, { concurrency: 50 })
        assert.deepStrictEqual(
          new Set(answers.map(({ status }) => status)),
          new Set([200])
        )
        const deal = Effect.repeat(stripeEvents.tick, { while: (claimed) => claimed > 0 })
        yield* Effect.all([deal, deal, deal], { concurrency: "unbounded" })
        const sql = yield* SqlClient.SqlClient
        const left = yield* sql`select status, attempts from billing_events where id = any(${
          texts(events.map(({ id }) => id))
        })`
        assert.lengthOf(left, 1000)
        assert.deepStrictEqual(left.filter((row) => row["status"] !== "done" || row["attempts"] !== 1), [])
        for (const club of clubs) assert.deepStrictEqual(yield* invoicesOf(club), [["paid", 2900]])
      })
  )

  it.effect("counts as it is now, however late an earlier answer of Stripe's comes", () =>
    Effect.gen(function*() {
      const server = yield* FakeStripe
      const stripeEvents = yield* StripeEvents
      const { state } = server
      const club = yield* subscribedClub()
      server.fail("GET", `/v1/subscriptions/${club.subscription.id}`, "held")
      yield* tell(state.happens("customer.subscription.updated", club.subscription.id))
      const early = yield* Effect.forkChild(stripeEvents.tick)
      yield* server.untilHeld
      state.end(club.subscription)
      yield* Effect.forEach(state.events.splice(0), tell)
      yield* stripeEvents.tick
      assert.isFalse(at(yield* billingOf(club), "managed"))
      server.held.splice(0).forEach((release) => release())
      yield* Fiber.join(early)
      assert.isFalse(at(yield* billingOf(club), "managed"))
    }))

  it.effect("is logged without secrets when it cannot be dealt with", () =>
    Effect.gen(function*() {
      const server = yield* FakeStripe
      const club = yield* subscribedClub()
      const lines: Array<string> = []
      const kept = Logger.layer([Logger.make((line) => void lines.push(Logger.formatJson.log(line)))])
      server.fail("GET", "/v1/subscriptions", "forbidden")
      yield* tell(server.state.happens("customer.subscription.updated", club.subscription.id))
      yield* Effect.provide(settle, kept)
      yield* pass(60)
      yield* Effect.provide(settle, kept)
      assert.isNotEmpty(lines)
      assert.notMatch(lines.join("\n"), /sk_test|whsec/)
    }))

  it.effect("ends the plan, and another subscription begins one", () =>
    Effect.gen(function*() {
      const { state } = yield* FakeStripe
      const club = yield* subscribedClub()
      yield* contract(club)
      yield* tellAll
      state.end(club.subscription)
      yield* tellAll
      assert.deepStrictEqual([at(yield* billingOf(club), "managed"), yield* addonsOf(club)], [false, []])
      assert.deepStrictEqual(outcome(yield* contract(club)), [409, "addon_unavailable"])
      yield* buy(club, ["price_growth"])
      yield* tellAll
      assert.deepStrictEqual(at(yield* billingOf(club), "plan", "key"), "growth")
      assert.deepStrictEqual(yield* addonsOf(club), [])
    }))
})

layer(stripeLayer)("A Stripe that is not reached", (it) => {
  it.effect("makes the next invoice unknown, not wrong, and the portal unavailable", () =>
    Effect.gen(function*() {
      const server = yield* FakeStripe
      const club = yield* subscribedClub()
      const { path, token } = club
      server.fail("POST", "/v1/invoices/create_preview", "busy")
      const upcoming = () => send("GET", `${path}/billing/invoices/upcoming`, { token })
      assert.deepStrictEqual(outcome(yield* upcoming()), [503, "temporarily_unavailable"])
      assert.strictEqual((yield* upcoming()).status, 200)
      server.fail("POST", "/v1/subscription_items", "busy", 2)
      yield* contract(club)
      assert.deepStrictEqual(outcome(yield* upcoming()), [503, "temporarily_unavailable"])
      const portal = () => send("POST", `${path}/billing/portal`, { token })
      server.fail("POST", "/v1/billing_portal/sessions", "broken")
      assert.deepStrictEqual(outcome(yield* portal()), [501, "billing_portal_unavailable"])
      const url = String(at((yield* portal()).json, "data", "url"))
      assert.include(url, club.subscription.customer)
      assert.include(url, "https://dashboard.turma.example/")
    }))
})

layer(AppLayer)("Where Stripe is not the provider", (it) => {
  it.effect("there is no such address", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(outcome(yield* send("POST", hook, { body: "{}" })), [404, "not_found"])
    }))
})
