import type { Schema } from "effect"
import { changed, document, type Fixture, hidden, notice, unreadable } from "./Fixture.ts"

const price = { currency: "BRL", value: 49.9 }

const invoice = (event: string): Schema.JsonObject => ({
  id: "z154l2pv-1",
  event,
  sentDate: "2026-11-21T09:00:00.000Z",
  data: {
    id: "inv-1",
    status: "paid",
    buyer: { id: "1", name: "Pedro Souza", document, email: "pedro@example.com", cellphone: "+5511" },
    student: { id: "2", name: "Maria Souza", document, email: "maria@example.com" },
    producer: { id: "3", name: "Escola", email: "escola@example.com", originSecret: "x" },
    items: [
      { productId: "bump", name: "Apostila", price, isBump: true },
      { productId: 123, name: "Curso", price, isBump: false, coupon: { key: "NOV" } }
    ],
    price: { currency: "BRL", value: 59.9 },
    paid: price,
    dueDate: "2026-11-20T03:00:00.000Z",
    paidAt: "2026-11-20T10:00:00.000Z",
    paymentMethod: "pix",
    transaction: { id: "t-1", key: "k" },
    contract: null
  }
})

const contract = (status: string): Schema.JsonObject => ({
  id: "c-evt-1",
  event: "myeduzz.contract_updated",
  sentDate: "2026-11-21T09:00:00.000Z",
  data: {
    producer: { id: "3", name: "Escola", email: "escola@example.com" },
    products: [{ id: "123", name: "Curso", plan: { id: "9", name: "Mensal" }, price }],
    contract: {
      id: "3456",
      status,
      payment: { method: "creditCard", totalOfInstallments: 12 },
      recurrence: {
        nextDue: "2026-12-20T03:00:00.000Z",
        currentDue: "2026-11-20T03:00:00.000Z",
        frequency: { type: "month", value: 1 },
        charges: { total: 1, current: 1 }
      }
    },
    customer: { name: "Maria Souza", email: "maria@example.com", phone: { number: "5999999999" } },
    reason: "status_updated"
  }
})

const sale = {
  buyer: { name: "Maria Souza", email: "maria@example.com", document: hidden },
  products: [
    { external_id: "123", name: "Curso", offer_external_id: null },
    { external_id: "bump", name: "Apostila", offer_external_id: null }
  ],
  subscription: null
}
const purchase = {
  external_id: "inv-1",
  amount_cents: 4990,
  currency: "BRL",
  payment_method: "pix",
  recurrence: null,
  lateness_key: null,
  period_end: null
}
const contracted = {
  buyer: { name: "Maria Souza", email: "maria@example.com", document: null },
  products: [{ external_id: "123", name: "Curso", offer_external_id: null }],
  subscription: { external_id: "3456", plan_name: "Mensal" }
}
const [paid, told] = ["2026-11-20T10:00:00.000Z", "2026-11-21T09:00:00.000Z"]

const saying = (event: string, ...facts: ReadonlyArray<Schema.JsonObject>) =>
  notice(event, "z154l2pv-1", "maria@example.com", ...facts)
const single = (event: string, ...facts: ReadonlyArray<Schema.JsonObject>): Fixture => ({
  of: event,
  body: invoice(event),
  says: saying(event, ...facts)
})
const ofContract = (status: string, ...facts: ReadonlyArray<Schema.JsonObject>): Fixture => ({
  of: `a contract that is ${status}`,
  body: contract(status),
  says: notice("myeduzz.contract_updated", "c-evt-1", "maria@example.com", ...facts)
})
const late = { ...contracted, kind: "past_due", at: told, lateness_key: "due:2026-11-20" }

/** Eduzz's bodies. */
export const eduzz: ReadonlyArray<Fixture> = [
  single("myeduzz.invoice_paid", { ...sale, kind: "approved", at: paid, purchase }),
  single("myeduzz.invoice_refunded", { ...sale, kind: "refunded", at: told, purchase }),
  single("myeduzz.invoice_chargeback", { ...sale, kind: "chargeback", at: told, purchase }),
  single("myeduzz.invoice_opened"),
  single("myeduzz.invoice_unpaid"),
  single("myeduzz.invoice_waiting_payment"),
  single("myeduzz.invoice_waiting_refund"),
  single("myeduzz.invoice_canceled"),
  single("myeduzz.contract_created"),
  single("myeduzz.contract_card_attempted"),
  { of: "a ping", body: { event: "ping", data: { message: "ping" } }, says: notice("ping", null, null) },
  {
    of: "a buyer who studies, and pays for a contract what is due on a day",
    body: changed(changed(invoice("myeduzz.invoice_paid"), "data.student", null), "data.contract", { id: "3456" }),
    says: notice("myeduzz.invoice_paid", "z154l2pv-1", "pedro@example.com", {
      ...sale,
      buyer: { name: "Pedro Souza", email: "pedro@example.com", document: hidden },
      subscription: { external_id: "3456", plan_name: null },
      kind: "approved",
      at: paid,
      purchase: { ...purchase, lateness_key: "due:2026-11-20" }
    })
  },
  ofContract("late", late),
  ofContract("defaulter", late),
  ofContract("canceled", { ...contracted, kind: "canceled", at: told, period_end: "2026-12-20T03:00:00.000Z" }),
  ofContract("upToDate"),
  ofContract("suspended"),
  ofContract("finished"),
  {
    of: "a late contract under the field's older name",
    body: changed(
      changed(contract("late"), "data.contract.recurrence.currentDue", undefined),
      "data.contract.recurrence.previousDue",
      "2026-11-20T03:00:00.000Z"
    ),
    says: notice("myeduzz.contract_updated", "c-evt-1", "maria@example.com", late)
  },
  {
    of: "a late contract that is due on no day",
    body: changed(contract("late"), "data.contract.recurrence", null),
    says: unreadable("myeduzz.contract_updated", "maria@example.com", "data.contract.recurrence.currentDue is required")
  },
  {
    of: "a payment of no invoice",
    body: changed(invoice("myeduzz.invoice_paid"), "data.id", undefined),
    says: unreadable("myeduzz.invoice_paid", "maria@example.com", "data.id is required")
  }
]
