import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { makeDataWithStudent } from "../../../events/DataWithStudent.ts"
import { eventSource, type RecordedFact } from "../../../events/EventSources.ts"
import { EventId } from "../../../events/EventType.ts"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { enrollmentsOfSales } from "../../../membership/access/EventEnrollments.ts"
import { InstantOrNull } from "../../../platform/schema/Instant.ts"
import { uuids } from "../../../platform/sql/Arrays.ts"
import { rows } from "../../../platform/sql/Rows.ts"
import { PurchaseId, PurchaseStatus } from "./Purchase.ts"
import { SubscriptionId, SubscriptionStatus } from "./Subscription.ts"

const Text = Schema.NullOr(Schema.String)

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
  paid_at: InstantOrNull,
  refunded_at: InstantOrNull
})

const SubscriptionOfEvent = Schema.Struct({
  ...Sold,
  id: SubscriptionId,
  status: SubscriptionStatus,
  plan_name: Text,
  current_period_end: InstantOrNull,
  past_due_since: InstantOrNull,
  canceled_at: InstantOrNull
})

const decodePurchases = rows(PurchaseOfEvent)
const decodeSubscriptions = rows(SubscriptionOfEvent)

interface About {
  readonly id: EventId
  readonly club_id: ClubId
}

const withProduct = <Row extends { readonly product_external_id: string; readonly product_name: string | null }>(
  { product_external_id: external_id, product_name: name, ...row }: Row
) => ({ ...row, product: { external_id, name } })

/** Reads the present data of events about sales: one statement for all events of a type. */
const makeReaders = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  const aboutOf = (events: ReadonlyArray<About>, subjects: ReadonlyArray<string>) =>
    sql`
      unnest(${uuids(events.map(({ id }) => id))}, ${uuids(events.map(({ club_id }) => club_id))}, ${uuids(subjects)})
        as about (event_id, club_id, subject_id)`

  // `refunded_at` is the time of the refund or of the chargeback, as the status says.
  const purchases = Effect.fnUntraced(function*(
    events: ReadonlyArray<RecordedFact<"purchase.paid" | "purchase.refunded">>
  ) {
    const rows = yield* sql`
        select about.event_id, p.id, p.platform, p.external_id, p.status, p.product_external_id, p.product_name,
          p.offer_external_id, p.amount_cents::float8 as amount_cents, p.currency, p.payment_method, p.recurrence,
          p.subscription_id, p.paid_at,
          case p.status when 'chargeback' then p.charged_back_at when 'refunded' then p.refunded_at end as refunded_at
        from ${aboutOf(events, events.map(({ fact }) => fact.purchase_id))}
        join purchases p on p.club_id = about.club_id and p.id = about.subject_id`.pipe(decodePurchases)
    return new Map(rows.map(({ event_id, ...row }) => [event_id, withProduct(row)]))
  })

  // A cancellation that a renewal has undone is not shown.
  const subscriptions = Effect.fnUntraced(function*(
    events: ReadonlyArray<RecordedFact<"subscription.past_due" | "subscription.canceled">>
  ) {
    const rows = yield* sql`
        select about.event_id, s.id, s.platform, s.external_id, s.status, s.plan_name, s.product_external_id,
          s.product_name, s.current_period_end, s.past_due_since,
          case s.status when 'canceled' then s.canceled_at end as canceled_at
        from ${aboutOf(events, events.map(({ fact }) => fact.subscription_id))}
        join subscriptions s on s.club_id = about.club_id and s.id = about.subject_id`.pipe(decodeSubscriptions)
    return new Map(rows.map(({ event_id, ...row }) => [event_id, withProduct(row)]))
  })

  return { purchases, subscriptions }
})

/** The events about purchases and subscriptions (contract, Events). */
export const saleEvents = Effect.gen(function*() {
  const read = yield* makeReaders
  const enrollmentsOf = yield* enrollmentsOfSales
  const withStudent = yield* makeDataWithStudent

  const ofPurchase = Effect.fnUntraced(function*(
    events: ReadonlyArray<RecordedFact<"purchase.paid"> | RecordedFact<"purchase.refunded">>
  ) {
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
  })

  const ofSubscription = Effect.fnUntraced(function*(
    events: ReadonlyArray<RecordedFact<"subscription.past_due"> | RecordedFact<"subscription.canceled">>
  ) {
    const subscriptions = yield* read.subscriptions(events)
    const found = events.flatMap(({ club_id, fact, id }) => {
      const subscription = subscriptions.get(id)
      return subscription === undefined ? [] : [{ club_id, id, fact, subscription }]
    })
    return yield* withStudent(found, (student, { subscription }) => ({ student, subscription }))
  })

  return [
    eventSource("purchase.paid", ofPurchase),
    eventSource("purchase.refunded", ofPurchase),
    eventSource("subscription.past_due", ofSubscription),
    eventSource("subscription.canceled", ofSubscription)
  ]
})
