import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Stripe } from "stripe"
import { InboundWebhooks } from "../../../src/commerce/sales/inbound/InboundWebhooks.ts"
import { Mappings } from "../../../src/commerce/sales/mapping/Mappings.ts"
import type { PlatformKey } from "../../../src/commerce/sales/platform/Platform.ts"
import { InboundQueue } from "../../../src/commerce/sales/queue/InboundQueue.ts"
import { AppLayer, at, foundClub, send, tokenOf } from "../../harness/App.ts"
import { makeCatalogDelivery } from "../../harness/Makers.ts"
import { drain, hottok, pathOf, sale } from "./inbound/Hooks.ts"
import { eventsOf, momentsOf, stateOf } from "./purchase/SalesLayer.ts"

// The whole path from the post of a platform through the hook and the queue to purchases, access and events.

const SalesLayer = Layer.provideMerge(InboundQueue.layer({ concurrency: 4 }), AppLayer)

const start = new Date("2026-03-02T12:00:00.000Z")

/** A club that sells `product` on the platform. */
const openShop = Effect.fn("openShop")(function*(platform: PlatformKey, product: string, secret: string) {
  yield* TestClock.setTime(start.getTime())
  const club = yield* foundClub()
  const delivery = yield* makeCatalogDelivery(club)
  const hooks = yield* InboundWebhooks
  const mappings = yield* Mappings
  yield* mappings.create(club.id, {
    platform,
    external_product_id: product,
    external_offer_id: null,
    delivery_id: delivery.id,
    cohort_id: null,
    access_days: null
  })
  const hook = yield* hooks.create(club.id, { platform, token_only: false, secret: Redacted.make(secret) })
  return { ...club, path: pathOf(Redacted.value(hook.url)) }
})

type Post = (body: Schema.Json) => ReturnType<typeof send>

/** The state of a club after these posts, one after another, with the queue emptied after each. */
const endOf = Effect.fnUntraced(function*(
  club: Effect.Success<ReturnType<typeof openShop>>,
  post: Post,
  bodies: ReadonlyArray<Schema.Json>
) {
  for (const body of bodies) {
    const answer = yield* post(body)
    assert.strictEqual(answer.status, 200, answer.text)
    yield* TestClock.adjust("1 millis")
    yield* drain
  }
  const state = yield* stateOf(club)
  return {
    ...state,
    enrollments: state.enrollments.map(Struct.omit(["delivery_id"])),
    events: yield* eventsOf(club)
  }
})

const hotmart = Effect.map(openShop("hotmart", "4711", hottok), (club) => {
  const post: Post = (body) => send("POST", club.path, { body, headers: { "x-hotmart-hottok": hottok } })
  return { club, post }
})

const told = (event: string, hour: number): Schema.Json => ({
  ...sale({ event, transaction: "HP1", subscriber: "I9OT62C3" }),
  creation_date: start.getTime() - (24 - hour) * 3_600_000
})

/** Events in their natural order. */
const ofHotmart: Record<string, Schema.Json> = {
  PURCHASE_DELAYED: told("PURCHASE_DELAYED", 1),
  PURCHASE_APPROVED: told("PURCHASE_APPROVED", 2),
  PURCHASE_COMPLETE: told("PURCHASE_COMPLETE", 3),
  PURCHASE_CHARGEBACK: told("PURCHASE_CHARGEBACK", 4),
  PURCHASE_REFUNDED: told("PURCHASE_REFUNDED", 5)
}

const secret = "whsec_of_the_endpoint"
const stripe = new Stripe("sk_test_nobody")

const ofStripe = Effect.map(openShop("stripe", "prod_1", secret), (club) => {
  const post: Post = (body) => {
    const payload = JSON.stringify(body)
    const timestamp = Math.floor(start.getTime() / 1000)
    const signature = stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
    return send("POST", club.path, { body: payload, headers: { "stripe-signature": signature } })
  }
  return { club, post }
})

const seconds = Math.floor(start.getTime() / 1000) - 3600
const stripeEvent = (type: string, object: Schema.JsonObject): Schema.Json => ({
  id: `evt_${type}`,
  object: "event",
  created: seconds,
  type,
  data: { object }
})

/** A paid invoice, its payment, and a refund that names only the payment. */
const invoiced = [
  stripeEvent("invoice.paid", {
    id: "in_1",
    customer_email: "bia@buyer.example",
    customer_name: "Bia Lima",
    amount_paid: 4990,
    currency: "brl",
    billing_reason: "subscription_create",
    created: seconds,
    parent: { subscription_details: { subscription: "sub_1" } },
    lines: {
      data: [{
        amount: 4990,
        period: { end: seconds + 2_592_000 },
        pricing: { price_details: { product: "prod_1", price: "price_1" } }
      }]
    }
  }),
  stripeEvent("invoice_payment.paid", {
    id: "inpay_1",
    invoice: "in_1",
    payment: { type: "payment_intent", payment_intent: "pi_1" }
  }),
  stripeEvent("charge.refunded", {
    id: "ch_1",
    amount: 4990,
    amount_refunded: 4990,
    refunded: true,
    payment_intent: "pi_1"
  })
]

