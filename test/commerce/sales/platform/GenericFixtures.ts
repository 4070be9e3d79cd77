import type { Schema } from "effect"
import { changed, document, type Fixture, hidden, notice, unreadable } from "./Fixture.ts"
import { genericExample } from "./GenericBody.ts"

// Has a wide type, because programs can also send undocumented bodies.
const body = (type: string): Schema.JsonObject =>
  changed({ ...genericExample, type }, "customer", { name: "Maria Souza", email: "Maria@Example.com", document })

const occurred = "2026-11-21T12:00:00.000Z"
const end = "2026-12-21T12:00:00.000Z"
const sale = {
  at: occurred,
  buyer: { name: "Maria Souza", email: "maria@example.com", document: hidden },
  products: [{ external_id: "course-1", name: "Course", offer_external_id: "monthly" }],
  subscription: { external_id: "sub-77", plan_name: "Monthly" }
}
const purchase = {
  external_id: "order-1042",
  amount_cents: 4990,
  currency: "BRL",
  payment_method: "pix",
  recurrence: 2,
  lateness_key: "2026-11",
  period_end: end
}

const saying = (type: string, ...facts: ReadonlyArray<Schema.JsonObject>) =>
  notice(type, "evt-2026-11-0042", "maria@example.com", ...facts)
const single = (type: string, ...facts: ReadonlyArray<Schema.JsonObject>): Fixture => ({
  of: type,
  body: body(type),
  says: saying(type, ...facts)
})

/** Bodies of our own format. */
export const generic: ReadonlyArray<Fixture> = [
  single("purchase.approved", { ...sale, kind: "approved", purchase }),
  single("purchase.refunded", { ...sale, kind: "refunded", purchase }),
  single("purchase.chargeback", { ...sale, kind: "chargeback", purchase }),
  single("subscription.past_due", { ...sale, kind: "past_due", lateness_key: "2026-11" }),
  single("subscription.canceled", { ...sale, kind: "canceled", period_end: sale.at }),
  single("purchase.paid"),
  {
    of: "a notice without an id, which the header names",
    body: changed(body("purchase.paid"), "id", undefined),
    headers: { "webhook-id": "msg_1" },
    says: notice("purchase.paid", "msg_1", "maria@example.com")
  },
  {
    of: "several products, and what is none",
    body: changed(body("purchase.approved"), "products", [{ id: 1 }, null, "3", { id: 2, name: "Two" }]),
    says: saying("purchase.approved", {
      ...sale,
      products: [
        { external_id: "1", name: null, offer_external_id: null },
        { external_id: "2", name: "Two", offer_external_id: null }
      ],
      kind: "approved",
      purchase
    })
  },
  {
    of: "a single purchase",
    body: changed(
      changed(body("purchase.approved"), "subscription", undefined),
      "purchase",
      { id: "order-1042", amount_cents: 4990, currency: "BRL", payment_method: "pix" }
    ),
    says: saying("purchase.approved", {
      ...sale,
      subscription: null,
      kind: "approved",
      purchase: { ...purchase, recurrence: null, lateness_key: null, period_end: null }
    })
  },
  {
    of: "a lateness without a period, which its purchase names",
    body: changed(body("subscription.past_due"), "period", undefined),
    says: saying("subscription.past_due", { ...sale, kind: "past_due", lateness_key: "order-1042" })
  },
  {
    of: "a cancellation that leaves the access until then",
    body: changed(body("subscription.canceled"), "subscription.current_period_end", end),
    says: saying("subscription.canceled", { ...sale, kind: "canceled", period_end: end })
  },
  {
    of: "an approval without a product",
    body: changed(body("purchase.approved"), "product", undefined),
    says: unreadable("purchase.approved", "maria@example.com", "product.id is required")
  },
  {
    of: "a lateness of nothing",
    body: changed(changed(body("subscription.past_due"), "period", undefined), "purchase", undefined),
    says: unreadable("subscription.past_due", "maria@example.com", "period is required")
  }
]
