import type { SqlClient, Statement } from "effect/sql"

/**
 * The condition for deliveries `d` that are in the queue of one lane: they have a next attempt, whatever their status. It
 * serves the indexes of the queue. Club and endpoint are columns or values.
 *
 * PostgreSQL takes the two for independent, expects one row where a queue has thousands, and would then go through an
 * endpoint's whole history by the primary key. So only the endpoint is searched for; the club, which the endpoint implies,
 * is compared in a way that no index serves and that counts for little.
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
 * Of those, what a person asked for one by one, which does not wait for a hold. What a recovery has moved does: it may be
 * thousands.
 */
export const isRequested = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`d.trigger <> 'schedule' and d.recovery_id is null`
