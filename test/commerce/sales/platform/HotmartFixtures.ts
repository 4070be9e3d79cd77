import type { Schema } from "effect"
import { changed, document, type Fixture, hidden, notice, unreadable } from "./Fixture.ts"

const approvedAt = Date.UTC(2026, 10, 20, 10)
const toldAt = Date.UTC(2026, 10, 21, 9)
const nextCharge = Date.UTC(2026, 11, 20, 10)

const purchase = (event: string): Schema.JsonObject => ({
  id: "545e7d21-0000-4000-8000-000000000001",
  creation_date: toldAt,
  event,
  version: "2.0.0",
  data: {
    product: { id: 4774438, ucode: "fb056612", name: "Curso de violão", has_co_production: false },
    affiliates: [{ affiliate_code: "A1", name: "Afiliada" }],
    buyer: {
      email: "Maria@Example.com",
      name: "Maria Souza",
      first_name: "Maria",
      last_name: "Souza",
      checkout_phone: "99999999900",
      document,
      document_type: "CPF"
    },
    producer: { name: "Escola", document: "00000000000", legal_nature: "Pessoa Física" },
    purchase: {
      approved_date: approvedAt,
      order_date: approvedAt - 1000,
      status: "APPROVED",
      transaction: "HP16015479281022",
      price: { value: 149.9, currency_value: "BRL" },
      full_price: { value: 199.9, currency_value: "BRL" },
      payment: { type: "CREDIT_CARD", installments_number: 12 },
      offer: { code: "promo", coupon_code: "NOV" }
    }
  }
})

const recurring = (event: string): Schema.JsonObject =>
  changed(
    changed(
      changed(purchase(event), "data.purchase.recurrence_number", 2),
      "data.purchase.date_next_charge",
      nextCharge
    ),
    "data.subscription",
    { status: "ACTIVE", plan: { id: 123, name: "Mensal" }, subscriber: { code: "I9OT62C3" } }
  )

const sale = {
  buyer: { name: "Maria Souza", email: "maria@example.com", document: hidden },
  products: [{ external_id: "4774438", name: "Curso de violão", offer_external_id: "promo" }],
  subscription: null
}
const charge = {
  external_id: "HP16015479281022",
  amount_cents: 14990,
  currency: "BRL",
  payment_method: "CREDIT_CARD",
  recurrence: null,
  lateness_key: null,
  period_end: null
}
const subscription = { external_id: "I9OT62C3", plan_name: "Mensal" }
const secondCharge = { ...charge, recurrence: 2, lateness_key: "recurrence:2", period_end: "2026-12-20T10:00:00.000Z" }
const [paid, told] = ["2026-11-20T10:00:00.000Z", "2026-11-21T09:00:00.000Z"]

const saying = (event: string, ...facts: ReadonlyArray<Schema.JsonObject>) =>
  notice(event, "545e7d21-0000-4000-8000-000000000001", "maria@example.com", ...facts)
const single = (event: string, ...facts: ReadonlyArray<Schema.JsonObject>): Fixture => ({
  of: event,
  body: purchase(event),
  says: saying(event, ...facts)
})

const cancellation: Schema.JsonObject = {
  id: "c-1",
  creation_date: toldAt,
  event: "SUBSCRIPTION_CANCELLATION",
  version: "2.0.0",
  data: {
    date_next_charge: nextCharge,
    cancellation_date: approvedAt,
    actual_recurrence_value: 64.9,
    product: { id: 788921, name: "Clube" },
    subscriber: { code: "0000aaaa", name: "João Lima", email: "joao@example.com", phone: { phone: "" } },
    subscription: { id: 4148584, plan: { id: 114680, name: "Anual" } }
  }
}

