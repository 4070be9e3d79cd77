import { Context, type DateTime, Effect, Layer, Option, type Redacted } from "effect"
import type { ContractedAddonId, EntryId } from "../../account/Account.ts"
import { StripeClient } from "./StripeClient.ts"
import type { StripeFailure } from "./StripeFailure.ts"
import {
  AnyObject,
  CheckoutSession,
  HostedSession,
  secondsOf,
  StripeEvent,
  StripeInvoice,
  StripeInvoiceItem,
  StripeInvoiceLine,
  StripeList,
  StripeSubscription,
  SubscriptionItem
} from "./StripeObjects.ts"

/** An item about to be added. `key`: Stripe's idempotency key. */
export interface NewSubscriptionItem {
  readonly subscription: string
  readonly price: string
  readonly addon_id: ContractedAddonId
  /** The start of the charge, within the subscription's current period. */
  readonly from: DateTime.Utc
  readonly key: string
}

/** A line for the subscription's next invoice: below zero it is credit. */
export interface NewStripeInvoiceItem {
  readonly customer: string
  readonly subscription: string
  readonly amount_cents: number
  readonly currency: string
  readonly description: string
  readonly starts_at: DateTime.Utc
  readonly ends_at: DateTime.Utc
  readonly entry_id: EntryId
  readonly key: string
}

/** A subscription to buy. */
export interface NewCheckout {
  readonly price: string
  readonly metadata: Readonly<Record<string, string>>
  readonly return_url: string
}

