import type { SqlClient, Statement } from "effect/sql"

/**
 * The condition for deliveries `d` of one lane that are owed an attempt, for the indexes of what is owed. Club and
 * endpoint are columns or values. PostgreSQL takes the two for independent, expects one row where a queue has thousands,
 * and would then go through an endpoint's whole history by the primary key; so only the endpoint is searched for, and the
 * club, whose it is anyway, is compared in a way that no index serves and that counts for little.
 */
export const owedOf = (
  sql: SqlClient.SqlClient,
  { club_id, endpoint_id }: {
    readonly club_id: string | Statement.Fragment
    readonly endpoint_id: string | Statement.Fragment
  }
): Statement.Fragment =>
  sql`d.endpoint_id = ${endpoint_id} and coalesce(d.club_id = ${club_id}, false) and d.next_attempt_at is not null`
