import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { eventSource, type Recorded } from "../../../events/EventSources.ts"
import { EventId } from "../../../events/EventType.ts"
import { makeWithStudent } from "../../../events/WithStudent.ts"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { enrollmentsOfSales } from "../../../membership/access/EventEnrollments.ts"
import { uuids } from "../../../platform/sql/Arrays.ts"
import { PurchaseId, PurchaseStatus } from "./Purchase.ts"
import { SubscriptionId, SubscriptionStatus } from "./Subscription.ts"

const Text = Schema.NullOr(Schema.String)
const Moment = Schema.NullOr(Schema.DateTimeUtcFromDate)

const Sold = {
  event_id: EventId,
  platform: Schema.String,
  external_id: Schema.String,
  product_external_id: Schema.String,
  product_name: Text
}

const PurchaseOfEvent = Schema.Struct({
  ...Sold,
  id: PurchaseId,
  status: PurchaseStatus,
  offer_external_id: Text,
  amount_cents: Schema.NullOr(Schema.Int),
  currency: Text,
  payment_method: Text,
  recurrence: Schema.NullOr(Schema.Int),
  subscription_id: Schema.NullOr(SubscriptionId),
  paid_at: Moment,
  refunded_at: Moment
})

const SubscriptionOfEvent = Schema.Struct({
  ...Sold,
  id: SubscriptionId,
  status: SubscriptionStatus,
  plan_name: Text,
  current_period_end: Moment,
  past_due_since: Moment,
  canceled_at: Moment
})

const decodePurchases = Schema.decodeUnknownEffect(Schema.Array(PurchaseOfEvent))
const decodeSubscriptions = Schema.decodeUnknownEffect(Schema.Array(SubscriptionOfEvent))

interface About {
  readonly id: EventId
  readonly club_id: ClubId
}

const withProduct = <Row extends { readonly product_external_id: string; readonly product_name: string | null }>(
  { product_external_id: external_id, product_name: name, ...row }: Row
) => ({ ...row, product: { external_id, name } })

/** What events about sales show, as it is now; one statement for all events of a type. */
const makeReaders = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  const aboutOf = (events: ReadonlyArray<About>, subjects: ReadonlyArray<string>) =>
    sql`
      unnest(${uuids(events.map(({ id }) => id))}, ${uuids(events.map(({ club_id }) => club_id))}, ${uuids(subjects)})
        as about (event_id, club_id, subject_id)`

  // When the money went back, by whichever way the status tells.
  const purchases = Effect.fnUntraced(
    function*(events: ReadonlyArray<Recorded<"purchase.paid" | "purchase.refunded">>) {
      const rows = yield* sql`
        select about.event_id, p.id, p.platform, p.external_id, p.status, p.product_external_id, p.product_name,
          p.offer_external_id, p.amount_cents::float8 as amount_cents, p.currency, p.payment_method, p.recurrence,
          p.subscription_id, p.paid_at,
          case p.status when 'chargeback' then p.charged_back_at when 'refunded' then p.refunded_at end as refunded_at
        from ${aboutOf(events, events.map(({ fact }) => fact.purchase_id))}
        join purchases p on p.club_id = about.club_id and p.id = about.subject_id`
      return new Map((yield* decodePurchases(rows)).map(({ event_id, ...row }) => [event_id, withProduct(row)]))
    },
    Effect.orDie
  )

  // A cancellation that a renewal has undone is none.
  const subscriptions = Effect.fnUntraced(
    function*(events: ReadonlyArray<Recorded<"subscription.past_due" | "subscription.canceled">>) {
      const rows = yield* sql`
        select about.event_id, s.id, s.platform, s.external_id, s.status, s.plan_name, s.product_external_id,
          s.product_name, s.current_period_end, s.past_due_since,
          case s.status when 'canceled' then s.canceled_at end as canceled_at
        from ${aboutOf(events, events.map(({ fact }) => fact.subscription_id))}
        join subscriptions s on s.club_id = about.club_id and s.id = about.subject_id`
      return new Map((yield* decodeSubscriptions(rows)).map(({ event_id, ...row }) => [event_id, withProduct(row)]))
    },
    Effect.orDie
  )

  return { purchases, subscriptions }
})

/** The events about purchases and subscriptions (contract, Events). */
export const saleEvents = Effect.gen(function*() {
  const read = yield* makeReaders
  const enrollmentsOf = yield* enrollmentsOfSales
  const withStudent = yield* makeWithStudent

  const ofPurchase = Effect.fnUntraced(
    function*(events: ReadonlyArray<Recorded<"purchase.paid"> | Recorded<"purchase.refunded">>) {
      const purchases = yield* read.purchases(events)
      const found = events.flatMap(({ club_id, fact, id }) => {
        const purchase = purchases.get(id)
        return purchase === undefined
          ? []
          : [{ club_id, id, fact, purchase, purchase_id: purchase.id, subscription_id: purchase.subscription_id }]
      })
      const enrollments = yield* enrollmentsOf(found)
      return yield* withStudent(
        found,
        (student, { id, purchase }) => ({ student, purchase, enrollments: enrollments.get(id) ?? [] })
      )
    }
  )

  const ofSubscription = Effect.fnUntraced(
    function*(events: ReadonlyArray<Recorded<"subscription.past_due"> | Recorded<"subscription.canceled">>) {
      const subscriptions = yield* read.subscriptions(events)
      const found = events.flatMap(({ club_id, fact, id }) => {
        const subscription = subscriptions.get(id)
        return subscription === undefined ? [] : [{ club_id, id, fact, subscription }]
      })
      return yield* withStudent(found, (student, { subscription }) => ({ student, subscription }))
    }
  )

  return [
    eventSource("purchase.paid", ofPurchase),
    eventSource("purchase.refunded", ofPurchase),
    eventSource("subscription.past_due", ofSubscription),
    eventSource("subscription.canceled", ofSubscription)
  ]
})
