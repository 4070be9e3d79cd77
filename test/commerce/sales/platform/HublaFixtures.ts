import type { Schema } from "effect"
import { changed, document, type Fixture, hidden, notice, unreadable } from "./Fixture.ts"

const headers = { "x-hubla-idempotency": "8d6f-1", "x-hubla-sandbox": "false" }

const body = (type: string): Schema.JsonObject => ({
  type,
  version: "2.0.0",
  event: {
    product: { id: "inAVzwe", name: "Integrações" },
    products: [
      {
        id: "inAVzwe",
        name: "Integrações",
        offers: [{ id: "offer-1", name: "Principal", cohorts: [{ id: "3a96c85e" }] }]
      },
      { id: "bonus", name: "Bônus", offers: [] }
    ],
    user: {
      id: "J0km",
      firstName: "Maria",
      lastName: "Souza",
      document,
      email: "maria@example.com",
      phone: "+5511999999999"
    }
  }
})

const invoice = (type: string): Schema.JsonObject =>
  changed(body(type), "event.invoice", {
    id: "7614b1bb-1",
    subscriptionId: "d7ab5027-1",
    payerId: "pay-1",
    payer: { firstName: "Pedro", lastName: "Souza", document, email: "pedro@example.com" },
    installments: 12,
    paymentMethod: "credit_card",
    currency: "BRL",
    type: "sell",
    status: "paid",
    statusAt: [],
    amount: { subtotalCents: 120000, discountCents: 24000, totalCents: 112320 },
    saleDate: "2026-11-20T10:00:00.000Z",
    dueDate: "2026-11-20T10:00:00.000Z",
    modifiedAt: "2026-11-21T09:00:00.000Z",
    version: 4
  })

const subscriptionBody = (type: string): Schema.JsonObject =>
  changed(body(type), "event.subscription", {
    id: "d7ab5027-1",
    type: "recurring",
    status: "inactive",
    billingCycleMonths: 1,
    autoRenew: false,
    activatedAt: "2026-10-20T10:00:00.000Z",
    modifiedAt: "2026-11-21T09:00:00.000Z"
  })

const sale = {
  buyer: { name: "Maria Souza", email: "maria@example.com", document: hidden },
  products: [
    { external_id: "inAVzwe", name: "Integrações", offer_external_id: "offer-1" },
    { external_id: "bonus", name: "Bônus", offer_external_id: null }
  ],
  subscription: { external_id: "d7ab5027-1", plan_name: null }
}
const purchase = {
  external_id: "7614b1bb-1",
  amount_cents: 112320,
  currency: "BRL",
  payment_method: "credit_card",
  recurrence: null,
  lateness_key: "7614b1bb-1",
  period_end: null
}
const [paid, told] = ["2026-11-20T10:00:00.000Z", "2026-11-21T09:00:00.000Z"]

const saying = (type: string, ...facts: ReadonlyArray<Schema.JsonObject>) =>
  notice(type, "8d6f-1", "maria@example.com", ...facts)
const plain = (type: string, sent: Schema.JsonObject, ...facts: ReadonlyArray<Schema.JsonObject>): Fixture => ({
  of: type,
  body: sent,
  headers,
  says: saying(type, ...facts)
})
const ignored = (type: string) => plain(type, invoice(type))

/** Hubla's bodies. */
export const hubla: ReadonlyArray<Fixture> = [
  plain("invoice.payment_succeeded", invoice("invoice.payment_succeeded"), {
    ...sale,
    kind: "approved",
    at: paid,
    purchase
  }),
  {
    of: "a payment of a subscription whose cycle is known",
    body: changed(invoice("invoice.payment_succeeded"), "event.subscription", {
      id: "d7ab5027-1",
      type: "recurring",
      billingCycleMonths: 3
    }),
    headers,
    says: saying("invoice.payment_succeeded", {
      ...sale,
      kind: "approved",
      at: paid,
      purchase: { ...purchase, period_end: "2027-02-20T10:00:00.000Z" }
    })
  },
  plain("invoice.refunded", invoice("invoice.refunded"), { ...sale, kind: "refunded", at: told, purchase }),
  plain("invoice.payment_failed", invoice("invoice.payment_failed"), {
    ...sale,
    kind: "past_due",
    at: told,
    lateness_key: "7614b1bb-1"
  }),
  plain("subscription.deactivated", subscriptionBody("subscription.deactivated"), {
    ...sale,
    kind: "canceled",
    at: told,
    period_end: null
  }),
  {
    of: "a subscription that becomes inactive later",
    body: changed(
      subscriptionBody("subscription.deactivated"),
      "event.subscription.inactivatedAt",
      "2026-12-20T10:00:00.000Z"
    ),
    headers,
    says: saying("subscription.deactivated", {
      ...sale,
      kind: "canceled",
      at: told,
      period_end: "2026-12-20T10:00:00.000Z"
    })
  },
  {
    of: "a subscription that became inactive before it was told",
    body: changed(
      subscriptionBody("subscription.deactivated"),
      "event.subscription.inactivatedAt",
      "2026-11-20T08:00:00.000Z"
    ),
    headers,
    says: saying("subscription.deactivated", {
      ...sale,
      kind: "canceled",
      at: "2026-11-20T08:00:00.000Z",
      period_end: null
    })
  },
  plain("customer.member_added", subscriptionBody("customer.member_added")),
  plain("customer.member_removed", subscriptionBody("customer.member_removed")),
  plain("subscription.activated", subscriptionBody("subscription.activated")),
  ignored("invoice.created"),
  ignored("invoice.status_updated"),
  ignored("invoice.expired"),
  {
    of: "a payer without a user",
    body: changed(invoice("invoice.payment_succeeded"), "event.user", {}),
    headers,
    says: notice("invoice.payment_succeeded", "8d6f-1", "pedro@example.com", {
      ...sale,
      buyer: { name: "Pedro Souza", email: "pedro@example.com", document: hidden },
      kind: "approved",
      at: paid,
      purchase
    })
  },
  {
    of: "one product alone, without a subscription",
    body: changed(
      changed(invoice("invoice.payment_succeeded"), "event.products", undefined),
      "event.invoice.subscriptionId",
      null
    ),
    headers,
    says: saying("invoice.payment_succeeded", {
      ...sale,
      products: [{ external_id: "inAVzwe", name: "Integrações", offer_external_id: null }],
      subscription: null,
      kind: "approved",
      at: paid,
      purchase: { ...purchase, lateness_key: null }
    })
  },
  {
    of: "a payment of no invoice",
    body: body("invoice.payment_succeeded"),
    headers,
    says: unreadable("invoice.payment_succeeded", "maria@example.com", "event.invoice is required")
  }
]
