import { Array, DateTime, Result, type Schema } from "effect"
import {
  Address,
  Balance,
  bodyReader,
  buyerOf,
  Currency,
  Document,
  Id,
  list,
  MinorUnits,
  object,
  PersonName,
  PlanName,
  required,
  Seconds,
  Word
} from "./BodyReader.ts"
import { type FactReader, noFacts } from "./InboundEventReader.ts"
import { linksOf } from "./StripePayments.ts"

// A body follows the API version of its endpoint: fields are in today's place or in the former one.

const InvoiceBody = bodyReader({
  created: Seconds,
  data: object({
    object: object({
      id: Id,
      amount_paid: MinorUnits,
      billing_reason: Word,
      currency: Currency,
      customer_email: Address,
      customer_name: PersonName,
      customer_tax_ids: list({ value: Document }),
      lines: object({
        data: list({
          amount: Balance,
          period: object({ end: Seconds }),
          pricing: object({ price_details: object({ product: Id, price: Id }) }),
          price: object({ product: Id, id: Id, nickname: PlanName })
        })
      }),
      parent: object({ subscription_details: object({ subscription: Id }) }),
      payment_intent: Id,
      status_transitions: object({ paid_at: Seconds }),
      subscription: Id
    })
  })
})

const readInvoice = (json: Schema.Json) =>
  Result.gen(function*() {
    const { created, data } = yield* InvoiceBody(json)
    const invoice = yield* required(data?.object, "data.object")
    const id = yield* required(invoice.id, "data.object.id")
    // Credit for the former plan is not sold.
    const sold = (invoice.lines?.data ?? []).filter(({ amount }) => (amount ?? 0) >= 0)
    const products = sold.flatMap(({ price, pricing }) => {
      const external_id = pricing?.price_details?.product ?? price?.product ?? null
      const offer_external_id = pricing?.price_details?.price ?? price?.id ?? null
      return external_id === null ? [] : [{ external_id, name: null, offer_external_id }]
    })
    const subscription = invoice.parent?.subscription_details?.subscription ?? invoice.subscription
    const ends = Array.sort(sold.flatMap(({ period }) => period?.end ?? []), DateTime.Order)
    return {
      id,
      invoice,
      notice_at: created,
      // The period of a single sale is the moment of its invoice, and no end of anything.
      period_end: subscription === null ? null : ends.at(-1) ?? null,
      sale: {
        buyer: buyerOf({
          name: invoice.customer_name,
          email: invoice.customer_email,
          document: invoice.customer_tax_ids[0]?.value
        }),
        products: Array.dedupeWith(products, (a, b) =>
          a.external_id === b.external_id && a.offer_external_id === b.offer_external_id),
        subscription: subscription === null
          ? null
          : { external_id: subscription, plan_name: sold[0]?.price?.nickname ?? null }
      }
    }
  })

/** A charge of a subscription, or an invoice that was sent by hand. */
export const invoicePaid: FactReader = (json) =>
  Result.gen(function*() {
    const { id, invoice, period_end, sale, notice_at } = yield* readInvoice(json)
    return [...linksOf(invoice.payment_intent, id), {
      ...sale,
      kind: "approved" as const,
      at: invoice.status_transitions?.paid_at ?? notice_at,
      buyer: yield* required(sale.buyer, "data.object.customer_email"),
      purchase: {
        external_id: id,
        amount_cents: invoice.amount_paid,
        currency: invoice.currency,
        payment_method: null,
        recurrence: invoice.billing_reason === "subscription_create" ? 1 : null,
        lateness_key: sale.subscription === null ? null : id,
        period_end
      }
    }]
  })

/** All attempts of one invoice have the same lateness. A failed first charge is not late: nothing was bought yet. */
export const invoiceFailed: FactReader = (json) =>
  Result.flatMap(
    readInvoice(json),
    ({ id, invoice, sale: { subscription, ...sale }, notice_at }) =>
      subscription === null || invoice.billing_reason === "subscription_create"
        ? noFacts
        : Result.succeed([{ ...sale, kind: "past_due", at: notice_at, subscription, lateness_key: id }])
  )

const InvoicePaymentBody = bodyReader({
  data: object({ object: object({ invoice: Id, payment: object({ payment_intent: Id }) }) })
})

/** Which payment paid which invoice: a refund names the payment alone. */
export const invoicePaymentPaid: FactReader = (json) =>
  Result.map(
    InvoicePaymentBody(json),
    ({ data }) => linksOf(data?.object?.payment?.payment_intent ?? null, data?.object?.invoice ?? null)
  )
