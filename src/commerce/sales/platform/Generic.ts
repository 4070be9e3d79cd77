import { DateTime, Option, Redacted, Result, type Schema } from "effect"
import { parseSecret } from "../../../webhooks/send/Secret.ts"
import { verifySignature } from "../../../webhooks/send/Signature.ts"
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
  PersonName,
  PlanName,
  ProductName,
  required
} from "./BodyReader.ts"
import { type FactReader, inboundEventReader, valueAt } from "./InboundEventReader.ts"
import type { InboundRequest, Platform, PurchaseFact } from "./Platform.ts"
import { verdict } from "./Verification.ts"

const product = { id: Id, name: ProductName, offer_id: Id }

// The documented body, read as leniently as those of other platforms. A test holds its strict schema against this.
const Body = bodyReader({
  occurred_at: Moment,
  customer: object({ name: PersonName, email: Address, document: Document }),
  purchase: object({
    id: Id,
    amount_cents: MinorUnits,
    currency: Currency,
    payment_method: PaymentMethod,
    recurrence: Count,
    period_end: Moment
  }),
  product: object(product),
  products: list(product),
  subscription: object({ id: Id, plan_name: PlanName, current_period_end: Moment }),
  period: Id
})

const readSale = (json: Schema.Json) =>
  Result.map(Body(json), (body) => {
    const { customer, product, subscription } = body
    const sold = body.products.length > 0 ? body.products : product === null ? [] : [product]
    const external_id = subscription?.id ?? null
    return {
      body,
      lateness_key: body.period ?? body.purchase?.id ?? null,
      sale: {
        at: body.occurred_at,
        buyer: customer === null ? null : buyerOf(customer),
        products: sold.flatMap(({ id, name, offer_id }) =>
          id === null ? [] : [{ external_id: id, name, offer_external_id: offer_id }]
        ),
        subscription: external_id === null ? null : { external_id, plan_name: subscription?.plan_name ?? null }
      }
    }
  })

const readPurchase = (json: Schema.Json) =>
  Result.gen(function*() {
    const { lateness_key, sale, body } = yield* readSale(json)
    const { id, ...purchase } = yield* required(body.purchase, "purchase")
    return {
      ...sale,
      purchase: {
        ...purchase,
        external_id: yield* required(id, "purchase.id"),
        lateness_key: sale.subscription === null ? null : lateness_key,
        period_end: purchase.period_end ?? body.subscription?.current_period_end ?? null
      }
    }
  })

const approved: FactReader = (json) =>
  Result.gen(function*() {
    const sale = yield* readPurchase(json)
    const buyer = yield* required(sale.buyer, "customer.email")
    yield* required(sale.products[0], "product.id")
    return [{ ...sale, kind: "approved", buyer }]
  })

const returned = (kind: Exclude<PurchaseFact["kind"], "approved">): FactReader => (json) =>
  Result.map(readPurchase(json), (sale) => [{ ...sale, kind }])

const pastDue: FactReader = (json) =>
  Result.gen(function*() {
    const { lateness_key, sale } = yield* readSale(json)
    const subscription = yield* required(sale.subscription, "subscription.id")
    return [{ ...sale, kind: "past_due", subscription, lateness_key: yield* required(lateness_key, "period") }]
  })

// As documented, without an end it is over at once, whatever its charges have said.
const canceled: FactReader = (json, { received_at }) =>
  Result.gen(function*() {
    const { sale, body } = yield* readSale(json)
    const subscription = yield* required(sale.subscription, "subscription.id")
    const period_end = body.subscription?.current_period_end ?? DateTime.min(sale.at ?? received_at, received_at)
    return [{ ...sale, kind: "canceled", subscription, period_end }]
  })

const factReaders: ReadonlyMap<string, FactReader> = new Map([
  ["purchase.approved", approved],
  ["purchase.refunded", returned("refunded")],
  ["purchase.chargeback", returned("chargeback")],
  ["subscription.past_due", pastDue],
  ["subscription.canceled", canceled]
])

const isSigned = ({ body, headers, received_at }: InboundRequest, secret: Redacted.Redacted): boolean =>
  Option.exists(parseSecret(Redacted.value(secret)), (key) =>
    Result.isSuccess(verifySignature({
      secrets: [Redacted.value(key)],
      id: headers["webhook-id"],
      timestamp: headers["webhook-timestamp"],
      signature: headers["webhook-signature"],
      body,
      now: received_at
    })))

const secretWanted = {
  en: "whsec_ and 24 to 64 bytes in base64",
  "pt-BR": "whsec_ e de 24 a 64 bytes em base64"
}

/** Whatever else sells: our own notice, signed as Standard Webhooks, by an automation tool or a shop of one's own. */
export const generic: Platform = {
  key: "generic",
  name: "Generic",
  signature: "Standard Webhooks: HMAC-SHA256 of id, time and body in webhook-signature, for 5 minutes",
  setup_steps: [
    "Make a secret: “whsec_” and 24 to 64 random bytes in base64. Enter it here and where the notices are sent from.",
    "Send each sale as JSON to this address with POST, in the shape that the documentation shows.",
    "Sign each request with a Standard Webhooks library: webhook-id, webhook-timestamp and webhook-signature."
  ],
  events: [...factReaders.keys()],
  checkSecret: (secret) => Option.isSome(parseSecret(Redacted.value(secret))) ? null : secretWanted,
  verify: (request, secret) => verdict(isSigned(request, secret)),
  read: inboundEventReader({
    name: "type",
    eventId: (json, { headers }) => valueAt(json, "id") ?? headers["webhook-id"],
    persons: ["customer.email"],
    factReaders
  })
}
