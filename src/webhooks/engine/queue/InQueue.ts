import type { SqlClient, Statement } from "effect/sql"

/**
 * The condition for deliveries `d` in the queue of one lane: they have a next attempt, whatever their status. It fits
 * the indexes of the queue. Club and endpoint are columns or values.
 *
 * PostgreSQL takes the two for independent and expects one row of a queue with thousands. It would then go through an
 * endpoint's whole history by the primary key. So it only searches for the endpoint, which implies the club. The
 * comparison of the club fits no index and counts for little.
 */
export const inQueue = (
  sql: SqlClient.SqlClient,
  { club_id, endpoint_id }: {
    readonly club_id: string | Statement.Fragment
    readonly endpoint_id: string | Statement.Fragment
  }
): Statement.Fragment =>
  sql`d.endpoint_id = ${endpoint_id} and coalesce(d.club_id = ${club_id}, false) and d.next_attempt_at is not null`

/**
 * The condition for deliveries of a queue that a person asked for one by one. They do not wait for a hold. Deliveries
 * of a recovery do: they may be thousands.
 */
export const isRequested = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`d.trigger <> 'schedule' and d.recovery_id is null`
