import { DateTime, Schema, SchemaTransformation } from "effect"

// The fields that are read of Stripe's objects (API version 2026-10-28.endive).

/** Stripe counts in whole seconds since 1970. */
const Instant = Schema.Int.pipe(Schema.decodeTo(
  Schema.DateTimeUtc,
  SchemaTransformation.transform({
    decode: (seconds: number) => DateTime.makeUnsafe(seconds * 1000),
    encode: (at: DateTime.Utc) => secondsOf(at)
  })
))

/** Whole seconds since 1970, as Stripe counts. */
export const secondsOf = (at: DateTime.Utc): number => Math.floor(DateTime.toEpochMillis(at) / 1000)

/** A moment cut to whole seconds, as Stripe stores times. */
export const wholeSecond = (at: DateTime.Utc): DateTime.Utc => DateTime.makeUnsafe(secondsOf(at) * 1000)

const Id = Schema.NonEmptyString.check(Schema.isMaxLength(255))
const Metadata = Schema.Record(Schema.String, Schema.String)
const MetadataOrNone = Schema.NullOr(Metadata)

/** One page of a list. */
export const StripeList = <Item extends Schema.Top>(item: Item) =>
  Schema.Struct({ data: Schema.Array(item), has_more: Schema.Boolean })

/** An item of a subscription: a plan or an add-on. */
export const SubscriptionItem = Schema.Struct({
  id: Id,
  price: Schema.Struct({ id: Id }),
  metadata: Metadata,
  current_period_start: Instant
})
export type SubscriptionItem = typeof SubscriptionItem.Type

/** A subscription. `ended_at`: null until it has ended. */
export const StripeSubscription = Schema.Struct({
  id: Id,
  customer: Id,
  status: Schema.String,
  metadata: Metadata,
  billing_cycle_anchor: Instant,
  ended_at: Schema.NullOr(Instant),
  items: StripeList(SubscriptionItem)
})
export type StripeSubscription = typeof StripeSubscription.Type

/** A session of the checkout. `subscription`: null until it is completed. */
export const CheckoutSession = Schema.Struct({
  subscription: Schema.NullOr(Id),
  client_reference_id: Schema.NullOr(Schema.String)
})

const Span = Schema.Struct({ start: Instant, end: Instant })

/** A line of an invoice. `parent` names its subject: an item of the subscription, or an invoice item of ours. */
export const StripeInvoiceLine = Schema.Struct({
  id: Id,
  amount: Schema.Int,
  description: Schema.NullOr(Schema.String),
  period: Span,
  metadata: Metadata,
  discount_amounts: Schema.NullOr(Schema.Array(Schema.Struct({ amount: Schema.Int }))),
  taxes: Schema.NullOr(Schema.Array(Schema.Struct({ amount: Schema.Int, tax_behavior: Schema.String }))),
  pricing: Schema.NullOr(Schema.Struct({
    price_details: Schema.optional(Schema.Struct({ price: Id }))
  })),
  parent: Schema.NullOr(Schema.Struct({
    invoice_item_details: Schema.NullOr(Schema.Struct({ invoice_item: Id })),
    subscription_item_details: Schema.NullOr(Schema.Struct({ subscription_item: Id }))
  }))
})
export type StripeInvoiceLine = typeof StripeInvoiceLine.Type

/** An invoice, or a preview of one. `starting_balance` is the customer's: below zero it is credit. */
export const StripeInvoice = Schema.Struct({
  id: Id,
  status: Schema.NullOr(Schema.String),
  currency: Schema.String,
  created: Instant,
  period_start: Instant,
  period_end: Instant,
  total: Schema.Int,
  starting_balance: Schema.Int,
  ending_balance: Schema.NullOr(Schema.Int),
  status_transitions: Schema.Struct({ finalized_at: Schema.NullOr(Instant) }),
  parent: Schema.NullOr(Schema.Struct({
    subscription_details: Schema.NullOr(Schema.Struct({ subscription: Id }))
  })),
  lines: StripeList(StripeInvoiceLine)
})
export type StripeInvoice = typeof StripeInvoice.Type

/** Something that is charged or credited on the customer's next invoice. */
export const StripeInvoiceItem = Schema.Struct({
  id: Id,
  /** Its invoice, which may still be a draft. */
  invoice: Schema.NullOr(Id),
  metadata: MetadataOrNone,
  parent: Schema.NullOr(Schema.Struct({
    subscription_details: Schema.NullOr(Schema.Struct({ subscription: Id }))
  }))
})
export type StripeInvoiceItem = typeof StripeInvoiceItem.Type

/** The subscription whose next invoice an item waits for. */
export const subscriptionOf = ({ parent }: StripeInvoiceItem): string | undefined =>
  parent?.subscription_details?.subscription

/** The address of a page of Stripe's that a person is sent to. */
export const HostedSession = Schema.Struct({ url: Schema.RedactedFromValue(Schema.NonEmptyString) })

/** An event. The object's state in it is not used: it is read when the event is handled. */
export const StripeEvent = Schema.Struct({
  id: Id,
  type: Schema.NonEmptyString.check(Schema.isMaxLength(100)),
  created: Instant,
  data: Schema.Struct({ object: Schema.Struct({ id: Schema.optional(Id) }) })
})
export type StripeEvent = typeof StripeEvent.Type

/** An answer from which only the id is read. */
export const AnyObject = Schema.Struct({ id: Id })