/** Hotmart's bodies. */
export const hotmart: ReadonlyArray<Fixture> = [
  single("PURCHASE_APPROVED", { ...sale, kind: "approved", at: paid, purchase: charge }),
  single("PURCHASE_COMPLETE", { ...sale, kind: "approved", at: paid, purchase: charge }),
  single("PURCHASE_REFUNDED", { ...sale, kind: "refunded", at: told, purchase: charge }),
  single("PURCHASE_CHARGEBACK", { ...sale, kind: "chargeback", at: told, purchase: charge }),
  single("PURCHASE_DELAYED"),
  single("PURCHASE_PROTEST"),
  single("PURCHASE_CANCELED"),
  single("PURCHASE_EXPIRED"),
  single("PURCHASE_BILLET_PRINTED"),
  single("PURCHASE_APPROVED_TWICE"),
  {
    of: "a refund of a part, which takes nothing away",
    body: changed(purchase("PURCHASE_REFUNDED"), "data.purchase.status", "PARTIALLY_REFUNDED"),
    says: saying("PURCHASE_REFUNDED")
  },
  {
    of: "a second charge",
    body: recurring("PURCHASE_APPROVED"),
    says: saying("PURCHASE_APPROVED", { ...sale, subscription, kind: "approved", at: paid, purchase: secondCharge })
  },
  {
    of: "a second charge that is late, under the key of its payment",
    body: recurring("PURCHASE_DELAYED"),
    says: saying("PURCHASE_DELAYED", {
      ...sale,
      subscription,
      kind: "past_due",
      at: told,
      lateness_key: "recurrence:2"
    })
  },
  {
    of: "a late charge without a number, which its transaction names",
    body: changed(recurring("PURCHASE_DELAYED"), "data.purchase.recurrence_number", undefined),
    says: saying("PURCHASE_DELAYED", {
      ...sale,
      subscription,
      kind: "past_due",
      at: told,
      lateness_key: "HP16015479281022"
    })
  },
  {
    of: "a cancellation, with access until the next charge",
    body: cancellation,
    says: notice("SUBSCRIPTION_CANCELLATION", "c-1", "joao@example.com", {
      kind: "canceled",
      at: paid,
      buyer: { name: "João Lima", email: "joao@example.com", document: null },
      products: [{ external_id: "788921", name: "Clube", offer_external_id: null }],
      subscription: { external_id: "0000aaaa", plan_name: "Anual" },
      period_end: "2026-12-20T10:00:00.000Z"
    })
  },
  {
    of: "the sandbox, whose product is 0 and whose document is a number",
    body: changed(
      changed(purchase("PURCHASE_APPROVED"), "data.product", { id: 0, name: "Teste" }),
      "data.buyer.document",
      11122233344
    ),
    says: saying("PURCHASE_APPROVED", {
      ...sale,
      products: [{ external_id: "0", name: "Teste", offer_external_id: "promo" }],
      kind: "approved",
      at: paid,
      purchase: charge
    })
  },
  {
    of: "yen, which have no minor unit",
    body: changed(purchase("PURCHASE_APPROVED"), "data.purchase.price", { value: 1500, currency_value: "JPY" }),
    says: saying("PURCHASE_APPROVED", {
      ...sale,
      kind: "approved",
      at: paid,
      purchase: { ...charge, amount_cents: 1500, currency: "JPY" }
    })
  },
  {
    of: "a first visit of the member area",
    body: { id: "m-1", creationDate: toldAt, event: "CLUB_FIRST_ACCESS", data: { user: { email: "ana@example.com" } } },
    says: notice("CLUB_FIRST_ACCESS", "m-1", "ana@example.com")
  },
  {
    of: "a change of plan",
    body: { id: "s-1", event: "SWITCH_PLAN", data: { subscription: { user: { email: "ana@example.com" } } } },
    says: notice("SWITCH_PLAN", "s-1", "ana@example.com")
  },
  {
    of: "an approval without a transaction",
    body: changed(purchase("PURCHASE_APPROVED"), "data.purchase.transaction", null),
    says: unreadable("PURCHASE_APPROVED", "maria@example.com", "data.purchase.transaction is required")
  },
  {
    of: "an approval of nobody",
    body: changed(purchase("PURCHASE_APPROVED"), "data.buyer.email", "maria at example"),
    says: unreadable("PURCHASE_APPROVED", null, "data.buyer.email is required")
  },
  {
    of: "a refund of nobody",
    body: changed(purchase("PURCHASE_REFUNDED"), "data.buyer", null),
    says: notice("PURCHASE_REFUNDED", "545e7d21-0000-4000-8000-000000000001", null, {
      ...sale,
      buyer: null,
      kind: "refunded",
      at: told,
      purchase: charge
    })
  }
]
