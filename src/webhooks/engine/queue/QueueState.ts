import { DateTime, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { InstantOrNull } from "../../../platform/schema/Instant.ts"
import { floorOf } from "../../../platform/sql/Uuid7.ts"
import { earliestIdTime } from "../../model/IdTimes.ts"
import { inQueue, isRequested } from "./InQueue.ts"

export const QueueState = Schema.Struct({
  /** Of deliveries, up to one more than were to be counted. */
  depth: Schema.Int,
  /** When the oldest pending delivery of those counted was created. */
  oldest_pending_at: InstantOrNull,
  /** When the first delivery is due. */
  due_at: InstantOrNull,
  /** When the first delivery is due that a person asked for, which waits for no hold. */
  requested_at: InstantOrNull
})
/** The queue of a lane at one moment. */
export type QueueState = typeof QueueState.Type

/**
 * The statement that answers the `QueueState` of one lane, as workers take it. It leaves out deliveries from before
 * `oldest`, which are too old to be sent. Club and endpoint are columns or values.
 */
export const queueState = (
  sql: SqlClient.SqlClient,
  lane: Parameters<typeof inQueue>[1],
  { counted, oldest }: { readonly counted: number; readonly oldest: DateTime.Utc }
): Statement.Statement<unknown> => {
  const queued = sql`
    ${inQueue(sql, lane)} and d.id >= ${floorOf(earliestIdTime(oldest))}::uuid
      and d.created_at > ${DateTime.toDateUtc(oldest)}`
  const first = sql`order by d.next_attempt_at, d.id limit`
  // A subquery hides the limit: PostgreSQL expects a sixth of a queue, and with a greater limit it would sort all of
  // it.
  return sql`
    with counted as materialized (
      select d.status, d.created_at from webhook_deliveries d where ${queued} ${first} (select ${counted + 1}::bigint)
    )
    select count(*)::int as depth, min(created_at) filter (where status = 'pending') as oldest_pending_at,
      (select d.next_attempt_at from webhook_deliveries d where ${queued} ${first} 1) as due_at,
      (
        select d.next_attempt_at from webhook_deliveries d
        where ${queued} and ${isRequested(sql)} ${first} 1
      ) as requested_at
    from counted`
}
