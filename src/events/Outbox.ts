import { Array, Context, DateTime, type Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClubId, OrganizationId } from "../identity/ids/ClubId.ts"
import { StudentId } from "../identity/ids/StudentId.ts"
import { backOff } from "../platform/jobs/BackOff.ts"
import { longestQueued } from "../platform/jobs/QueuedWork.ts"
import type { WorkQueue } from "../platform/jobs/WorkQueue.ts"
import { Instant } from "../platform/schema/Instant.ts"
import { uuids } from "../platform/sql/Arrays.ts"
import { one, rows } from "../platform/sql/Rows.ts"
import { floorOf, timeOf } from "../platform/sql/Uuid7.ts"
import { KeptTrace } from "../platform/tracing/KeptTrace.ts"
import { EventId } from "./EventType.ts"

/** A fact that waits for its assembly, locked by the caller's transaction. */
export const ClaimedFact = Schema.Struct({
  club_id: ClubId,
  id: EventId,
  type: Schema.String,
  student_id: StudentId,
  subject: Schema.Record(Schema.String, Schema.Unknown),
  occurred_at: Instant,
  /** The fact's place in the order of facts and endpoints. Null before it has one. */
  place: Schema.NullOr(Schema.Int),
  organization_id: OrganizationId,
  /** True if the student is erased by now. */
  erased: Schema.Boolean,
  /** How often assembling it has failed. */
  failures: Schema.Int,
  /** The trace of its request or work. */
  trace: KeptTrace
})
export type ClaimedFact = typeof ClaimedFact.Type

/** Names a fact. */
export interface FactKey {
  readonly club_id: ClubId
  readonly id: EventId
}

/** How long a fact waits after this many failures: 10 seconds, doubling up to 10 minutes. */
export const delayAfter = backOff({ first: "10 seconds", longest: "10 minutes" })

/** When the earliest fact is due. */
export const nextFact = (sql: SqlClient.SqlClient) => sql`(select min(due_at) from event_outbox)`

/** The facts in the outbox, which come this long before they are due. */
export const waitingFacts = (notice: Duration.Duration): WorkQueue => ({
  name: "events",
  waiting: (sql) => sql`from event_outbox`,
  nextDue: nextFact,
  notice
})