/** The calls to Stripe that billing needs. An object that does not exist is empty if the type allows it. */
export class StripeApi extends Context.Service<StripeApi, {
  subscription(id: string): Effect.Effect<Option.Option<StripeSubscription>, StripeFailure>
  items(subscription: string): Effect.Effect<ReadonlyArray<SubscriptionItem>, StripeFailure>
  /** Charges the rest of the period at once. If the payment fails, it is refused and nothing is added. */
  addItem(item: NewSubscriptionItem): Effect.Effect<SubscriptionItem, StripeFailure>
  /** Charges and credits nothing. */
  removeItem(id: string): Effect.Effect<void, StripeFailure>
  /** A customer's invoice items that were created since then. */
  invoiceItems(customer: string, since: DateTime.Utc): Effect.Effect<ReadonlyArray<StripeInvoiceItem>, StripeFailure>
  /** Only for an item that is on no invoice yet. */
  removeInvoiceItem(id: string): Effect.Effect<void, StripeFailure>
  addInvoiceItem(item: NewStripeInvoiceItem): Effect.Effect<StripeInvoiceItem, StripeFailure>
  /** With all of its lines. */
  invoice(id: string): Effect.Effect<Option.Option<StripeInvoice>, StripeFailure>
  invoices(subscription: string): Effect.Effect<ReadonlyArray<StripeInvoice>, StripeFailure>
  /** The subscription's next invoice as of now, with all of its lines. */
  preview(subscription: string): Effect.Effect<StripeInvoice, StripeFailure>
  session(id: string): Effect.Effect<Option.Option<typeof CheckoutSession.Type>, StripeFailure>
  portal(customer: string, return_url: string): Effect.Effect<Redacted.Redacted, StripeFailure>
  /** An address where a subscription is paid. The subscription gets this metadata. */
  checkout(checkout: NewCheckout): Effect.Effect<Redacted.Redacted, StripeFailure>
  /** A page of events from one moment to before another, of these types: newest first, after this one. */
  events(
    types: ReadonlyArray<string>,
    from: DateTime.Utc,
    until: DateTime.Utc,
    after?: string
  ): Effect.Effect<{ readonly data: ReadonlyArray<StripeEvent>; readonly has_more: boolean }, StripeFailure>
}>()("turma/commerce/billing/stripe/api/StripeApi") {
  static readonly layerNoDeps = Layer.effect(
    StripeApi,
    Effect.gen(function*() {
      const { all, call } = yield* StripeClient

      const orNone = <A>(found: Effect.Effect<A, StripeFailure>): Effect.Effect<Option.Option<A>, StripeFailure> =>
        found.pipe(
          Effect.map(Option.some),
          Effect.catch((failure) =>
            failure._tag === "StripeRefused" && failure.isMissing ? Effect.succeedNone : Effect.fail(failure)
          )
        )

      const items = (subscription: string) =>
        all((page) =>
          call(StripeList(SubscriptionItem), (sdk) => sdk.subscriptionItems.list({ subscription, ...page }))
        )

      const subscription = (id: string) =>
        orNone(Effect.gen(function*() {
          const found = yield* call(StripeSubscription, (sdk) => sdk.subscriptions.retrieve(id))
          if (!found.items.has_more) return found
          return { ...found, items: { data: yield* items(id), has_more: false } }
        }))

      const addItem = ({ addon_id, from, key, price, subscription }: NewSubscriptionItem) =>
        call(SubscriptionItem, (sdk) =>
          sdk.subscriptionItems.create({
            subscription,
            price,
            quantity: 1,
            metadata: { addon_id },
            proration_behavior: "always_invoice",
            proration_date: secondsOf(from),
            payment_behavior: "error_if_incomplete"
          }, { idempotencyKey: key }))

      const removeItem = (id: string) =>
        Effect.asVoid(call(AnyObject, (sdk) => sdk.subscriptionItems.del(id, { proration_behavior: "none" })))

      const invoiceItems = (customer: string, since: DateTime.Utc) =>
        all((page) =>
          call(
            StripeList(StripeInvoiceItem),
            (sdk) => sdk.invoiceItems.list({ customer, created: { gte: secondsOf(since) }, ...page })
          )
        )

      const removeInvoiceItem = (id: string) => Effect.asVoid(call(AnyObject, (sdk) => sdk.invoiceItems.del(id)))

      // Amounts are paid amounts: they include tax, and no discount applies again.
      const addInvoiceItem = (item: NewStripeInvoiceItem) =>
        call(StripeInvoiceItem, (sdk) =>
          sdk.invoiceItems.create({
            customer: item.customer,
            subscription: item.subscription,
            amount: item.amount_cents,
            currency: item.currency.toLowerCase(),
            description: item.description,
            discountable: false,
            tax_behavior: "inclusive",
            period: { start: secondsOf(item.starts_at), end: secondsOf(item.ends_at) },
            metadata: { entry_id: item.entry_id }
          }, { idempotencyKey: item.key }))

      // Stripe sends an invoice with its first lines only.
      const whole = Effect.fnUntraced(function*(found: StripeInvoice) {
        if (!found.lines.has_more) return found
        const lines = yield* all((page) =>
          call(StripeList(StripeInvoiceLine), (sdk) => sdk.invoices.listLineItems(found.id, page))
        )
        return { ...found, lines: { data: lines, has_more: false } }
      })

      const invoice = (id: string) =>
        orNone(Effect.flatMap(call(StripeInvoice, (sdk) => sdk.invoices.retrieve(id)), whole))

      const invoices = (subscription: string) =>
        Effect.flatMap(
          all((page) => call(StripeList(StripeInvoice), (sdk) => sdk.invoices.list({ subscription, ...page }))),
          Effect.forEach(whole)
        )

      const preview = (subscription: string) =>
        Effect.flatMap(call(StripeInvoice, (sdk) => sdk.invoices.createPreview({ subscription })), whole)

      const session = (id: string) => orNone(call(CheckoutSession, (sdk) => sdk.checkout.sessions.retrieve(id)))

      const portal = (customer: string, return_url: string) =>
        Effect.map(
          call(HostedSession, (sdk) => sdk.billingPortal.sessions.create({ customer, return_url })),
          ({ url }) => url
        )

      const checkout = ({ metadata, price, return_url }: NewCheckout) =>
        Effect.map(
          call(HostedSession, (sdk) =>
            sdk.checkout.sessions.create({
              mode: "subscription",
              line_items: [{ price, quantity: 1 }],
              subscription_data: { metadata: { ...metadata } },
              success_url: return_url,
              cancel_url: return_url
            })),
          ({ url }) => url
        )

      const events = (types: ReadonlyArray<string>, from: DateTime.Utc, until: DateTime.Utc, after?: string) =>
        call(StripeList(StripeEvent), (sdk) =>
          sdk.events.list({
            types: [...types],
            created: { gte: secondsOf(from), lt: secondsOf(until) },
            limit: 100,
            ...(after !== undefined && { starting_after: after })
          }))

      return StripeApi.of({
        addInvoiceItem,
        addItem,
        checkout,
        events,
        invoice,
        invoiceItems,
        invoices,
        items,
        portal,
        preview,
        removeInvoiceItem,
        removeItem,
        session,
        subscription
      })
    })
  )
}
