import { Result, type Schema } from "effect"
import {
  Address,
  bodyReader,
  buyerOf,
  Currency,
  Document,
  Flag,
  Id,
  list,
  MinorUnits,
  object,
  PaymentMethod,
  PersonName,
  required,
  Seconds,
  Word
} from "./BodyReader.ts"
import { type FactReader, noFacts } from "./InboundEventReader.ts"
import type { PurchaseFact, SaleFact } from "./Platform.ts"

// Payments that are not of a subscription, and money that went back. Times are seconds, amounts minor units.

const SessionBody = bodyReader({
  created: Seconds,
  data: object({
    object: object({
      id: Id,
      mode: Word,
      payment_status: Word,
      amount_total: MinorUnits,
      currency: Currency,
      customer_details: object({ email: Address, name: PersonName, tax_ids: list({ value: Document }) }),
      invoice: Id,
      metadata: object({ product_id: Id }),
      payment_intent: Id,
      payment_link: Id
    })
  })
})

/** The invoice of a payment: then the invoice names the purchase, as `invoice.paid` does, and the payment is its alias. */
export const linksOf = (payment_intent: string | null, invoice: string | null): ReadonlyArray<SaleFact> =>
  payment_intent === null || invoice === null
    ? []
    : [{ kind: "linked", alias: payment_intent, external_id: invoice }]

const settled = new Set(["paid", "no_payment_required"])

/**
 * A paid session. Slips and Pix complete unpaid and succeed later. A session of a subscription gives no fact:
 * `invoice.paid` reports the same charge, and the later ones.
 */
export const sessionPaid: FactReader = (json) =>
  Result.gen(function*() {
    const { created, data } = yield* SessionBody(json)
    const session = yield* required(data?.object, "data.object")
    if (session.mode !== "payment" || !settled.has(session.payment_status ?? "")) return []
    const { currency, customer_details: customer, invoice, payment_intent } = session
    const buyer = customer === null ? null : buyerOf({ ...customer, document: customer.tax_ids[0]?.value })
    const product = session.metadata?.product_id ?? session.payment_link
    return [...linksOf(payment_intent, invoice), {
      kind: "approved" as const,
      at: created,
      buyer: yield* required(buyer, "data.object.customer_details.email"),
      products: product === null ? [] : [{ external_id: product, name: null, offer_external_id: null }],
      subscription: null,
      purchase: {
        // Without a payment nothing was charged, and only the session has an id.
        external_id: yield* required(invoice ?? payment_intent ?? session.id, "data.object.payment_intent"),
        amount_cents: session.amount_total,
        currency,
        payment_method: null,
        recurrence: null,
        lateness_key: null,
        period_end: null
      }
    }]
  })

const ChargeBody = bodyReader({
  created: Seconds,
  data: object({
    object: object({
      amount: MinorUnits,
      billing_details: object({ email: Address, name: PersonName }),
      currency: Currency,
      invoice: Id,
      payment_intent: Id,
      payment_method_details: object({ type: PaymentMethod }),
      refunded: Flag,
      status: Word
    })
  })
})

type ReturnedCharge = NonNullable<NonNullable<Result.Result.Success<ReturnType<typeof ChargeBody>>["data"]>["object"]>

const returned = (
  json: Schema.Json,
  kind: Exclude<PurchaseFact["kind"], "approved">,
  counts: (charge: ReturnedCharge) => boolean
) =>
  Result.gen(function*() {
    const { created, data } = yield* ChargeBody(json)
    const charge = yield* required(data?.object, "data.object")
    if (!counts(charge)) return yield* noFacts
    const payment_intent = yield* required(charge.payment_intent, "data.object.payment_intent")
    return [...linksOf(payment_intent, charge.invoice), {
      kind,
      at: created,
      buyer: charge.billing_details === null ? null : buyerOf(charge.billing_details),
      products: [],
      subscription: null,
      purchase: {
        external_id: payment_intent,
        amount_cents: kind === "refunded" ? charge.amount : null,
        currency: charge.currency,
        payment_method: charge.payment_method_details?.type ?? null,
        recurrence: null,
        lateness_key: null,
        period_end: null
      }
    }]
  })

/** The whole charge went back; a part of it takes no access. */
export const chargeRefunded: FactReader = (json) => returned(json, "refunded", ({ refunded }) => refunded)

/** A dispute may be about a part, so its amount is not the charge's. */
export const disputeCreated: FactReader = (json) => returned(json, "chargeback", () => true)

// An inquiry (`warning_…`) is created as a dispute too; closed, it has cost nothing.
const won = new Set(["won", "warning_closed"])

/** The dispute is over, and the money stays. */
export const disputeClosed: FactReader = (json) => returned(json, "dispute_won", ({ status }) => won.has(status ?? ""))
