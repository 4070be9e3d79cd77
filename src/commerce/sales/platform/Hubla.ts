import { DateTime, Result, type Schema } from "effect"
import {
  Address,
  bodyReader,
  buyerOf,
  Count,
  Currency,
  Document,
  Id,
  list,
  MinorUnits,
  Moment,
  object,
  PaymentMethod,
  ProductName,
  required,
  Word
} from "./BodyReader.ts"
import { type FactReader, inboundEventReader, noFacts } from "./InboundEventReader.ts"
import type { Platform } from "./Platform.ts"
import { isSecret, verdict } from "./Verification.ts"

// Events v2.0.0 (hubla.gitbook.io/docs/webhooks/eventos-v2). Amounts are cents.

/** Months; a longer cycle is a mistake. */
const longestCycle = 120

const Person = object({ firstName: Word, lastName: Word, email: Address, document: Document })

const Body = bodyReader({
  event: object({
    product: object({ id: Id, name: ProductName }),
    products: list({ id: Id, name: ProductName, offers: list({ id: Id }) }),
    invoice: object({
      id: Id,
      subscriptionId: Id,
      payer: Person,
      paymentMethod: PaymentMethod,
      currency: Currency,
      amount: object({ totalCents: MinorUnits }),
      saleDate: Moment,
      modifiedAt: Moment
    }),
    subscription: object({ id: Id, billingCycleMonths: Count, inactivatedAt: Moment, modifiedAt: Moment }),
    user: Person
  })
})

const readSale = (json: Schema.Json) =>
  Result.gen(function*() {
    const { event } = yield* Body(json)
    const body = yield* required(event, "event")
    // The payer need not be the student.
    const person = body.user?.email ? body.user : body.invoice?.payer ?? null
    const name = [person?.firstName, person?.lastName].filter((part) => part).join(" ")
    const sold = body.products.length > 0
      ? body.products
      : body.product === null
      ? []
      : [{ ...body.product, offers: [] }]
    const subscription = body.invoice?.subscriptionId ?? body.subscription?.id ?? null
    return {
      body,
      sale: {
        buyer: person === null ? null : buyerOf({ name, email: person.email, document: person.document }),
        products: sold.flatMap(({ id, name, offers }) =>
          id === null ? [] : [{ external_id: id, name, offer_external_id: offers[0]?.id ?? null }]
        ),
        subscription: subscription === null ? null : { external_id: subscription, plan_name: null }
      }
    }
  })

// Hubla does not name the end of the paid time: it is one cycle of the subscription.
const cycleEnd = (paid_at: DateTime.Utc | null, months: number | null | undefined): DateTime.Utc | null =>
  paid_at === null || months == null || months > longestCycle ? null : DateTime.add(paid_at, { months })

const readInvoice = (json: Schema.Json) =>
  Result.gen(function*() {
    const { sale, body } = yield* readSale(json)
    const invoice = yield* required(body.invoice, "event.invoice")
    const external_id = yield* required(invoice.id, "event.invoice.id")
    const paid_at = invoice.saleDate ?? invoice.modifiedAt
    return {
      sale,
      notice_at: invoice.modifiedAt,
      paid_at,
      purchase: {
        external_id,
        amount_cents: invoice.amount?.totalCents ?? null,
        currency: invoice.currency,
        payment_method: invoice.paymentMethod,
        recurrence: null,
        lateness_key: sale.subscription === null ? null : external_id,
        period_end: sale.subscription === null ? null : cycleEnd(paid_at, body.subscription?.billingCycleMonths)
      }
    }
  })

const paid: FactReader = (json) =>
  Result.gen(function*() {
    const { paid_at, purchase, sale } = yield* readInvoice(json)
    const buyer = yield* required(sale.buyer, "event.user.email")
    return [{ ...sale, kind: "approved", at: paid_at, buyer, purchase }]
  })

const refunded: FactReader = (json) =>
  Result.map(
    readInvoice(json),
    ({ purchase, sale, notice_at }) => [{ ...sale, kind: "refunded", at: notice_at, purchase }]
  )

// Each attempt at one invoice is the same lateness, and its payment has the same id.
const failed: FactReader = (json) =>
  Result.flatMap(
    readInvoice(json),
    ({ purchase: { external_id }, sale: { subscription, ...sale }, notice_at }) =>
      subscription === null
        ? noFacts
        : Result.succeed([{ ...sale, kind: "past_due", at: notice_at, subscription, lateness_key: external_id }])
  )

// The paid time lasts, unless Hubla names a later moment at which the subscription becomes inactive.
const deactivated: FactReader = (json, { received_at }) =>
  Result.gen(function*() {
    const { sale, body } = yield* readSale(json)
    const subscription = yield* required(sale.subscription, "event.subscription.id")
    const ends = body.subscription?.inactivatedAt ?? null
    const isAhead = ends !== null && DateTime.isGreaterThan(ends, received_at)
    const at = isAhead ? body.subscription?.modifiedAt ?? null : ends ?? body.subscription?.modifiedAt ?? null
    return [{ ...sale, kind: "canceled", at, subscription, period_end: isAhead ? ends : null }]
  })

/**
 * All names of events with an effect. The pages show the bodies of `invoice.created` and `customer.member_added`. The
 * other names come from code that receives them, which agrees with the pages.
 *
 * `customer.member_added` and `customer.member_removed` are ignored: they repeat an invoice, its refund or a
 * subscription's end, without a charge. So a free product at Hubla gives nothing here.
 */
const factReaders: ReadonlyMap<string, FactReader> = new Map([
  ["invoice.payment_succeeded", paid],
  ["invoice.refunded", refunded],
  ["invoice.payment_failed", failed],
  ["subscription.deactivated", deactivated]
])

/** Hubla: a token of the rule comes with each request. */
export const hubla: Platform = {
  key: "hubla",
  name: "Hubla",
  signature: "The rule's token in x-hubla-token",
  setup_steps: [
    "In Hubla, open Integrations, then Webhook, and create a rule of version 2.0.0.",
    "Paste this address and choose the products.",
    "Select the events of invoices (payment succeeded, payment failed, refunded) and of subscriptions (deactivated).",
    "Save, copy the token, and enter it here as the secret."
  ],
  events: [...factReaders.keys()],
  verify: ({ headers }, secret) => verdict(isSecret(headers["x-hubla-token"], secret)),
  read: inboundEventReader({
    name: "type",
    eventId: (_, { headers }) => headers["x-hubla-idempotency"],
    persons: ["event.user.email", "event.invoice.payer.email", "event.payer.email", "event.lead.email"],
    factReaders
  })
}
