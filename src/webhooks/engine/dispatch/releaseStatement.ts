import { DateTime } from "effect"
import type { SqlClient } from "effect/sql"
import { instants, texts } from "../../../platform/sql/Arrays.ts"
import { floorOf } from "../../../platform/sql/Uuid7.ts"
import { inQueue, isRequested } from "../queue/InQueue.ts"
import type { Release } from "./Lease.ts"
import { leaseArrays } from "./leaseArrays.ts"

/**
 * Releases lanes. A lane is due with its next delivery, but not before `notBefore`. A delivery that a person asked for
 * does not wait for that. It is due now, or when the rate of the lane lets it start. A released lane goes to the end of
 * the line. The lane of an endpoint that is not enabled is never due.
 *
 * A lane that something woke since its last take stays leased, so no work is lost. This statement may miss rows that
 * were added while it waited for the lane's row, but it sees that `wakes` has changed.
 */
export const releaseStatement = (
  sql: SqlClient.SqlClient,
  releases: ReadonlyArray<Release>,
  now: DateTime.Utc,
  oldest: DateTime.Utc
) => {
  const { clubs, endpoints, ids } = leaseArrays(releases.map(({ lease }) => lease))
  const since = DateTime.toDateUtc(oldest)
  const queued = sql`
    select d.next_attempt_at from webhook_deliveries d
    where ${inQueue(sql, { club_id: sql`s.club_id`, endpoint_id: sql`s.endpoint_id` })}
      and d.id >= ${floorOf(oldest)}::uuid and d.created_at > ${since}
      and e.status = 'enabled' and e.deleted_at is null`
  return sql`
    with sent as materialized (
      select s.*, any_work.next_attempt_at, requested.next_attempt_at as requested_at
      from unnest(
        ${clubs}, ${endpoints}, ${ids}, ${texts(releases.map(({ wakes }) => wakes))},
        ${instants(releases.map(({ notBefore }) => notBefore))},
        ${instants(releases.map(({ paced }) => paced?.until ?? null))},
        ${instants(releases.map(({ paced }) => paced?.full_at ?? null))},
        ${instants(releases.map(({ paced }) => paced?.recovery_full_at ?? null))}
      ) as s (club_id, endpoint_id, lease_id, wakes, not_before, paced_until, full_at, recovery_full_at)
      join webhook_endpoints e on e.club_id = s.club_id and e.id = s.endpoint_id
      left join lateral (${queued} order by d.next_attempt_at, d.id limit 1) any_work on true
      left join lateral (${queued} and ${isRequested(sql)} order by d.next_attempt_at, d.id limit 1) requested on true
    ), locked as materialized (
      select l.club_id, l.endpoint_id from sent
      join webhook_lanes l using (club_id, endpoint_id, lease_id)
      order by l.club_id, l.endpoint_id
      for update of l
    )
    update webhook_lanes l
    set lease_id = null, tokens_full_at = sent.full_at, recovery_full_at = sent.recovery_full_at,
      due_at = least(
        case when sent.next_attempt_at is not null then greatest(sent.next_attempt_at, sent.not_before) end,
        case when sent.requested_at is not null then greatest(sent.requested_at, sent.paced_until,
        ${DateTime.toDateUtc(now)})
        end
      )
    from sent join locked using (club_id, endpoint_id)
    where l.club_id = sent.club_id and l.endpoint_id = sent.endpoint_id and l.lease_id = sent.lease_id
      and l.wakes = sent.wakes::bigint
    returning l.club_id, l.endpoint_id, sent.lease_id`
}
