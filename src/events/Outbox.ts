import { Array, Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { ClubId, OrganizationId } from "../identity/ids/ClubId.ts"
import { StudentId } from "../identity/ids/StudentId.ts"
import { uuids } from "../platform/sql/Arrays.ts"
import { floorOf, timeOf } from "../platform/sql/Uuid7.ts"
import { EventId } from "./EventType.ts"

const Instant = Schema.DateTimeUtcFromDate

/** A fact that waits for its assembly, held by the caller's transaction. */
export const Claimed = Schema.Struct({
  club_id: ClubId,
  id: EventId,
  type: Schema.String,
  student_id: StudentId,
  subject: Schema.Record(Schema.String, Schema.Unknown),
  occurred_at: Instant,
  organization_id: OrganizationId,
  /** Whether the student is erased by now. */
  erased: Schema.Boolean,
  /** How often assembling it has failed. */
  failures: Schema.Int
})
export type Claimed = typeof Claimed.Type

/** Names a fact. */
export interface FactKey {
  readonly club_id: ClubId
  readonly id: EventId
}

const firstDelay = Duration.seconds(10)
const longestDelay = Duration.minutes(10)

/** How long a fact waits after this many failures: 10 seconds, doubling up to 10 minutes. */
export const delayAfter = (failures: number): Duration.Duration =>
  Duration.min(Duration.times(firstDelay, 2 ** Math.min(failures - 1, 20)), longestDelay)

/** The facts that are not yet messages, for who makes messages of them. */
export class Outbox extends Context.Service<Outbox, {
  /** When the earliest of the facts was recorded that `claim` would come to first; none if nothing is due. */
  peek(limit: number): Effect.Effect<Option.Option<DateTime.Utc>>
  /**
   * The facts due longest that were recorded at `from` or later, for the caller's transaction alone: what others hold is
   * passed over. Where that fills `limit`, up to as many of the clubs that it left out, a fair share of each: nobody
   * waits behind one club's import.
   */
  claim(limit: number, from: DateTime.Utc): Effect.Effect<ReadonlyArray<Claimed>>
  /** Of these facts those that are still there and that nobody else holds. */
  claimThese(keys: ReadonlyArray<FactKey>): Effect.Effect<ReadonlyArray<Claimed>>
  remove(keys: ReadonlyArray<FactKey>): Effect.Effect<void>
  /** One more failure, and a later time. */
  putOff(fact: Claimed): Effect.Effect<void>
  /** Since when the oldest due fact has been due. */
  readonly oldestDue: Effect.Effect<Option.Option<DateTime.Utc>>
}>()("turma/events/Outbox") {
  static readonly layer = Layer.effect(
    Outbox,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const now = Effect.map(DateTime.now, DateTime.toDateUtc)
      const decodeIds = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: EventId })))

      const Oldest = Schema.Tuple([Schema.Struct({ oldest: Schema.OptionFromNullOr(Instant) })])
      const decodeOldest = Schema.decodeUnknownEffect(Oldest)

      // A fact was recorded when its id says: what it tells of may have happened long before.
      const peek = Effect.fnUntraced(function*(limit: number) {
        const rows = yield* sql`
          select id from (
            select id from event_outbox where due_at <= ${yield* now} order by due_at, id limit ${limit}
          ) as first
          order by id limit 1`
        return Option.map(Array.head(yield* decodeIds(rows)), ({ id }) => timeOf(id))
      }, Effect.orDie)

      const fromHeld = sql`
        select held.club_id, held.id, held.type, held.student_id, held.subject, held.occurred_at, held.failures,
          c.organization_id,
          exists (
            select from erased_students e where e.club_id = held.club_id and e.student_id = held.student_id
          ) as erased
        from held join clubs c on c.id = held.club_id
        order by held.due_at, held.id`

      const selectDue = SqlSchema.findAll({
        Request: Schema.Struct({ limit: Schema.Int, now: Instant, from: Schema.DateTimeUtc }),
        Result: Claimed,
        execute: ({ from, limit, now }) =>
          sql`
            with held as materialized (
              select * from event_outbox
              where due_at <= ${now} and id >= ${floorOf(from)}::uuid
              order by due_at, id
              limit ${limit}
              for update skip locked
            )
            ${fromHeld}`
      })

      // The clubs are found by one search each, however many facts they have.
      const selectOthers = SqlSchema.findAll({
        Request: Schema.Struct({
          limit: Schema.Int,
          now: Instant,
          from: Schema.DateTimeUtc,
          served: Schema.Array(ClubId)
        }),
        Result: Claimed,
        execute: ({ from, limit, now, served }) =>
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
              where due_at <= ${now} and club_id <> all(${uuids(served)})
              order by due_at limit ${limit}
            ), held as materialized (
              select fact.* from others cross join lateral (
                select * from event_outbox o
                where o.club_id = others.club_id and o.due_at <= ${now} and o.id >= ${floorOf(from)}::uuid
                order by o.due_at, o.id
                limit greatest(1, ${limit}::int / (select count(*) from others))
                for update skip locked
              ) fact
            )
            ${fromHeld}`
      })

      const claim = Effect.fnUntraced(function*(limit: number, from: DateTime.Utc) {
        const now = yield* DateTime.now
        const first = yield* selectDue({ limit, from, now })
        if (first.length < limit) return first
        const served = [...new Set(first.map(({ club_id }) => club_id))]
        return [...first, ...yield* selectOthers({ limit, from, now, served })]
      }, Effect.orDie)

      const these = (keys: ReadonlyArray<FactKey>) =>
        sql`unnest(${uuids(keys.map(({ club_id }) => club_id))}, ${uuids(keys.map(({ id }) => id))})`

      const decodeClaimed = Schema.decodeUnknownEffect(Schema.Array(Claimed))

      const claimThese = Effect.fnUntraced(function*(keys: ReadonlyArray<FactKey>) {
        const rows = yield* sql`
          with held as materialized (
            select o.* from event_outbox o join ${these(keys)} as asked (club_id, id) using (club_id, id)
            for update of o skip locked
          )
          ${fromHeld}`
        return yield* decodeClaimed(rows)
      }, Effect.orDie)

      const remove = Effect.fnUntraced(function*(keys: ReadonlyArray<FactKey>) {
        yield* sql`
          delete from event_outbox o using ${these(keys)} as done (club_id, id)
          where o.club_id = done.club_id and o.id = done.id`
      }, Effect.orDie)

      const putOff = Effect.fn("Outbox.putOff")(function*({ club_id, failures, id }: Claimed) {
        const due = DateTime.addDuration(yield* DateTime.now, delayAfter(failures + 1))
        yield* sql`
          update event_outbox set failures = failures + 1, due_at = ${DateTime.toDateUtc(due)}
          where club_id = ${club_id} and id = ${id}`
      }, Effect.orDie)

      const oldestDue = Effect.gen(function*() {
        const [{ oldest }] = yield* Effect.flatMap(
          sql`select min(due_at) as oldest from event_outbox where due_at <= ${yield* now}`,
          decodeOldest
        )
        return oldest
      }).pipe(Effect.orDie)

      return Outbox.of({ peek, claim, claimThese, remove, putOff, oldestDue })
    })
  )
}