/** The facts without a message yet. */
export class Outbox extends Context.Service<Outbox, {
  /** The time of the oldest id that a claim of `limit` facts may find. `None` if no fact is due. */
  peek(limit: number): Effect.Effect<Option.Option<DateTime.Utc>>
  /**
   * Locks due facts with ids of `from` or later for the caller's transaction, longest due first. Skips facts that other
   * transactions have locked. If these fill `limit`, adds at most as many facts of the other clubs, a fair share for
   * each. So no club waits behind another one's import.
   */
  claim(limit: number, from: DateTime.Utc): Effect.Effect<ReadonlyArray<ClaimedFact>>
  /** Locks those of these facts that are still there and that no other transaction has locked. */
  claimByKey(keys: ReadonlyArray<FactKey>): Effect.Effect<ReadonlyArray<ClaimedFact>>
  remove(keys: ReadonlyArray<FactKey>): Effect.Effect<void>
  /** One more failure, and a later time. */
  postpone(fact: ClaimedFact): Effect.Effect<void>
  /** Since when the oldest due fact has been due. */
  readonly oldestDue: Effect.Effect<Option.Option<DateTime.Utc>>
}>()("turma/events/Outbox") {
  static readonly layer = Layer.effect(
    Outbox,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const now = Effect.map(DateTime.now, DateTime.toDateUtc)
      const decodeIds = rows(Schema.Struct({ id: EventId, is_full: Schema.Boolean }))

      const decodeOldest = one(Schema.Struct({ oldest: Schema.OptionFromNullOr(Instant) }))

      // An id carries the time the fact was recorded. For queued work it carries the time the work was queued. If more
      // facts are due than `limit`, those of other clubs may come from work that was queued earlier.
      const peek = Effect.fnUntraced(function*(limit: number) {
        const rows = yield* sql`
          select id, count(*) over () = ${limit} as is_full from (
            select id from event_outbox where due_at <= ${yield* now} order by due_at, id limit ${limit}
          ) as first
          order by id limit 1`.pipe(decodeIds)
        return Option.map(
          Array.head(rows),
          ({ id, is_full }) => is_full ? DateTime.subtractDuration(timeOf(id), longestQueued) : timeOf(id)
        )
      })

      const selectClaimed = sql`
        select claimed.club_id, claimed.id, claimed.type, claimed.student_id, claimed.subject, claimed.occurred_at,
          claimed.place::float8 as place, claimed.failures, claimed.trace, c.organization_id,
          exists (
            select from erased_students e where e.club_id = claimed.club_id and e.student_id = claimed.student_id
          ) as erased
        from claimed join clubs c on c.id = claimed.club_id
        order by claimed.due_at, claimed.id`

      const decodeClaimed = rows(ClaimedFact)

      const selectDue = (limit: number, from: DateTime.Utc, at: Date) =>
        sql`
          with claimed as materialized (
            select * from event_outbox
            where due_at <= ${at} and id >= ${floorOf(from)}::uuid
            order by due_at, id
            limit ${limit}
            for update skip locked
          )
          ${selectClaimed}`.pipe(decodeClaimed)

      // One search for each club, however many facts it has.
      const selectOtherClubs = (limit: number, from: DateTime.Utc, at: Date, served: ReadonlyArray<ClubId>) =>
        sql`
          with recursive waiting as (
            (select club_id, due_at from event_outbox order by club_id, due_at limit 1)
            union all
            select next.club_id, next.due_at
            from waiting cross join lateral (
              select o.club_id, o.due_at from event_outbox o
              where o.club_id > waiting.club_id order by o.club_id, o.due_at limit 1
            ) next
          ), others as materialized (
            select club_id from waiting
            where due_at <= ${at} and club_id <> all(${uuids(served)})
            order by due_at limit ${limit}
          ), claimed as materialized (
            select fact.* from others cross join lateral (
              select * from event_outbox o
              where o.club_id = others.club_id and o.due_at <= ${at} and o.id >= ${floorOf(from)}::uuid
              order by o.due_at, o.id
              limit greatest(1, ${limit}::int / (select count(*) from others))
              for update skip locked
            ) fact
          )
          ${selectClaimed}`.pipe(decodeClaimed)

      const claim = Effect.fnUntraced(function*(limit: number, from: DateTime.Utc) {
        const at = yield* now
        const first = yield* selectDue(limit, from, at)
        if (first.length < limit) return first
        const served = [...new Set(first.map(({ club_id }) => club_id))]
        return [...first, ...yield* selectOtherClubs(limit, from, at, served)]
      })

      const keyRows = (keys: ReadonlyArray<FactKey>) =>
        sql`unnest(${uuids(keys.map(({ club_id }) => club_id))}, ${uuids(keys.map(({ id }) => id))})`

      const claimByKey = Effect.fnUntraced(function*(keys: ReadonlyArray<FactKey>) {
        return yield* sql`
          with claimed as materialized (
            select o.* from event_outbox o join ${keyRows(keys)} as asked (club_id, id) using (club_id, id)
            for update of o skip locked
          )
          ${selectClaimed}`.pipe(decodeClaimed)
      })

      const remove = Effect.fnUntraced(function*(keys: ReadonlyArray<FactKey>) {
        yield* sql`
          delete from event_outbox o using ${keyRows(keys)} as done (club_id, id)
          where o.club_id = done.club_id and o.id = done.id`
      }, Effect.orDie)

      const postpone = Effect.fn("Outbox.postpone")(function*({ club_id, failures, id }: ClaimedFact) {
        const due = DateTime.addDuration(yield* DateTime.now, delayAfter(failures + 1))
        yield* sql`
          update event_outbox set failures = failures + 1, due_at = ${DateTime.toDateUtc(due)}
          where club_id = ${club_id} and id = ${id}`
      }, Effect.orDie)

      const oldestDue = Effect.gen(function*() {
        const { oldest } = yield* sql`
          select min(due_at) as oldest from event_outbox where due_at <= ${yield* now}`.pipe(decodeOldest)
        return oldest
      })

      return Outbox.of({ peek, claim, claimByKey, remove, postpone, oldestDue })
    })
  )
}
