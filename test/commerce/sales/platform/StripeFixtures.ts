import type { Schema } from "effect"
import { changed, type Fixture, hidden, notice, unreadable } from "./Fixture.ts"
import {
  charge,
  dispute,
  end,
  invoice,
  oldInvoice,
  paidAt,
  seconds,
  session,
  subscription,
  toldAt
} from "./StripeObjects.ts"

const event = (type: string, object: Schema.JsonObject): Schema.JsonObject => ({
  id: "evt_1",
  object: "event",
  api_version: "2026-10-28",
  created: seconds(toldAt),
  livemode: false,
  type,
  data: { object }
})

const buyer = { name: "Maria Souza", email: "maria@example.com", document: hidden }
const linked = { kind: "linked", alias: "pi_1", external_id: "in_1" }
const bought = {
  kind: "approved",
  at: toldAt,
  buyer,
  products: [{ external_id: "plink_1", name: null, offer_external_id: null }],
  subscription: null,
  purchase: {
    external_id: "pi_1",
    amount_cents: 4990,
    currency: "BRL",
    payment_method: null,
    recurrence: null,
    lateness_key: null,
    period_end: null
  }
}
const recurring = {
  buyer,
  products: [{ external_id: "prod_1", name: null, offer_external_id: "price_1" }],
  subscription: { external_id: "sub_1", plan_name: null }
}
const renewed = {
  ...recurring,
  kind: "approved",
  at: paidAt,
  purchase: { ...bought.purchase, external_id: "in_1", lateness_key: "in_1", period_end: end }
}
const canceled = { ...recurring, buyer: null, kind: "canceled", at: paidAt, period_end: end }
const returned = {
  at: toldAt,
  buyer: { ...buyer, document: null },
  products: [],
  subscription: null,
  purchase: { ...bought.purchase, payment_method: "card" }
}
const disputed = {
  ...returned,
  buyer: null,
  purchase: { ...bought.purchase, amount_cents: null }
}

const maria = "maria@example.com"

const fixture = (
  of: string,
  type: string,
  object: Schema.JsonObject,
  person: string | null,
  ...facts: ReadonlyArray<Schema.JsonObject>
): Fixture => ({ of: `${type}: ${of}`, body: event(type, object), says: notice(type, "evt_1", person, ...facts) })

// JSON omits undefined fields.
const json = (value: unknown): Schema.JsonObject => JSON.parse(JSON.stringify(value))

const completed = "checkout.session.completed"
const updated = "customer.subscription.updated"
const deleted = "customer.subscription.deleted"

/** Stripe's bodies. */
export const stripe: ReadonlyArray<Fixture> = [
  fixture("paid at once", completed, session, maria, bought),
  fixture("a product of the metadata", completed, changed(session, "metadata.product_id", "course-1"), maria, {
    ...bought,
    products: [{ external_id: "course-1", name: null, offer_external_id: null }]
  }),
  fixture("no product", completed, changed(session, "payment_link", null), maria, { ...bought, products: [] }),
  fixture("a slip that is not paid yet", completed, changed(session, "payment_status", "unpaid"), maria),
  fixture("a slip that is paid", "checkout.session.async_payment_succeeded", session, maria, bought),
  fixture("free", completed, { ...session, payment_status: "no_payment_required", payment_intent: null }, maria, {
    ...bought,
    purchase: { ...bought.purchase, external_id: "cs_1" }
  }),
  fixture("of a subscription, which the invoice tells", completed, changed(session, "mode", "subscription"), maria),
  fixture("with an invoice, which names the purchase", completed, changed(session, "invoice", "in_1"), maria, linked, {
    ...bought,
    purchase: { ...bought.purchase, external_id: "in_1" }
  }),
  fixture("a renewal", "invoice.paid", invoice, maria, renewed),
  fixture("a first charge", "invoice.paid", changed(invoice, "billing_reason", "subscription_create"), maria, {
    ...renewed,
    purchase: { ...renewed.purchase, recurrence: 1 }
  }),
  fixture("an older API version", "invoice.paid", json(oldInvoice), maria, linked, {
    ...renewed,
    subscription: { external_id: "sub_1", plan_name: "Mensal" }
  }),
  fixture("no subscription", "invoice.paid", changed(invoice, "parent", null), maria, {
    ...renewed,
    subscription: null,
    purchase: { ...renewed.purchase, lateness_key: null, period_end: null }
  }),
  fixture("late, under the key of its payment", "invoice.payment_failed", invoice, maria, {
    ...recurring,
    kind: "past_due",
    at: toldAt,
    lateness_key: "in_1"
  }),
  fixture("first", "invoice.payment_failed", changed(invoice, "billing_reason", "subscription_create"), maria),
  fixture("no subscription", "invoice.payment_failed", changed(invoice, "parent", null), maria),
  fixture("link", "invoice_payment.paid", { invoice: "in_1", payment: { payment_intent: "pi_1" } }, null, linked),
  fixture("another payment", "invoice_payment.paid", { invoice: "in_1", payment: { charge: "ch_1" } }, null),
  fixture("at the period's end", updated, changed(subscription, "cancel_at_period_end", true), null, canceled),
  fixture("on a day", updated, changed(subscription, "cancel_at", seconds(toldAt)), null, {
    ...canceled,
    period_end: toldAt
  }),
  fixture(
    "an older API version",
    updated,
    {
      ...subscription,
      cancel_at_period_end: true,
      items: {},
      current_period_end: seconds(end)
    },
    null,
    { ...canceled, products: [] }
  ),
  fixture("goes on", updated, subscription, null),
  fixture("at once", deleted, changed(subscription, "ended_at", seconds(toldAt)), null, {
    ...canceled,
    at: toldAt,
    period_end: toldAt
  }),
  fixture("with its period", deleted, changed(subscription, "ended_at", seconds(end)), null, { ...canceled, at: end }),
  fixture("whole", "charge.refunded", charge, maria, { ...returned, kind: "refunded" }),
  fixture("a part", "charge.refunded", changed(charge, "refunded", false), maria),
  fixture("an older API version", "charge.refunded", changed(charge, "invoice", "in_1"), maria, linked, {
    ...returned,
    kind: "refunded"
  }),
  fixture("opened", "charge.dispute.created", dispute, null, { ...disputed, kind: "chargeback" }),
  fixture("lost", "charge.dispute.closed", dispute, null),
  fixture("won", "charge.dispute.closed", changed(dispute, "status", "won"), null, {
    ...disputed,
    kind: "dispute_won"
  }),
  fixture(
    "an inquiry that came to nothing",
    "charge.dispute.closed",
    changed(dispute, "status", "warning_closed"),
    null,
    {
      ...disputed,
      kind: "dispute_won"
    }
  ),
  fixture("unknown", "invoice.paid_out_of_band", invoice, maria),
  fixture("of a customer", "customer.updated", { id: "cus_1", email: "Maria@example.com" }, maria),
  {
    of: "a sale to nobody",
    body: event("invoice.paid", changed(invoice, "customer_email", null)),
    says: unreadable("invoice.paid", null, "data.object.customer_email is required")
  },
  {
    of: "a cancellation on no day",
    body: event(updated, { ...subscription, cancel_at_period_end: true, items: {} }),
    says: unreadable(updated, null, "data.object.items.data[0].current_period_end is required")
  },
  {
    of: "a refund of no payment",
    body: event("charge.refunded", changed(charge, "payment_intent", null)),
    says: unreadable("charge.refunded", maria, "data.object.payment_intent is required")
  }
]
