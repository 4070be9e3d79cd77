import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClubId } from "../../../identity/ids/ClubId.ts"
import type { StudentId } from "../../../identity/ids/StudentId.ts"
import { backOff } from "../../../platform/jobs/BackOff.ts"
import { Instant } from "../../../platform/schema/Instant.ts"
import { booleans, texts, uuids } from "../../../platform/sql/Arrays.ts"
import { rows } from "../../../platform/sql/Rows.ts"
import { KeptTrace } from "../../../platform/tracing/KeptTrace.ts"
import { type EventKey, InboundEventId, type Outcome } from "../inbound/InboundEvent.ts"
import { purchaseOrder } from "../inbound/NewInboundEvent.ts"
import { PlatformKey } from "../platform/Platform.ts"

const Key = Schema.Struct({ club_id: ClubId, id: InboundEventId })

/**
 * An event that is due. `is_sale`: it is about a single purchase and has not failed, so it is probably a sale that may be
 * settled together with others.
 */
export const DueInboundEvent = Schema.Struct({
  ...Key.fields,
  platform: PlatformKey,
  is_sale: Schema.Boolean,
  /** The request that brought it. */
  trace: KeptTrace
})
export type DueInboundEvent = typeof DueInboundEvent.Type

/** An event that is being processed, locked by the caller's transaction. */
export const ClaimedInboundEvent = Schema.Struct({
  ...Key.fields,
  platform: PlatformKey,
  raw: Schema.NullOr(Schema.Uint8Array),
  purchase_ref: Schema.NullOr(Schema.String),
  received_at: Instant,
  /** Since when it waits; the same after it has failed. */
  queued_at: Instant,
  failures: Schema.Int
})
export type ClaimedInboundEvent = typeof ClaimedInboundEvent.Type

/** The result that is stored of a processed event. */
export interface Completion {
  readonly id: InboundEventId
  readonly outcome: Outcome
  readonly detail: string | null
  readonly student_id: StudentId | null
  /** True if the platform's text has to be deleted. */
  readonly forget: boolean
}

/** How long an event waits after this many failures: 10 seconds, doubling up to 10 minutes. */
export const delayAfter = backOff({ first: "10 seconds", longest: "10 minutes" })

/** After so many failures, in more than two hours, only an administrator can have it tried again. */
export const mostFailures = 20

const decodeDue = rows(DueInboundEvent)
const decodeClaimed = rows(ClaimedInboundEvent)

/** The queue in `inbound_events`: the rows with a `due_at`. */
export class InboundQueueRepo extends Context.Service<InboundQueueRepo, {
  /**
   * Events that are due and not blocked by an earlier one of the same purchase, longest due first, with a fair share
   * for each club. Locks nothing.
   */
  due(limit: number): Effect.Effect<ReadonlyArray<DueInboundEvent>>
  /** Locks the events until the caller's transaction ends, but those that are not due, blocked, or locked by another. */
  claim(club_id: ClubId, ids: ReadonlyArray<InboundEventId>): Effect.Effect<ReadonlyArray<ClaimedInboundEvent>>
  finish(club_id: ClubId, completions: ReadonlyArray<Completion>): Effect.Effect<void>
  /** Counts one more failure and sets a later time, or gives up; does nothing if the event has changed since the claim. */
  postpone(key: EventKey, failures: number): Effect.Effect<void>
}>()("turma/commerce/sales/queue/InboundQueueRepo") {
  static readonly layer = Layer.effect(
    InboundQueueRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const now = Effect.map(DateTime.now, DateTime.toDateUtc)

      // An event that failed blocks later ones until it is processed or given up.
      const isFirst = sql`
        not exists (
          select from inbound_events earlier
          where earlier.club_id = e.club_id and earlier.order_key = e.order_key and earlier.id < e.id
            and earlier.due_at is not null
        )`

      // Finds each club by one index search, however many events it has.
      const due = Effect.fnUntraced(function*(limit: number) {
        const at = yield* now
        return yield* sql`
          with recursive waiting as (
            (select club_id from inbound_events where due_at is not null order by club_id limit 1)
            union all
            select next.club_id from waiting cross join lateral (
              select o.club_id from inbound_events o
              where o.due_at is not null and o.club_id > waiting.club_id order by o.club_id limit 1
            ) next
          )
          select turn.club_id, turn.id, turn.platform, turn.is_sale, turn.trace from waiting cross join lateral (
            select e.club_id, e.id, e.due_at, e.platform, e.trace,
              e.order_key like ${`${purchaseOrder}%`} and e.failures = 0 as is_sale
            from inbound_events e
            where e.club_id = waiting.club_id and e.due_at <= ${at} and ${isFirst}
            order by e.due_at, e.id
            limit greatest(1, ${limit}::int / (select count(*) from waiting))
          ) turn
          order by turn.due_at, turn.id
          limit ${limit}`.pipe(decodeDue)
      })

      const claim = Effect.fnUntraced(function*(club_id: ClubId, ids: ReadonlyArray<InboundEventId>) {
        return yield* sql`
          select e.club_id, e.id, e.platform, e.raw, e.purchase_ref, e.received_at, e.failures,
            coalesce(e.queued_at, case when e.failures = 0 then e.due_at else e.received_at end) as queued_at
          from inbound_events e
          where e.club_id = ${club_id} and e.id = any(${uuids(ids)}) and e.due_at <= ${yield* now} and ${isFirst}
          order by e.id
          for no key update of e skip locked`.pipe(decodeClaimed)
      })

      const finish = Effect.fnUntraced(
        function*(club_id: ClubId, completions: ReadonlyArray<Completion>) {
          yield* sql`
            update inbound_events e set
              outcome = done.outcome, detail = done.detail, finished_at = ${yield* now}, due_at = null, queued_at = null,
              student_id = coalesce(done.student_id, e.student_id),
              raw = case when forget then null else e.raw end,
              person_key = case when forget then null else e.person_key end,
              external_event_id = case when forget then null else e.external_event_id end
            from unnest(
              ${uuids(completions.map(({ id }) => id))}, ${texts(completions.map(({ outcome }) => outcome))},
              ${texts(completions.map(({ detail }) => detail))},
              ${uuids(completions.map(({ student_id }) => student_id))},
              ${booleans(completions.map(({ forget }) => forget))}
            ) as done (id, outcome, detail, student_id, forget)
            where e.club_id = ${club_id} and e.id = done.id`
        },
        Effect.orDie
      )

      const postpone = Effect.fn("InboundQueueRepo.postpone")(function*({ club_id, id }: EventKey, failures: number) {
        const at = yield* DateTime.now
        const isLast = failures + 1 >= mostFailures
        const due_at = isLast ? null : DateTime.toDateUtc(DateTime.addDuration(at, delayAfter(failures + 1)))
        yield* sql`
          update inbound_events set
            failures = failures + 1, due_at = ${due_at}::timestamptz,
            queued_at = coalesce(queued_at, case when failures = 0 then due_at end),
            outcome = ${isLast ? "failed" : null}::text,
            detail = ${isLast ? `processing failed ${mostFailures} times` : null}::text,
            finished_at = ${isLast ? DateTime.toDateUtc(at) : null}::timestamptz
          where club_id = ${club_id} and id = ${id} and due_at is not null and failures = ${failures}`
      }, Effect.orDie)

      return InboundQueueRepo.of({ due, claim, finish, postpone })
    })
  )
}
