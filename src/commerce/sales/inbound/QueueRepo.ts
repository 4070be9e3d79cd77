import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClubId } from "../../../identity/ids/ClubId.ts"
import type { StudentId } from "../../../identity/ids/StudentId.ts"
import { PlatformKey } from "../platform/Platform.ts"
import { type EventKey, InboundEventId, type Outcome } from "./InboundEvent.ts"

const Key = Schema.Struct({ club_id: ClubId, id: InboundEventId })

/** An event that is being processed, held by the caller's transaction. */
export const Claimed = Schema.Struct({
  ...Key.fields,
  platform: PlatformKey,
  raw: Schema.NullOr(Schema.Uint8Array),
  purchase_ref: Schema.NullOr(Schema.String),
  received_at: Schema.DateTimeUtcFromDate,
  failures: Schema.Int
})
export type Claimed = typeof Claimed.Type

/** What is written down of an event that is done. */
export interface Finish {
  readonly outcome: Outcome
  readonly detail: string | null
  readonly student_id: StudentId | null
  /** Whether nothing of what the platform wrote may be kept. */
  readonly forget: boolean
}

const firstDelay = Duration.seconds(10)
const longestDelay = Duration.minutes(10)

/** How long an event waits after this many failures: 10 seconds, doubling up to 10 minutes. */
export const delayAfter = (failures: number): Duration.Duration =>
  Duration.min(Duration.times(firstDelay, 2 ** Math.min(failures - 1, 20)), longestDelay)

/** After so many failures, more than two hours, nothing but a person's wish tries again. */
export const mostFailures = 20

const decodeKeys = Schema.decodeUnknownEffect(Schema.Array(Key))
const decodeClaimed = Schema.decodeUnknownEffect(Schema.Array(Claimed))

/** The queue in `inbound_events`: what has a `due_at`. */
export class QueueRepo extends Context.Service<QueueRepo, {
  /**
   * Events that are due and that no earlier one of the same purchase holds up, longest due first: a fair share of each
   * club that has any. Nobody holds them yet.
   */
  due(limit: number): Effect.Effect<ReadonlyArray<EventKey>>
  /** Holds the event until the caller's transaction ends; none if it is not due, held up, or held by another. */
  claim(key: EventKey): Effect.Effect<Option.Option<Claimed>>
  finish(key: EventKey, finish: Finish): Effect.Effect<void>
  /** One more failure than these, and a later time, or the end; nothing if it is no longer as it was claimed. */
  putOff(key: EventKey, failures: number): Effect.Effect<void>
}>()("turma/sales/QueueRepo") {
  static readonly layer = Layer.effect(
    QueueRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const now = Effect.map(DateTime.now, DateTime.toDateUtc)

      // Later ones wait behind one that failed, too: until it is done, or given up.
      const isFirst = sql`
        not exists (
          select from inbound_events earlier
          where earlier.club_id = e.club_id and earlier.order_key = e.order_key and earlier.id < e.id
            and earlier.due_at is not null
        )`

      // The clubs are found by one search each, however many events they have.
      const due = Effect.fnUntraced(function*(limit: number) {
        const at = yield* now
        const rows = yield* sql`
          with recursive waiting as (
            (select club_id from inbound_events where due_at is not null order by club_id limit 1)
            union all
            select next.club_id from waiting cross join lateral (
              select o.club_id from inbound_events o
              where o.due_at is not null and o.club_id > waiting.club_id order by o.club_id limit 1
            ) next
          )
          select turn.club_id, turn.id from waiting cross join lateral (
            select e.club_id, e.id, e.due_at
            from inbound_events e
            where e.club_id = waiting.club_id and e.due_at <= ${at} and ${isFirst}
            order by e.due_at, e.id
            limit greatest(1, ${limit}::int / (select count(*) from waiting))
          ) turn
          order by turn.due_at, turn.id
          limit ${limit}`
        return yield* decodeKeys(rows)
      }, Effect.orDie)

      const claim = Effect.fnUntraced(function*({ club_id, id }: EventKey) {
        const rows = yield* sql`
          select e.club_id, e.id, e.platform, e.raw, e.purchase_ref, e.received_at, e.failures
          from inbound_events e
          where e.club_id = ${club_id} and e.id = ${id} and e.due_at <= ${yield* now} and ${isFirst}
          for no key update of e skip locked`
        return Option.fromUndefinedOr((yield* decodeClaimed(rows))[0])
      }, Effect.orDie)

      const finish = Effect.fnUntraced(
        function*({ club_id, id }: EventKey, { detail, forget, outcome, student_id }: Finish) {
          yield* sql`
            update inbound_events set
              outcome = ${outcome}, detail = ${detail}, finished_at = ${yield* now}, due_at = null,
              student_id = coalesce(${student_id}::uuid, student_id),
              raw = case when ${forget} then null else raw end,
              person_key = case when ${forget} then null else person_key end,
              external_event_id = case when ${forget} then null else external_event_id end
            where club_id = ${club_id} and id = ${id}`
        },
        Effect.orDie
      )

      const putOff = Effect.fn("QueueRepo.putOff")(function*({ club_id, id }: EventKey, failures: number) {
        const at = yield* DateTime.now
        const isLast = failures + 1 >= mostFailures
        const due_at = isLast ? null : DateTime.toDateUtc(DateTime.addDuration(at, delayAfter(failures + 1)))
        yield* sql`
          update inbound_events set
            failures = failures + 1, due_at = ${due_at}::timestamptz,
            outcome = ${isLast ? "failed" : null}::text,
            detail = ${isLast ? `processing failed ${mostFailures} times` : null}::text,
            finished_at = ${isLast ? DateTime.toDateUtc(at) : null}::timestamptz
          where club_id = ${club_id} and id = ${id} and due_at is not null and failures = ${failures}`
      }, Effect.orDie)

      return QueueRepo.of({ due, claim, finish, putOff })
    })
  )
}
