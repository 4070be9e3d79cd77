import { DateTime, Option, Result, type Schema } from "effect"
import { at, noticeReader, type Teller } from "./Notices.ts"
import type { Platform, PurchaseFact } from "./Platform.ts"
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
} from "./Reading.ts"
import { isHmac, verdict } from "./Verification.ts"

// docs.kiwify.com.br/api-reference/webhooks. Amounts are cents. `created_at` and its like have no zone, and differ by it
// between a sale and a test of the panel: only the subscription's own times say which moment they are.

const Order = bodyReader({
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

type Told = Result.Result.Success<ReturnType<typeof Order>>

// The panel's tests and resends may come wrapped.
const unwrapped = (json: Schema.Json): Schema.Json =>
  at(json, "webhook_event_type") === undefined ? at(json, "order") ?? json : json

const completedOf = (told: Told) => told.Subscription?.charges?.completed ?? []

/** Which charge of its subscription an order is, from 1; null if the order is not among those that are paid. */
const chargeNumber = (told: Told): number | null => {
  const paid = completedOf(told)
  const since = paid.find(({ order_id }) => order_id === told.order_id)?.created_at ?? null
  if (since === null) return null
  return 1 + paid.filter(({ created_at }) => created_at !== null && created_at < since).length
}

/**
 * Which charge is late: the one after those that are paid. Their number stays while it is told again, also if the next
 * payment is moved to the day of another attempt; it grows with the payment, whose order is then the charge of the same
 * number. Without the list, the day the payment is due is all there is: then the payment cannot be told from another.
 */
const latenessKey = (told: Told): string | null => {
  const paid = completedOf(told).length
  if (paid > 0) return `charge:${paid + 1}`
  const due = told.Subscription?.next_payment ?? null
  return due === null ? null : `due:${DateTime.formatIsoDateUtc(due)}`
}

const subscriptionOf = (told: Told) => {
  const external_id = told.subscription_id ?? told.Subscription?.id ?? null
  return external_id === null ? null : { external_id, plan_name: told.Subscription?.plan?.name ?? null }
}

const periodEnd = (told: Told) =>
  told.Subscription?.customer_access?.access_until ?? told.Subscription?.next_payment ?? null

const saleOf = (told: Told) => {
  const { Customer: customer, Product: product } = told
  return {
    buyer: customer === null
      ? null
      : buyerOf({ name: customer.full_name, email: customer.email, document: customer.CPF ?? customer.cnpj }),
    products: product === null || product.product_id === null
      ? []
      : [{ external_id: product.product_id, name: product.product_name, offer_external_id: null }],
    subscription: subscriptionOf(told)
  }
}

const readPurchase = (json: Schema.Json) =>
  Result.gen(function*() {
    const told = yield* Order(json)
    const external_id = yield* required(told.order_id, "order_id")
    const sale = saleOf(told)
    const recurrence = sale.subscription === null ? null : chargeNumber(told)
    return {
      started_at: recurrence === 1 ? told.Subscription?.start_date ?? null : null,
      sale: {
        ...sale,
        purchase: {
          external_id,
          amount_cents: told.Commissions?.charge_amount ?? null,
          currency: told.Commissions?.currency ?? null,
          payment_method: told.payment_method,
          recurrence,
          lateness_key: recurrence === null ? null : `charge:${recurrence}`,
          period_end: sale.subscription === null ? null : periodEnd(told)
        }
      }
    }
  })

const approved: Teller = (json) =>
  Result.gen(function*() {
    const { sale, started_at } = yield* readPurchase(json)
    return [{
      ...sale,
      kind: "approved" as const,
      at: started_at,
      buyer: yield* required(sale.buyer, "Customer.email")
    }]
  })

const returned = (kind: Exclude<PurchaseFact["kind"], "approved">): Teller => (json) =>
  Result.map(readPurchase(json), ({ sale }) => [{ ...sale, kind, at: null }])

const late: Teller = (json) =>
  Result.gen(function*() {
    const told = yield* Order(json)
    const sale = saleOf(told)
    return [{
      ...sale,
      kind: "past_due" as const,
      at: null,
      subscription: yield* required(sale.subscription, "subscription_id"),
      lateness_key: yield* required(latenessKey(told), "Subscription.next_payment")
    }]
  })

const canceled: Teller = (json) =>
  Result.gen(function*() {
    const told = yield* Order(json)
    const sale = saleOf(told)
    const subscription = yield* required(sale.subscription, "subscription_id")
    return [{ ...sale, kind: "canceled", at: null, subscription, period_end: periodEnd(told) }]
  })

const tellers: ReadonlyMap<string, Teller> = new Map([
  ["order_approved", approved],
  ["subscription_renewed", approved],
  ["order_refunded", returned("refunded")],
  ["chargeback", returned("chargeback")],
  ["subscription_late", late],
  ["subscription_canceled", canceled]
])

/** Order, event and period: there is no id of the notice, and one order may be late in several periods. */
const eventIdIn = (json: Schema.Json): string | null => {
  const told = Option.getOrNull(Result.getSuccess(Order(json)))
  const event = at(json, "webhook_event_type")
  if (told === null || told.order_id === null || typeof event !== "string") return null
  return [told.order_id, event, ...(event === "subscription_late" ? [latenessKey(told)] : [])].join(":")
}

const read = noticeReader({
  name: "webhook_event_type",
  eventId: eventIdIn,
  // A cart that was left has no customer yet.
  persons: ["Customer.email", "email"],
  tellers
})

/** Kiwify: the body is signed with the webhook's token, and the signature stands in the query. */
export const Kiwify: Platform = {
  key: "kiwify",
  name: "Kiwify",
  signature: "HMAC-SHA1 of the body, in hexadecimal, in ?signature=",
  setup_steps: [
    "In Kiwify, open Apps, then Webhooks, and choose “Create webhook”.",
    "Paste this address and choose the products.",
    "Select the events of approved, refunded and charged-back purchases and of late, renewed and canceled subscriptions.",
    "Save, copy the webhook's token, and enter it here as the secret."
  ],
  events: [...tellers.keys()],
  verify: ({ body, query }, secret) => verdict(isHmac("sha1", query.get("signature"), secret, body)),
  read: (json, request) => read(unwrapped(json), request)
}
