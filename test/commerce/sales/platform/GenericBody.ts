import { Schema } from "effect"
import { Email, text } from "../../../../src/platform/http/Text.ts"

const id = text(1, 200)

const moment = (meaning: string) =>
  Schema.String.annotate({ description: `${meaning}, ISO 8601 with a zone` })
    .pipe(Schema.decodeTo(Schema.DateTimeUtcFromString))

const Customer = Schema.Struct({
  name: text(1, 200),
  email: Email,
  document: Schema.optionalKey(text(1, 40).annotate({ description: "The tax document" }))
}).annotate({ description: "Who gets the access; found or made by the e-mail address" })

const Product = Schema.Struct({
  id: id.annotate({ description: "What a product mapping names" }),
  name: Schema.optionalKey(text(1, 200)),
  offer_id: Schema.optionalKey(id)
})

const Purchase = Schema.Struct({
  id: id.annotate({ description: "Names the charge: the same in its approval, refund and chargeback" }),
  amount_cents: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000_000 }))
    .annotate({ description: "In the currency's minor unit" })),
  currency: Schema
    .optionalKey(Schema.String.check(Schema.isPattern(/^[A-Z]{3}$/)).annotate({ description: "ISO 4217" })),
  payment_method: Schema.optionalKey(text(1, 60)),
  recurrence: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2_147_483_647 }))
    .annotate({ description: "Which charge of the subscription it is, from 1" })),
  period_end: Schema.optionalKey(moment("Until when this charge gives access"))
})

const Subscription = Schema.Struct({
  id: id.annotate({ description: "The same in all its charges" }),
  plan_name: Schema.optionalKey(text(1, 200)),
  current_period_end: Schema
    .optionalKey(moment("Of a canceled one, until when the access lasts (without it, it ends at once)"))
})

const period = Schema.optionalKey(id.annotate({
  description: "Which period is charged, such as 2026-11: names a lateness and the payment that settles it. " +
    "Without it, the purchase's id does"
}))

const shared = {
  id: Schema.optionalKey(id.annotate({ description: "Names this notice; without it, the header webhook-id does" })),
  occurred_at: moment("When it happened"),
  customer: Customer,
  product: Schema.optionalKey(Product),
  products: Schema.optionalKey(Schema.NonEmptyArray(Product).annotate({
    description: "Instead of product; the main one first, 1,000 at most"
  })),
  period
}

interface Named {
  readonly type: string
  readonly product?: unknown
  readonly products?: unknown
  readonly purchase?: unknown
  readonly period?: unknown
}

const namesProduct = Schema.makeFilter(
  ({ product, products, type }: Named) =>
    type !== "purchase.approved" || product !== undefined || products !== undefined,
  { expected: "an approval with a product" }
)

const namesPeriod = Schema.makeFilter(
  ({ period, purchase, type }: Named) =>
    type !== "subscription.past_due" || period !== undefined || purchase !== undefined,
  { expected: "a lateness with its period or purchase" }
)

/**
 * The body that the platform `generic` takes: our own notice of a sale, for any program that can send JSON. This schema
 * documents the format. The reader is as lenient as with other platforms. An approval names a product; a lateness names
 * its period or purchase.
 */
export const GenericBody = Schema.Union([
  Schema.Struct({
    type: Schema.Literals(["purchase.approved", "purchase.refunded", "purchase.chargeback"]),
    ...shared,
    purchase: Purchase,
    subscription: Schema.optionalKey(Subscription)
  }).check(namesProduct),
  Schema.Struct({
    type: Schema.Literals(["subscription.past_due", "subscription.canceled"]),
    ...shared,
    purchase: Schema.optionalKey(Purchase),
    subscription: Subscription
  }).check(namesPeriod)
])

/** A paid renewal in the format of `generic`. */
export const genericExample: typeof GenericBody.Encoded = {
  id: "evt-2026-11-0042",
  type: "purchase.approved",
  occurred_at: "2026-11-21T12:00:00.000Z",
  customer: { name: "Maria Souza", email: "maria@example.com" },
  purchase: {
    id: "order-1042",
    amount_cents: 4990,
    currency: "BRL",
    payment_method: "pix",
    recurrence: 2,
    period_end: "2026-12-21T12:00:00.000Z"
  },
  product: { id: "course-1", name: "Course", offer_id: "monthly" },
  subscription: { id: "sub-77", plan_name: "Monthly" },
  period: "2026-11"
}
