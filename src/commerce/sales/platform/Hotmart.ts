import { Option, Result, Schema } from "effect"
import { readLightJson } from "../../../platform/http/json/Json.ts"
import {
  Address,
  bodyReader,
  buyerOf,
  Count,
  Currency,
  Decimal,
  Document,
  Id,
  Milliseconds,
  object,
  PaymentMethod,
  PersonName,
  PlanName,
  ProductName,
  required,
  Word
} from "./BodyReader.ts"
import { type FactReader, inboundEventReader, isJsonObject, noFacts, valueAt } from "./InboundEventReader.ts"
import { minorUnits } from "./MinorUnits.ts"
import type { Platform, PurchaseFact } from "./Platform.ts"
import { isSecret, verdict } from "./Verification.ts"

// Webhook 2.0.0 (developers.hotmart.com/docs). Times are milliseconds, amounts decimals.

const Product = object({ id: Id, name: ProductName })
const Plan = object({ name: PlanName })

const PurchaseBody = bodyReader({
  creation_date: Milliseconds,
  data: object({
    product: Product,
    buyer: object({ email: Address, name: PersonName, first_name: Word, last_name: Word, document: Document }),
    purchase: object({
      approved_date: Milliseconds,
      order_date: Milliseconds,
      status: Word,
      date_next_charge: Milliseconds,
      transaction: Id,
      recurrence_number: Count,
      price: object({ value: Decimal, currency_value: Currency }),
      payment: object({ type: PaymentMethod }),
      offer: object({ code: Id })
    }),
    subscription: object({ plan: Plan, subscriber: object({ code: Id }) })
  })
})

const CancellationBody = bodyReader({
  creation_date: Milliseconds,
  data: object({
    date_next_charge: Milliseconds,
    cancellation_date: Milliseconds,
    product: Product,
    subscriber: object({ code: Id, name: PersonName, email: Address, document: Document }),
    subscription: object({ plan: Plan })
  })
})

const productsOf = (
  product: { readonly id: string | null; readonly name: string | null } | null,
  offer_external_id: string | null
) => product === null || product.id === null ? [] : [{ external_id: product.id, name: product.name, offer_external_id }]

const fullName = (
  buyer: { readonly name: string | null; readonly first_name: string | null; readonly last_name: string | null }
) => buyer.name || [buyer.first_name, buyer.last_name].filter((part) => part !== null).join(" ")

/** The fields that all events of a purchase have. */
const readPurchase = (json: Schema.Json) =>
  Result.gen(function*() {
    const { creation_date, data } = yield* PurchaseBody(json)
    const purchase = yield* required(data?.purchase, "data.purchase")
    const external_id = yield* required(purchase.transaction, "data.purchase.transaction")
    const code = data?.subscription?.subscriber?.code ?? null
    const { recurrence_number: recurrence } = purchase
    const currency = purchase.price?.currency_value ?? null
    const buyer = data?.buyer ?? null
    return {
      notice_at: creation_date,
      status: purchase.status,
      paid_at: purchase.approved_date ?? purchase.order_date ?? creation_date,
      sale: {
        buyer: buyer === null ? null : buyerOf({ ...buyer, name: fullName(buyer) }),
        products: productsOf(data?.product ?? null, purchase.offer?.code ?? null),
        subscription: code === null ? null : { external_id: code, plan_name: data?.subscription?.plan?.name ?? null },
        purchase: {
          external_id,
          amount_cents: minorUnits(purchase.price?.value ?? null, currency),
          currency,
          payment_method: purchase.payment?.type ?? null,
          recurrence,
          // A late charge that is tried again may get another transaction; its recurrence number stays.
          lateness_key: code === null ? null : recurrence === null ? external_id : `recurrence:${recurrence}`,
          period_end: purchase.date_next_charge
        }
      }
    }
  })

const approved: FactReader = (json) =>
  Result.gen(function*() {
    const { paid_at, sale } = yield* readPurchase(json)
    return [{ ...sale, kind: "approved", at: paid_at, buyer: yield* required(sale.buyer, "data.buyer.email") }]
  })

// Part of the money back takes no access away.
const returned = (kind: Exclude<PurchaseFact["kind"], "approved">): FactReader => (json) =>
  Result.map(
    readPurchase(json),
    ({ sale, status, notice_at }) => status === "PARTIALLY_REFUNDED" ? [] : [{ ...sale, kind, at: notice_at }]
  )

// A single purchase is late with a bank slip that nobody owes.
const delayed: FactReader = (json) =>
  Result.flatMap(
    readPurchase(json),
    ({ sale: { purchase: { lateness_key }, subscription, ...sale }, notice_at }) =>
      subscription === null || lateness_key === null
        ? noFacts
        : Result.succeed([{ ...sale, kind: "past_due", at: notice_at, subscription, lateness_key }])
  )

const canceled: FactReader = (json) =>
  Result.gen(function*() {
    const { creation_date, data } = yield* CancellationBody(json)
    const subscriber = data?.subscriber ?? null
    const external_id = yield* required(subscriber?.code, "data.subscriber.code")
    return [{
      kind: "canceled",
      at: data?.cancellation_date ?? creation_date,
      buyer: subscriber === null ? null : buyerOf(subscriber),
      products: productsOf(data?.product ?? null, null),
      subscription: { external_id, plan_name: data?.subscription?.plan?.name ?? null },
      period_end: data?.date_next_charge ?? null
    }]
  })

const factReaders: ReadonlyMap<string, FactReader> = new Map([
  ["PURCHASE_APPROVED", approved],
  // The end of the warranty, with the same transaction: if the approval was missed, the sale is known from this.
  ["PURCHASE_COMPLETE", approved],
  ["PURCHASE_REFUNDED", returned("refunded")],
  ["PURCHASE_CHARGEBACK", returned("chargeback")],
  ["PURCHASE_DELAYED", delayed],
  ["SUBSCRIPTION_CANCELLATION", canceled]
])

const decodeHottok = Schema.decodeUnknownOption(Schema.Struct({ hottok: Schema.String }))

/** The token of older configurations, which is in the body. */
const hottokOf = (body: Uint8Array): string | undefined =>
  Option.getOrUndefined(Option.flatMap(readLightJson(body), decodeHottok))?.hottok

/** Hotmart: its account's token comes with each request, and nothing is signed. */
export const hotmart: Platform = {
  key: "hotmart",
  name: "Hotmart",
  signature: "The account's hottok in X-HOTMART-HOTTOK",
  setup_steps: [
    "In Hotmart, open Tools, then Webhook (API and notifications).",
    "Choose “Register webhook”, version 2.0.0, and paste this address.",
    "Select the events listed here and save.",
    "Open the tab “Authentication”, copy the hottok, and enter it here as the secret."
  ],
  events: [...factReaders.keys()],
  withoutSecret: (json) => isJsonObject(json) && Object.hasOwn(json, "hottok") ? { ...json, hottok: null } : json,
  verify: ({ body, headers }, secret) => verdict(isSecret(headers["x-hotmart-hottok"] ?? hottokOf(body), secret)),
  read: inboundEventReader({
    name: "event",
    eventId: (json) => valueAt(json, "id"),
    persons: [
      "data.buyer.email",
      "data.subscriber.email",
      "data.subscription.subscriber.email",
      "data.user.email",
      "data.subscription.user.email"
    ],
    factReaders
  })
}
