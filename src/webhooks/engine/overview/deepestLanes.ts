import { DateTime, Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { InstantOrNull } from "../../../platform/schema/Instant.ts"
import { rows } from "../../../platform/sql/Rows.ts"
import { longestWait, type WebhookRules } from "../../model/WebhookSettings.ts"
import { pidOf } from "../dispatch/WorkerOfLease.ts"
import { QueueState, queueState } from "../queue/QueueState.ts"
import { dueWithinLease } from "./dueWithinLease.ts"

/** Lanes that are shown. */
export const mostShown = 10

/** Lanes that are looked at of each kind. */
export const mostLookedAt = 30

/** Deliveries that are counted of a lane to find the deepest, and of those that are shown. */
export const [mostCompared, mostCountedOfLane] = [100, 1000]

const decodeLanes = rows(Schema.Struct({
  club_id: Schema.String,
  endpoint_id: Schema.String,
  depth: QueueState.fields.depth,
  oldest_pending_at: QueueState.fields.oldest_pending_at,
  due_at: QueueState.fields.due_at,
  hold_until: InstantOrNull,
  leased_until: InstantOrNull,
  worker: Schema.NullOr(Schema.String)
}))

const isoOf = (at: DateTime.Utc | null) => at === null ? null : DateTime.formatIso(at)

/**
 * The lanes with the most waiting deliveries. A full count would take longer the more deliveries wait. So this looks
 * only at lanes that are due, leased or failing for longest. Above `mostCompared` deliveries, lanes with the oldest
 * pending delivery come first.
 */
export const deepestLanes = (sql: SqlClient.SqlClient, rules: WebhookRules["Service"], now: DateTime.Utc) => {
  const at = DateTime.toDateUtc(now)
  const oldest = DateTime.subtractDuration(now, longestWait(rules))
  const lane = { club_id: sql`l.club_id`, endpoint_id: sql`l.endpoint_id` }
  const isLeased = sql`l.lease_id is not null and l.due_at > ${at}`
  return sql`
    with looked_at as materialized (
      (
        select club_id, endpoint_id from webhook_lanes where due_at <= ${at} order by due_at limit ${mostLookedAt}
      )
      union (
        select club_id, endpoint_id from (${dueWithinLease(sql, rules, now)}) near
        where lease_id is not null order by lease_id limit ${mostLookedAt}
      )
      union (
        select club_id, endpoint_id from webhook_lanes where failing_since is not null and not rests
        order by failing_since limit ${mostLookedAt}
      )
    ), deepest as materialized (
      select l.club_id, l.endpoint_id from looked_at l
      cross join lateral (${queueState(sql, lane, { oldest, counted: mostCompared })}) q
      where q.depth > 0 order by q.depth desc, q.oldest_pending_at, l.endpoint_id limit ${mostShown}
    )
    select c.organization_id as club_id, l.endpoint_id, q.depth, q.oldest_pending_at, q.due_at, l.hold_until,
      case when ${isLeased} then l.due_at end as leased_until,
      case when ${isLeased} then right(l.lease_id::text, 12) end as worker
    from deepest
    join webhook_lanes l on l.club_id = deepest.club_id and l.endpoint_id = deepest.endpoint_id
    join clubs c on c.id = l.club_id
    cross join lateral (${queueState(sql, lane, { oldest, counted: mostCountedOfLane })}) q
    order by q.depth desc, q.oldest_pending_at, l.endpoint_id`.pipe(
    decodeLanes,
    Effect.map((lanes) =>
      lanes.map(({ depth, due_at, hold_until, leased_until, oldest_pending_at, worker, ...names }) => ({
        ...names,
        depth: Math.min(depth, mostCountedOfLane),
        capped: depth > mostCountedOfLane,
        oldest_pending_at: isoOf(oldest_pending_at),
        due_at: isoOf(due_at),
        hold_until: isoOf(hold_until),
        leased_until: isoOf(leased_until),
        worker,
        pid: worker === null ? null : pidOf(worker)
      }))
    )
  )
}
