import { document } from "./Fixture.ts"

/** A time as Stripe writes it. */
export const seconds = (text: string) => Date.parse(text) / 1000
/** The time of the payment, the time of its event, and the end of the paid period. */
export const [paidAt, toldAt, end] = [
  "2026-11-20T10:00:00.000Z",
  "2026-11-21T09:00:00.000Z",
  "2026-12-20T10:00:00.000Z"
]

/** A checkout session. */
export const session = {
  id: "cs_1",
  object: "checkout.session",
  mode: "payment",
  payment_status: "paid",
  amount_total: 4990,
  currency: "brl",
  customer: "cus_1",
  customer_details: {
    email: "Maria@Example.com",
    name: "Maria Souza",
    phone: null,
    tax_ids: [{ type: "br_cpf", value: document }]
  },
  metadata: {},
  payment_intent: "pi_1",
  payment_link: "plink_1",
  subscription: null,
  invoice: null
}

/** An invoice of a subscription, with a credit for its former plan. */
export const invoice = {
  id: "in_1",
  object: "invoice",
  customer_email: "maria@example.com",
  customer_name: "Maria Souza",
  customer_tax_ids: [{ type: "br_cpf", value: document }],
  amount_paid: 4990,
  currency: "brl",
  billing_reason: "subscription_cycle",
  period_end: seconds(paidAt),
  status_transitions: { paid_at: seconds(paidAt) },
  parent: { type: "subscription_details", subscription_details: { subscription: "sub_1", metadata: {} } },
  lines: {
    object: "list",
    data: [
      {
        amount: -1000,
        period: { end: seconds(paidAt) },
        pricing: { price_details: { product: "prod_old", price: "price_old" } }
      },
      {
        amount: 4990,
        period: { end: seconds(end) },
        pricing: { price_details: { product: "prod_1", price: "price_1" } }
      },
      { amount: 0, period: { end: seconds(end) }, pricing: { price_details: { product: "prod_1", price: "price_1" } } }
    ]
  }
}

/** The invoice of API versions before 2025-03-31. */
export const oldInvoice = {
  ...invoice,
  parent: undefined,
  subscription: "sub_1",
  payment_intent: "pi_1",
  lines: {
    data: [{
      amount: 4990,
      period: { end: seconds(end) },
      price: { id: "price_1", product: "prod_1", nickname: "Mensal" }
    }]
  }
}

/** A subscription that goes on. */
export const subscription = {
  id: "sub_1",
  object: "subscription",
  status: "active",
  cancel_at_period_end: false,
  cancel_at: null,
  canceled_at: seconds(paidAt),
  ended_at: null,
  items: { data: [{ current_period_end: seconds(end), price: { id: "price_1", product: "prod_1" } }] }
}

/** A refunded charge. */
export const charge = {
  id: "ch_1",
  amount: 4990,
  amount_refunded: 4990,
  refunded: true,
  currency: "brl",
  payment_intent: "pi_1",
  payment_method_details: { type: "card" },
  billing_details: { email: "maria@example.com", name: "Maria Souza" }
}

/** A lost dispute. */
export const dispute = {
  id: "dp_1",
  charge: "ch_1",
  payment_intent: "pi_1",
  amount: 100,
  currency: "brl",
  status: "lost"
}
