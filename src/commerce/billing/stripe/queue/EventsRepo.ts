import { Context, DateTime, type Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Instant } from "../../../../platform/schema/Instant.ts"
import { booleans, instants, texts } from "../../../../platform/sql/Arrays.ts"
import { first, rows } from "../../../../platform/sql/Rows.ts"
import { delayAfter, lease } from "./Lease.ts"

/** An event that this process handles until its lease is over. `attempts` counts this one and identifies the lease. */
export const ClaimedStripeEvent = Schema.Struct({
  id: Schema.String,
  type: Schema.String,
  object_id: Schema.String,
  attempts: Schema.Int
})
export type ClaimedStripeEvent = typeof ClaimedStripeEvent.Type

/** The part of an event that is stored. */
export interface StoredEvent {
  readonly id: string
  readonly type: string
  readonly object_id: string
  readonly occurred_at: DateTime.Utc
}

const decodeEvents = rows(ClaimedStripeEvent)
const decodeLatest = first(Schema.Struct({ occurred_at: Instant }))

const date = DateTime.toDateUtc

/** Rows deleted by one statement at most. */
const batch = 1000

/** The inbox in `billing_events`. A claim's result counts only while it is the latest claim. */
export class EventsRepo extends Context.Service<EventsRepo, {
  /** Inserts new events, due at once. `listed`: all events that Stripe lists up to this one are stored. */
  add(events: ReadonlyArray<StoredEvent>, listed: boolean): Effect.Effect<void>
  /** The time of the newest event that was found in the list. */
  readonly latestListed: Effect.Effect<Option.Option<DateTime.Utc>>
  /** Claims events that are due, longest due first. */
  claim(limit: number): Effect.Effect<ReadonlyArray<ClaimedStripeEvent>>
  finish(claimed: ClaimedStripeEvent, status: "done" | "ignored"): Effect.Effect<void>
  /** Ends the claim; the event is due again after a wait that grows with each attempt. */
  postpone(claimed: ClaimedStripeEvent): Effect.Effect<void>
  /** Deletes a batch of events from before then and returns how many. */
  sweep(before: DateTime.Utc): Effect.Effect<number>
}>()("turma/commerce/billing/stripe/queue/EventsRepo") {
  static readonly layer = Layer.effect(
    EventsRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const later = (wait: Duration.Duration) =>
        Effect.map(DateTime.now, (now) => date(DateTime.addDuration(now, wait)))

      const add = Effect.fn("EventsRepo.add")(function*(events: ReadonlyArray<StoredEvent>, listed: boolean) {
        if (events.length === 0) return
        const now = date(yield* DateTime.now)
        // Two of one id in one statement would be an error.
        const each = [...new Map(events.map((event) => [event.id, event])).values()]
        yield* sql`
          insert into billing_events as e (
            id, type, object_id, occurred_at, received_at, status, next_attempt_at, listed
          )
          select id, type, object_id, occurred_at, ${now}::timestamptz, 'pending', ${now}::timestamptz, listed
          from unnest(
            ${texts(each.map(({ id }) => id))}, ${texts(each.map(({ type }) => type))},
            ${texts(each.map(({ object_id }) => object_id))}, ${instants(each.map(({ occurred_at }) => occurred_at))},
            ${booleans(each.map(() => listed))}
          ) as given (id, type, object_id, occurred_at, listed)
          on conflict (id) do update set listed = true where excluded.listed and not e.listed`
      }, Effect.orDie)

      const latestListed = Effect.gen(function*() {
        const latest = yield* sql`
          select occurred_at from billing_events where listed order by occurred_at desc limit 1`.pipe(decodeLatest)
        return Option.map(latest, ({ occurred_at }) => occurred_at)
      })

      const claim = Effect.fn("EventsRepo.claim")(function*(limit: number) {
        const now = date(yield* DateTime.now)
        return yield* sql`
          with due as materialized (
            select id from billing_events
            where status = 'pending' and next_attempt_at <= ${now} and (leased_until is null or leased_until <= ${now})
            order by next_attempt_at limit ${limit}
            for no key update skip locked
          )
          update billing_events e set attempts = e.attempts + 1, leased_until = ${yield* later(lease)}
          from due where e.id = due.id
          returning e.id, e.type, e.object_id, e.attempts`.pipe(decodeEvents)
      })

      const finish = Effect.fn("EventsRepo.finish")(function*(claimed: ClaimedStripeEvent, status: "done" | "ignored") {
        yield* sql`
          update billing_events set status = ${status}, leased_until = null
          where id = ${claimed.id} and status = 'pending' and attempts = ${claimed.attempts}`
      }, Effect.orDie)

      const postpone = Effect.fn("EventsRepo.postpone")(function*(claimed: ClaimedStripeEvent) {
        yield* sql`
          update billing_events set next_attempt_at = ${yield* later(delayAfter(claimed.attempts))}, leased_until = null
          where id = ${claimed.id} and status = 'pending' and attempts = ${claimed.attempts}`
      }, Effect.orDie)

      const sweep = Effect.fn("EventsRepo.sweep")(function*(before: DateTime.Utc) {
        const rows = yield* sql`
          delete from billing_events where id = any(array(
            select id from billing_events where occurred_at < ${date(before)} order by occurred_at limit ${batch}
          )) returning 1`
        return rows.length
      }, Effect.orDie)

      return EventsRepo.of({ add, claim, finish, latestListed, postpone, sweep })
    })
  )
}
