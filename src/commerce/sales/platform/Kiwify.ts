import { DateTime, Option, Result, type Schema } from "effect"
import {
  Address,
  bodyReader,
  buyerOf,
  Currency,
  Document,
  Id,
  list,
  MinorUnits,
  Moment,
  object,
  PaymentMethod,
  PersonName,
  PlanName,
  ProductName,
  required,
  Word
} from "./BodyReader.ts"
import { type FactReader, inboundEventReader, valueAt } from "./InboundEventReader.ts"
import type { Platform, PurchaseFact } from "./Platform.ts"
import { isHmac, verdict } from "./Verification.ts"

// docs.kiwify.com.br/api-reference/webhooks. Amounts are cents. `created_at` and similar times have no zone, and a sale
// and a test in the panel write them in different zones. Only the subscription's own times name a moment.

const readOrder = bodyReader({
  order_id: Id,
  payment_method: PaymentMethod,
  Product: object({ product_id: Id, product_name: ProductName }),
  Customer: object({ full_name: PersonName, email: Address, CPF: Document, cnpj: Document }),
  Commissions: object({ charge_amount: MinorUnits, currency: Currency }),
  subscription_id: Id,
  Subscription: object({
    id: Id,
    start_date: Moment,
    next_payment: Moment,
    customer_access: object({ access_until: Moment }),
    plan: object({ name: PlanName }),
    charges: object({ completed: list({ order_id: Id, created_at: Word }) })
  })
})

type Order = Result.Result.Success<ReturnType<typeof readOrder>>

// The panel's tests and resends may come wrapped.
const unwrapped = (json: Schema.Json): Schema.Json =>
  valueAt(json, "webhook_event_type") === undefined ? valueAt(json, "order") ?? json : json

const completedOf = (order: Order) => order.Subscription?.charges?.completed ?? []

/** Which charge of its subscription an order is, from 1; null if the order is not among those that are paid. */
const chargeNumber = (order: Order): number | null => {
  const paid = completedOf(order)
  const since = paid.find(({ order_id }) => order_id === order.order_id)?.created_at ?? null
  if (since === null) return null
  return 1 + paid.filter(({ created_at }) => created_at !== null && created_at < since).length
}

/**
 * The key of the late charge: the charge after the paid ones. The number of paid charges stays the same in repeated
 * notices, even if the next payment is moved to the day of another attempt. It grows with the payment, and then the
 * order is the charge of that number. Without the list, the key is the day on which the payment is due. No payment's
 * own key matches that.
 */
const latenessKey = (order: Order): string | null => {
  const paid = completedOf(order).length
  if (paid > 0) return `charge:${paid + 1}`
  const due = order.Subscription?.next_payment ?? null
  return due === null ? null : `due:${DateTime.formatIsoDateUtc(due)}`
}

const subscriptionOf = (order: Order) => {
  const external_id = order.subscription_id ?? order.Subscription?.id ?? null
  return external_id === null ? null : { external_id, plan_name: order.Subscription?.plan?.name ?? null }
}

const periodEnd = (order: Order) =>
  order.Subscription?.customer_access?.access_until ?? order.Subscription?.next_payment ?? null

const saleOf = (order: Order) => {
  const { Customer: customer, Product: product } = order
  return {
    buyer: customer === null
      ? null
      : buyerOf({ name: customer.full_name, email: customer.email, document: customer.CPF ?? customer.cnpj }),
    products: product === null || product.product_id === null
      ? []
      : [{ external_id: product.product_id, name: product.product_name, offer_external_id: null }],
    subscription: subscriptionOf(order)
  }
}

const readPurchase = (json: Schema.Json) =>
  Result.gen(function*() {
    const order = yield* readOrder(json)
    const external_id = yield* required(order.order_id, "order_id")
    const sale = saleOf(order)
    const recurrence = sale.subscription === null ? null : chargeNumber(order)
    return {
      started_at: recurrence === 1 ? order.Subscription?.start_date ?? null : null,
      sale: {
        ...sale,
        purchase: {
          external_id,
          amount_cents: order.Commissions?.charge_amount ?? null,
          currency: order.Commissions?.currency ?? null,
          payment_method: order.payment_method,
          recurrence,
          lateness_key: recurrence === null ? null : `charge:${recurrence}`,
          period_end: sale.subscription === null ? null : periodEnd(order)
        }
      }
    }
  })

const approved: FactReader = (json) =>
  Result.gen(function*() {
    const { sale, started_at } = yield* readPurchase(json)
    return [{
      ...sale,
      kind: "approved" as const,
      at: started_at,
      buyer: yield* required(sale.buyer, "Customer.email")
    }]
  })

const returned = (kind: Exclude<PurchaseFact["kind"], "approved">): FactReader => (json) =>
  Result.map(readPurchase(json), ({ sale }) => [{ ...sale, kind, at: null }])

const late: FactReader = (json) =>
  Result.gen(function*() {
    const order = yield* readOrder(json)
    const sale = saleOf(order)
    return [{
      ...sale,
      kind: "past_due" as const,
      at: null,
      subscription: yield* required(sale.subscription, "subscription_id"),
      lateness_key: yield* required(latenessKey(order), "Subscription.next_payment")
    }]
  })

const canceled: FactReader = (json) =>
  Result.gen(function*() {
    const order = yield* readOrder(json)
    const sale = saleOf(order)
    const subscription = yield* required(sale.subscription, "subscription_id")
    return [{ ...sale, kind: "canceled", at: null, subscription, period_end: periodEnd(order) }]
  })

const factReaders: ReadonlyMap<string, FactReader> = new Map([
  ["order_approved", approved],
  ["subscription_renewed", approved],
  ["order_refunded", returned("refunded")],
  ["chargeback", returned("chargeback")],
  ["subscription_late", late],
  ["subscription_canceled", canceled]
])

/** Order, event and period, as a notice has no id and one order may be late in several periods. */
const eventIdIn = (json: Schema.Json): string | null => {
  const order = Option.getOrNull(Result.getSuccess(readOrder(json)))
  const event = valueAt(json, "webhook_event_type")
  if (order === null || order.order_id === null || typeof event !== "string") return null
  return [order.order_id, event, ...(event === "subscription_late" ? [latenessKey(order)] : [])].join(":")
}

const read = inboundEventReader({
  name: "webhook_event_type",
  eventId: eventIdIn,
  // An abandoned cart has no customer yet.
  persons: ["Customer.email", "email"],
  factReaders
})

/** Kiwify: the webhook's token signs the body, and the query has the signature. */
export const kiwify: Platform = {
  key: "kiwify",
  name: "Kiwify",
  signature: "HMAC-SHA1 of the body, in hexadecimal, in ?signature=",
  setup_steps: [
    "In Kiwify, open Apps, then Webhooks, and choose “Create webhook”.",
    "Paste this address and choose the products.",
    "Select the events of approved, refunded and charged-back purchases and of late, renewed and canceled subscriptions.",
    "Save, copy the webhook's token, and enter it here as the secret."
  ],
  events: [...factReaders.keys()],
  verify: ({ body, query }, secret) => verdict(isHmac("sha1", query.get("signature"), secret, body)),
  read: (json, request) => read(unwrapped(json), request)
}