const ruleToken = "token-of-the-rule"

const ofHubla = Effect.map(openShop("hubla", "inAVzwe", ruleToken), (club) => {
  const post: Post = (body) => {
    const headers = { "x-hubla-token": ruleToken, "x-hubla-idempotency": String(at(body, "type")) }
    return send("POST", club.path, { body, headers })
  }
  return { club, post }
})

const hublaEvent = (type: string, more: Schema.JsonObject): Schema.Json => ({
  type,
  version: "2.0.0",
  event: {
    product: { id: "inAVzwe", name: "Violão do Zero" },
    products: [{ id: "inAVzwe", name: "Violão do Zero", offers: [{ id: "offer-1" }] }],
    user: { firstName: "Bia", lastName: "Lima", email: "bia@buyer.example" },
    ...more
  }
})

const hublaSubscription = { id: "d7ab5027-1", type: "recurring", billingCycleMonths: 1 }

/** A month paid ten days before the start of the test, and the end of the subscription in the middle of the month. */
const endedEarly = [
  hublaEvent("invoice.payment_succeeded", {
    subscription: { ...hublaSubscription, status: "active", modifiedAt: "2026-02-20T10:00:00.000Z" },
    invoice: {
      id: "7614b1bb-1",
      subscriptionId: "d7ab5027-1",
      paymentMethod: "credit_card",
      currency: "BRL",
      amount: { totalCents: 4990 },
      saleDate: "2026-02-20T10:00:00.000Z",
      modifiedAt: "2026-02-20T10:00:00.000Z"
    }
  }),
  hublaEvent("subscription.deactivated", {
    subscription: { ...hublaSubscription, status: "inactive", modifiedAt: "2026-03-02T09:00:00.000Z" }
  })
]

const paidUntil = new Date("2026-03-20T10:00:00.000Z")

const orders = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  items.length === 0
    ? [[]]
    : items.flatMap((item, index) => orders(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))

const count = (events: ReadonlyArray<string>, type: string) => events.filter((event) => event === type).length

