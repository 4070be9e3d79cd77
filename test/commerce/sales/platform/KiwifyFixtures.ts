import type { Schema } from "effect"
import { changed, document, type Fixture, hidden, notice, unreadable } from "./Fixture.ts"

const order = (webhook_event_type: string): Schema.JsonObject => ({
  order_id: "aac95806-1",
  order_ref: "cbQHbMQ",
  order_status: "paid",
  product_type: "membership",
  payment_method: "credit_card",
  installments: 1,
  card_last4digits: "1111",
  created_at: "2026-11-20 11:53",
  updated_at: "2026-11-20 11:53",
  approved_date: "2026-11-20 11:53",
  refunded_at: null,
  webhook_event_type,
  Product: { product_id: "prod-1", product_name: "Curso" },
  Customer: { full_name: "Maria Souza", first_name: "Maria", email: "maria@example.com", CPF: document },
  Commissions: { charge_amount: 1840, product_base_price: 1840, currency: "BRL", my_commission: 1638 },
  TrackingParameters: { src: null, utm_source: null },
  subscription_id: ""
})

const completed = [
  { order_id: "aac95806-1", amount: 1840, status: "paid", created_at: "2026-11-20T14:53:19.679Z" },
  { order_id: "first", amount: 1840, status: "paid", created_at: "2026-10-20T14:53:19.679Z" }
]

const recurring = (event: string, charges: ReadonlyArray<Schema.Json> = completed): Schema.JsonObject => ({
  ...order(event),
  subscription_id: "9584c28e-1",
  Subscription: {
    start_date: "2026-10-20T14:53:19.679Z",
    next_payment: "2026-12-20T14:53:23.137Z",
    status: "active",
    customer_access: { has_access: true, active_period: true, access_until: "2026-12-21T14:53:23.137Z" },
    plan: { id: "plan-1", name: "Mensal", frequency: "monthly", qty_charges: 0 },
    charges: { completed: charges, future: [{ charge_date: "2026-12-20T14:53:23.137Z" }] }
  }
})

const sale = {
  buyer: { name: "Maria Souza", email: "maria@example.com", document: hidden },
  products: [{ external_id: "prod-1", name: "Curso", offer_external_id: null }],
  subscription: null
}
const charge = {
  external_id: "aac95806-1",
  amount_cents: 1840,
  currency: "BRL",
  payment_method: "credit_card",
  recurrence: null,
  lateness_key: null,
  period_end: null
}
const subscription = { external_id: "9584c28e-1", plan_name: "Mensal" }
const until = "2026-12-21T14:53:23.137Z"
const secondCharge = { ...charge, recurrence: 2, lateness_key: "charge:2", period_end: until }

const saying = (event: string, period: string, ...facts: ReadonlyArray<Schema.JsonObject>) =>
  notice(event, `aac95806-1:${event}${period}`, "maria@example.com", ...facts)
const single = (event: string, ...facts: ReadonlyArray<Schema.JsonObject>): Fixture => ({
  of: event,
  body: order(event),
  says: saying(event, "", ...facts)
})
const late = (lateness_key: string) =>
  saying("subscription_late", `:${lateness_key}`, { ...sale, subscription, kind: "past_due", at: null, lateness_key })

/** Kiwify's bodies. */
export const kiwify: ReadonlyArray<Fixture> = [
  single("order_approved", { ...sale, kind: "approved", at: null, purchase: charge }),
  single("order_refunded", { ...sale, kind: "refunded", at: null, purchase: charge }),
  single("chargeback", { ...sale, kind: "chargeback", at: null, purchase: charge }),
  single("order_rejected"),
  single("billet_created"),
  single("pix_created"),
  single("order_approved_later"),
  {
    of: "a body that comes wrapped",
    body: { url: "https://example.com", order: order("order_approved") },
    says: saying("order_approved", "", { ...sale, kind: "approved", at: null, purchase: charge })
  },
  {
    of: "a cart that was left",
    body: { checkout_link: "LuSveVz", name: "Ana", email: "Ana@example.com", product_id: "prod-1" },
    says: notice("unknown", null, "ana@example.com")
  },
  {
    of: "a company, with its cnpj",
    body: changed(changed(order("order_approved"), "Customer.CPF", undefined), "Customer.cnpj", document),
    says: saying("order_approved", "", { ...sale, kind: "approved", at: null, purchase: charge })
  },
  {
    of: "a first charge, at the subscription's start",
    body: recurring("order_approved", [{ order_id: "aac95806-1", created_at: "2026-10-20T14:53:19.679Z" }]),
    says: saying("order_approved", "", {
      ...sale,
      subscription,
      kind: "approved",
      at: "2026-10-20T14:53:19.679Z",
      purchase: { ...secondCharge, recurrence: 1, lateness_key: "charge:1" }
    })
  },
  {
    of: "a renewal, the second of the charges that are paid",
    body: recurring("subscription_renewed"),
    says: saying("subscription_renewed", "", {
      ...sale,
      subscription,
      kind: "approved",
      at: null,
      purchase: secondCharge
    })
  },
  {
    of: "a renewal among unknown charges, under the subscription's other id",
    body: changed(
      changed(recurring("subscription_renewed", []), "subscription_id", undefined),
      "Subscription.id",
      "9584c28e-1"
    ),
    says: saying("subscription_renewed", "", {
      ...sale,
      subscription,
      kind: "approved",
      at: null,
      purchase: { ...secondCharge, recurrence: null, lateness_key: null }
    })
  },
  {
    of: "a late charge, under the number that its payment will have",
    body: recurring("subscription_late", completed.slice(1)),
    says: late("charge:2")
  },
  {
    of: "a late charge that is told again, with the next attempt on another day",
    body: changed(
      recurring("subscription_late", completed.slice(1)),
      "Subscription.next_payment",
      "2026-12-23T14:53:23.137Z"
    ),
    says: late("charge:2")
  },
  {
    of: "the next charge that is late",
    body: recurring("subscription_late"),
    says: late("charge:3")
  },
  {
    of: "a late charge without the list of charges, under the day it is due",
    body: recurring("subscription_late", []),
    says: late("due:2026-12-20")
  },
  {
    of: "a cancellation, with access until the paid period ends",
    body: recurring("subscription_canceled"),
    says: saying("subscription_canceled", "", { ...sale, subscription, kind: "canceled", at: null, period_end: until })
  },
  {
    of: "a lateness without a subscription",
    body: order("subscription_late"),
    says: unreadable("subscription_late", "maria@example.com", "subscription_id is required")
  },
  {
    of: "an approval without an order",
    body: changed(order("order_approved"), "order_id", undefined),
    says: unreadable("order_approved", "maria@example.com", "order_id is required")
  }
]
