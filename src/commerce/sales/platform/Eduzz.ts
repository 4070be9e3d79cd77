import { DateTime, Result, type Schema } from "effect"
import {
  Address,
  bodyReader,
  buyerOf,
  Currency,
  Decimal,
  Document,
  Flag,
  Id,
  list,
  Moment,
  object,
  PaymentMethod,
  PersonName,
  PlanName,
  ProductName,
  required,
  Word
} from "./BodyReader.ts"
import { type FactReader, inboundEventReader, noFacts, valueAt } from "./InboundEventReader.ts"
import { minorUnits } from "./MinorUnits.ts"
import type { Platform, PurchaseFact } from "./Platform.ts"
import { isHmac, verdict } from "./Verification.ts"

// Webhook v3 (developers.eduzz.com/reference/webhook). Amounts are decimals.

const Person = object({ email: Address, name: PersonName, document: Document })
const Price = object({ currency: Currency, value: Decimal })

const InvoiceBody = bodyReader({
  sentDate: Moment,
  data: object({
    id: Id,
    buyer: Person,
    student: Person,
    contract: object({ id: Id }),
    dueDate: Moment,
    items: list({ productId: Id, name: ProductName, isBump: Flag }),
    paid: Price,
    paidAt: Moment,
    paymentMethod: PaymentMethod,
    price: Price
  })
})

/** The charge of a contract that is due on a day. A repeated or renegotiated charge stays due on that day. */
const latenessOn = (due: DateTime.Utc | null) => due === null ? null : `due:${DateTime.formatIsoDateUtc(due)}`

const readInvoice = (json: Schema.Json) =>
  Result.gen(function*() {
    const { data, sentDate } = yield* InvoiceBody(json)
    const invoice = yield* required(data, "data")
    const external_id = yield* required(invoice.id, "data.id")
    const contract = invoice.contract?.id ?? null
    const price = invoice.paid?.value ? invoice.paid : invoice.price
    const currency = price?.currency ?? null
    // The student need not be the buyer.
    const person = invoice.student?.email ? invoice.student : invoice.buyer
    const items = invoice.items.toSorted((a, b) => Number(a.isBump) - Number(b.isBump))
    return {
      notice_at: sentDate,
      paid_at: invoice.paidAt ?? sentDate,
      sale: {
        buyer: person === null ? null : buyerOf(person),
        products: items.flatMap(({ name, productId }) =>
          productId === null ? [] : [{ external_id: productId, name, offer_external_id: null }]
        ),
        subscription: contract === null ? null : { external_id: contract, plan_name: null },
        purchase: {
          external_id,
          amount_cents: minorUnits(price?.value ?? null, currency),
          currency,
          payment_method: invoice.paymentMethod,
          recurrence: null,
          lateness_key: contract === null ? null : latenessOn(invoice.dueDate),
          period_end: null
        }
      }
    }
  })

const paid: FactReader = (json) =>
  Result.gen(function*() {
    const { paid_at, sale } = yield* readInvoice(json)
    return [{ ...sale, kind: "approved", at: paid_at, buyer: yield* required(sale.buyer, "data.buyer.email") }]
  })

const returned = (kind: Exclude<PurchaseFact["kind"], "approved">): FactReader => (json) =>
  Result.map(readInvoice(json), ({ sale, notice_at }) => [{ ...sale, kind, at: notice_at }])

const ContractBody = bodyReader({
  sentDate: Moment,
  data: object({
    contract: object({
      id: Id,
      status: Word,
      // `previousDue` is the older name of `currentDue`.
      recurrence: object({ currentDue: Moment, nextDue: Moment, previousDue: Moment })
    }),
    customer: Person,
    products: list({ id: Id, name: ProductName, plan: object({ name: PlanName }) })
  })
})

// A contract stays late as a defaulter.
const late = new Set(["late", "defaulter"])

/** A contract has changed. Only `late` and `canceled` say something that its invoices do not. */
const contractUpdated: FactReader = (json) =>
  Result.gen(function*() {
    const { data, sentDate } = yield* ContractBody(json)
    const contract = yield* required(data?.contract, "data.contract")
    const isLate = late.has(contract.status ?? "")
    if (!isLate && contract.status !== "canceled") return yield* noFacts
    const products = data?.products ?? []
    const customer = data?.customer ?? null
    const sale = {
      at: sentDate,
      buyer: customer === null ? null : buyerOf(customer),
      products: products.flatMap(({ id, name }) =>
        id === null ? [] : [{ external_id: id, name, offer_external_id: null }]
      ),
      subscription: {
        external_id: yield* required(contract.id, "data.contract.id"),
        plan_name: products[0]?.plan?.name ?? null
      }
    }
    const { currentDue, nextDue, previousDue } = contract.recurrence ??
      { currentDue: null, nextDue: null, previousDue: null }
    // The paid time lasts until the next charge would be due.
    if (!isLate) return [{ ...sale, kind: "canceled", period_end: nextDue }]
    const lateness_key = yield* required(
      latenessOn(currentDue ?? previousDue ?? nextDue),
      "data.contract.recurrence.currentDue"
    )
    return [{ ...sale, kind: "past_due", lateness_key }]
  })

const factReaders: ReadonlyMap<string, FactReader> = new Map([
  ["myeduzz.invoice_paid", paid],
  ["myeduzz.invoice_refunded", returned("refunded")],
  ["myeduzz.invoice_chargeback", returned("chargeback")],
  // A late or canceled contract has no event of its own: its status shows it.
  ["myeduzz.contract_updated", contractUpdated]
])

/** Eduzz: the body is signed with the key of the configuration. */
export const eduzz: Platform = {
  key: "eduzz",
  name: "Eduzz",
  signature: "HMAC-SHA256 of the body, in hexadecimal, in x-signature",
  setup_steps: [
    "In Eduzz, open integrations.eduzz.com, then Webhook, and create a key under Security.",
    "Enter that key here as the secret, before the address is verified there.",
    "Create a configuration with that key and this address, and select the events listed here.",
    "Choose “Verify URL”, save and activate it."
  ],
  events: [...factReaders.keys()],
  verify: ({ body, headers }, secret) => verdict(isHmac("sha256", headers["x-signature"], secret, body)),
  read: inboundEventReader({
    name: "event",
    eventId: (json) => valueAt(json, "id"),
    persons: ["data.student.email", "data.buyer.email", "data.customer.email"],
    factReaders
  })
}