layer(SalesLayer)("A sale that a platform tells of", (it) => {
  it.effect("50 times at once is one purchase, one student, one access, and each has one event", () =>
    Effect.gen(function*() {
      const { club, post } = yield* hotmart
      const body = sale({ transaction: "HP1" })
      const answers = yield* Effect.all(Array.from({ length: 50 }, () => post(body)), { concurrency: "unbounded" })
      const said = answers.map(({ json }) => at(json, "data", "status"))
      assert.strictEqual(said.filter((status) => status === "accepted").length, 1)
      assert.strictEqual(said.filter((status) => status === "duplicate").length, 49)
      const { tick } = yield* InboundQueue
      yield* Effect.all([tick, tick, tick, tick], { concurrency: "unbounded" })
      yield* drain
      assert.deepStrictEqual(yield* eventsOf(club), ["access.granted", "purchase.paid", "student.created"])
    }))

  it.effect("in 50 notices of other bytes at once is one purchase all the same", () =>
    Effect.gen(function*() {
      const { club, post } = yield* hotmart
      const bodies = Array.from({ length: 50 }, () => sale({ transaction: "HP1" }))
      yield* Effect.all(bodies.map(post), { concurrency: "unbounded" })
      const { tick } = yield* InboundQueue
      yield* Effect.all([tick, tick, tick, tick], { concurrency: "unbounded" })
      yield* drain
      const sql = yield* SqlClient.SqlClient
      const rows =
        yield* sql`select outcome, count(*)::int from inbound_events where club_id = ${club.id} group by 1 order by 1`
      assert.deepStrictEqual(rows, [{ outcome: "duplicate", count: 49 }, { outcome: "processed", count: 1 }])
      assert.deepStrictEqual(yield* eventsOf(club), ["access.granted", "purchase.paid", "student.created"])
    }))

  it.effect.prop(
    "in any order, and more than once, ends as in the natural order: Hotmart",
    { names: Schema.Array(Schema.Literals(Object.keys(ofHotmart))).check(Schema.isBetweenLength(2, 7)) },
    ({ names }) =>
      Effect.gen(function*() {
        const natural = yield* hotmart
        const shuffled = yield* hotmart
        const inOrder = Object.entries(ofHotmart).filter(([name]) => names.includes(name)).map(([, body]) => body)
        const asTold = names.flatMap((name) => ofHotmart[name] ?? [])
        assert.deepStrictEqual(
          yield* endOf(shuffled.club, shuffled.post, asTold),
          yield* endOf(natural.club, natural.post, inOrder)
        )
      }),
    { arbitrary: { runs: 15 } }
  )

  it.effect(
    "in any order ends as in the natural order: an invoice, its payment and the refund of Stripe",
    () =>
      Effect.gen(function*() {
        const natural = yield* ofStripe
        const expected = yield* endOf(natural.club, natural.post, invoiced)
        assert.strictEqual(count(expected.events, "purchase.refunded"), 1)
        assert.strictEqual(count(expected.events, "access.revoked"), 1)
        for (const order of orders(invoiced)) {
          const { club, post } = yield* ofStripe
          assert.deepStrictEqual(yield* endOf(club, post, order), expected)
        }
      })
  )

  it.effect("as the end of a subscription takes away nothing that was paid before: Hubla, in either order", () =>
    Effect.gen(function*() {
      for (const bodies of orders(endedEarly)) {
        const { club, post } = yield* ofHubla
        const { enrollments, events, subscriptions } = yield* endOf(club, post, bodies)
        assert.deepStrictEqual(enrollments, [{
          source: "subscription",
          expires_at: paidUntil,
          revoked: false,
          revoke_reason: null
        }])
        assert.deepInclude(subscriptions[0], { status: "canceled", current_period_end: paidUntil })
        assert.deepStrictEqual(events, ["access.granted", "purchase.paid", "student.created", "subscription.canceled"])

        const students = yield* send("GET", `${pathsOf(club)}/students`, { token: club.token })
        const student = `${pathsOf(club)}/students/${String(at(students.json, "data", 0, "id"))}`
        // Sessions end earlier than the access, so each check uses a new one.
        const isActive = Effect.flatMap(
          tokenOf(club.owner),
          (token) =>
            Effect.map(send("GET", student, { token }), ({ json }) => at(json, "data", "enrollments", 0, "active"))
        )
        yield* TestClock.setTime(paidUntil.getTime() - 1)
        assert.isTrue(yield* isActive)
        yield* TestClock.setTime(paidUntil.getTime())
        assert.isFalse(yield* isActive)
      }
    }))

  it.effect("that nothing maps for three weeks has an event with the time when it happened", () =>
    Effect.gen(function*() {
      const { club, post } = yield* hotmart
      const body = sale({ product: 4712, transaction: "HP1" })
      yield* endOf(club, post, [body])
      assert.deepStrictEqual(yield* momentsOf(club), [])
      yield* TestClock.setTime(start.getTime() + 21 * 86_400_000)
      const delivery = yield* makeCatalogDelivery(club, { name: "Violão de sete cordas" })
      const mappings = yield* Mappings
      const { id } = yield* mappings.create(club.id, {
        platform: "hotmart",
        external_product_id: "4712",
        external_offer_id: null,
        delivery_id: delivery.id,
        cohort_id: null,
        access_days: null
      })
      yield* mappings.reprocess(club.id, id)
      yield* drain
      const happened = new Date(body.data.purchase.approved_date).toISOString()
      assert.deepStrictEqual(yield* momentsOf(club), [`purchase.paid ${happened}`])
    }))

  it.effect("with a time in the future has an event with the time when it was received", () =>
    Effect.gen(function*() {
      const { club, post } = yield* hotmart
      const { data: { purchase, ...data }, ...body } = sale({ transaction: "HP1" })
      const approved_date = start.getTime() + 3_600_000
      yield* endOf(club, post, [{ ...body, data: { ...data, purchase: { ...purchase, approved_date } } }])
      assert.deepStrictEqual(yield* momentsOf(club), [`purchase.paid ${start.toISOString()}`])
    }))

  it.effect("of a removed student leaves nothing of the person behind", () =>
    Effect.gen(function*() {
      const { club, post } = yield* hotmart
      yield* endOf(club, post, [sale({ transaction: "HP1" })])
      const students = yield* send("GET", `${pathsOf(club)}/students`, { token: club.token })
      const id = String(at(students.json, "data", 0, "id"))
      assert.strictEqual((yield* send("DELETE", `${pathsOf(club)}/students/${id}`, { token: club.token })).status, 204)
      yield* endOf(club, post, [sale({ transaction: "HP1", event: "PURCHASE_REFUNDED" })])
      const sql = yield* SqlClient.SqlClient
      const rows =
        yield* sql`select outcome, raw, person_key from inbound_events where club_id = ${club.id} order by id`
      assert.deepStrictEqual(rows.map(({ person_key, raw }) => [raw, person_key]), [[null, null], [null, null]])
      assert.deepStrictEqual(rows.map(({ outcome }) => outcome), ["processed", "ignored"])
      assert.deepStrictEqual(yield* eventsOf(club), ["student.removed"])
    }))
})

/** The club's routes; `path` is its hook. */
const pathsOf = ({ organization_id }: { readonly organization_id: string }) => `/v1/clubs/${organization_id}`
