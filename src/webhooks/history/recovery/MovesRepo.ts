import { Context, DateTime, Duration, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { EventType } from "../../../events/EventType.ts"
import { InstantOrNull } from "../../../platform/schema/Instant.ts"
import { texts } from "../../../platform/sql/Arrays.ts"
import { first, one } from "../../../platform/sql/Rows.ts"
import { floorOf } from "../../../platform/sql/Uuid7.ts"
import type { LaneName } from "../../engine/lane/LaneChanges.ts"
import { EndpointStatus } from "../../model/EndpointStatus.ts"
import { earliestIdTime, latestIdTime } from "../../model/IdTimes.ts"
import { makeRetentionCutoffs } from "../../model/RetentionCutoffs.ts"
import { WebhookDeliveryId } from "../../model/WebhookDeliveryId.ts"
import { WebhookRules } from "../../model/WebhookSettings.ts"
import { CountedGroup } from "./Preview.ts"

/** The deliveries that a recovery looks at, and the place to go on from. */
export interface Looking extends LaneName {
  readonly recovery_id: string
  readonly since: DateTime.Utc
  readonly until: DateTime.Utc | null
  readonly event_types: ReadonlyArray<EventType> | null
  readonly newest_first: boolean
  readonly time_zone: string
  readonly cursor_id: WebhookDeliveryId | null
  readonly created_at: DateTime.Utc
}

/** Deliveries that one statement looks at, at most: a rare type is looked for in pieces. */
export const mostLooked = 5000

/** Before and behind every id. */
const lowest = "00000000-0000-0000-0000-000000000000"
const highest = "ffffffff-ffff-ffff-ffff-ffffffffffff"

const Endpoint = Schema.Struct({
  status: EndpointStatus,
  is_deleted: Schema.Boolean,
  holds: Schema.Int,
  hold_until: InstantOrNull
})

/** The place that a statement reached. Null if it came to the end. */
const last = Schema.NullOr(WebhookDeliveryId)
const Counted = Schema.Struct({ groups: Schema.Array(CountedGroup), last })
const Moved = Schema.Struct({ moved: Schema.Int, last })
const Reckoned = Schema.Struct({
  succeeded: Schema.Int,
  failed: Schema.Int,
  canceled: Schema.Int,
  waiting: Schema.Int
})

const decodeEndpoint = first(Endpoint)
const decodeCounted = one(Counted)
const decodeMoved = one(Moved)
const decodeReckoned = one(Reckoned)

/** The counts and moves of recoveries, in the transaction that writes them into their row. */
export class MovesRepo extends Context.Service<MovesRepo, {
  /** Locks the endpoint: it stays as it is until the transaction ends. */
  lockEndpoint(lane: LaneName): Effect.Effect<Option.Option<typeof Endpoint.Type>>
  /** Counts the next batch of what failed or was canceled. */
  count(looking: Looking): Effect.Effect<typeof Counted.Type>
  /**
   * Makes the next deliveries pending for one attempt, as `RecoverRepo` does. It takes only those that had ended before
   * the recovery began, so each moves once. They wait out a hold, except the first of a recovery, which a person has
   * asked for (`isFirst`). The caller has locked the endpoint and woken its lane.
   */
  move(
    looking: Looking,
    options: { readonly most: number; readonly isFirst: boolean }
  ): Effect.Effect<typeof Moved.Type>
  /**
   * Counts the moved deliveries that have ended since. A canceled one counts once an attempt under way at its
   * cancellation has ended too.
   */
  reckon(looking: Looking): Effect.Effect<typeof Reckoned.Type>
}>()("turma/webhooks/history/recovery/MovesRepo") {
  static readonly layer = Layer.effect(
    MovesRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const cutoffs = yield* makeRetentionCutoffs
      const { attempt_timeout } = yield* WebhookRules

      const lockEndpoint = Effect.fnUntraced(function*({ club_id, endpoint_id }: LaneName) {
        return yield* sql`
          select e.status, e.deleted_at is not null as is_deleted, l.holds, l.hold_until
          from webhook_endpoints e join webhook_lanes l on l.club_id = e.club_id and l.endpoint_id = e.id
          where e.club_id = ${club_id} and e.id = ${endpoint_id} for share of e`.pipe(decodeEndpoint)
      })

      /**
       * Failed and canceled deliveries, in the order of an index of their own, from the place where the last statement
       * ended.
       */
      const ahead = ({ club_id, created_at, cursor_id, endpoint_id, newest_first, since, until }: Looking) => {
        const behind = newest_first ? sql`d.id < ${cursor_id}::uuid` : sql`d.id > ${cursor_id}::uuid`
        return sql`
          d.club_id = ${club_id} and d.endpoint_id = ${endpoint_id} and d.status in ('failed', 'canceled')
            and d.id >= ${floorOf(earliestIdTime(since))}::uuid
            and d.id < ${floorOf(latestIdTime(until ?? created_at))}::uuid
            and ${cursor_id === null ? sql`true` : behind}`
      }

      const inOrder = ({ newest_first }: Looking) => newest_first ? sql`order by d.id desc` : sql`order by d.id`

      // A delivery that has ended since the recovery began is not in its count, and may have failed again after it was
      // sent again.
      const isMeant = ({ created_at, event_types, since, until }: Looking) =>
        sql`
          d.created_at >= ${DateTime.toDateUtc(since)} and d.finished_at <= ${DateTime.toDateUtc(created_at)}
            and ${until === null ? sql`true` : sql`d.created_at < ${DateTime.toDateUtc(until)}`}
            and ${event_types === null ? sql`true` : sql`d.event_type = any(${texts(event_types)})`}`

      const mayBeSent = sql`(d.status = 'failed' or d.cancel_reason = 'endpoint_disabled')`
      const hasBody = (bodies: DateTime.Utc) =>
        sql`(d.created_at > ${DateTime.toDateUtc(bodies)} and not d.body_erased)`

      const count = Effect.fn("MovesRepo.count")(function*(looking: Looking) {
        const { bodies } = yield* cutoffs
        return yield* sql`
          with looked as materialized (
            select d.id, d.event_type, d.created_at, ${isMeant(looking)} as meant,
              case
                when ${mayBeSent} and not ${hasBody(bodies)} then 'payload_purged'
                when d.status = 'failed' then 'failed'
                when d.cancel_reason <> 'endpoint_deleted' then d.cancel_reason
              end as kind,
              row_number() over (${inOrder(looking)}) as place
            from webhook_deliveries d where ${ahead(looking)} ${inOrder(looking)} limit ${mostLooked}
          ), grouped as (
            select event_type, to_char(created_at at time zone ${looking.time_zone}, 'YYYY-MM-DD') as date, kind,
              count(*)::int as count
            from looked where meant and kind is not null group by 1, 2, 3
          )
          select (select coalesce(jsonb_agg(to_jsonb(grouped)), '[]'::jsonb) from grouped) as groups,
            (select id from looked where place = ${mostLooked}) as last`.pipe(decodeCounted)
      })

      const move = Effect.fn("MovesRepo.move")(function*(
        looking: Looking,
        { isFirst, most }: { readonly most: number; readonly isFirst: boolean }
      ) {
        const { bodies, now } = yield* cutoffs
        const { club_id, endpoint_id, newest_first, recovery_id } = looking
        const withinLooked = newest_first
          ? sql`d.id >= coalesce((select id from bound), ${lowest}::uuid)`
          : sql`d.id <= coalesce((select id from bound), ${highest}::uuid)`
        const waitsForHold = isFirst
          ? sql`case when d.id <> (select d.id from batch d ${inOrder(looking)} limit 1) then ${recovery_id}::uuid end`
          : sql`${recovery_id}::uuid`
        return yield* sql`
          with bound as materialized (
            select d.id from webhook_deliveries d where ${ahead(looking)} ${inOrder(looking)}
            offset ${mostLooked - 1}::bigint limit 1
          ), batch as materialized (
            select d.club_id, d.endpoint_id, d.id from webhook_deliveries d
            where ${ahead(looking)} and ${withinLooked} and ${isMeant(looking)} and ${mayBeSent} and ${hasBody(bodies)}
            ${inOrder(looking)} limit ${most}::bigint for update
          ), moved as (
            update webhook_deliveries d
            set status = 'pending', cancel_reason = null, finished_at = null, once = true, trigger = 'recover',
              recovery_id = ${waitsForHold}, next_attempt_at = ${DateTime.toDateUtc(now)}
            from batch where d.club_id = batch.club_id and d.endpoint_id = batch.endpoint_id and d.id = batch.id
            returning d.id, d.attempts_count
          ), noted as (
            insert into webhook_recovery_moves (club_id, endpoint_id, recovery_id, delivery_id, attempts_count)
            select ${club_id}::uuid, ${endpoint_id}::uuid, ${recovery_id}::uuid, id, attempts_count from moved
          )
          select count(*)::int as moved,
            case
              when count(*) = ${most}::bigint
                then (select d.id from batch d ${newest_first ? sql`order by d.id` : sql`order by d.id desc`} limit 1)
              else (select id from bound)
            end as last
          from moved`.pipe(decodeMoved)
      })

      // Each delivery is searched for by its key: as a join it may become a scan of all that the endpoint has.
      const reckon = Effect.fn("MovesRepo.reckon")(function*({ club_id, endpoint_id, recovery_id }: Looking) {
        const grace = Duration.sum(attempt_timeout, Duration.seconds(5))
        const settledBy = DateTime.toDateUtc(DateTime.subtractDuration(yield* DateTime.now, grace))
        const ofRecovery = sql`
          m.club_id = ${club_id} and m.endpoint_id = ${endpoint_id} and m.recovery_id = ${recovery_id}`
        return yield* sql`
          with ended as materialized (
            select m.delivery_id, d.status, d.attempts_count > m.attempts_count as was_sent
            from webhook_recovery_moves m cross join lateral (
              select d.status, d.attempts_count, d.finished_at from webhook_deliveries d
              where d.club_id = m.club_id and d.endpoint_id = m.endpoint_id and d.id = m.delivery_id limit 1
            ) d
            where ${ofRecovery} and d.status <> 'pending'
              and (d.attempts_count > m.attempts_count or d.finished_at <= ${settledBy})
          ), removed as (
            delete from webhook_recovery_moves m using ended where ${ofRecovery} and m.delivery_id = ended.delivery_id
          )
          select count(*) filter (where status = 'succeeded')::int as succeeded,
            count(*) filter (where status <> 'succeeded' and (status = 'failed' or was_sent))::int as failed,
            count(*) filter (where status = 'canceled' and not was_sent)::int as canceled,
            ((select count(*) from webhook_recovery_moves m where ${ofRecovery}) - count(*))::int as waiting
          from ended`.pipe(decodeReckoned)
      })

      return MovesRepo.of({ lockEndpoint, count, move, reckon })
    })
  )
}
