import type { SqlClient, Statement } from "effect/sql"

/** Until when a replaced secret of the endpoint `e` signs: one `timestamptz` in parentheses. */
export const secretEndsAt = (sql: SqlClient.SqlClient, now: Date): Statement.Fragment =>
  sql`
    (
      select max(p.expires_at) from webhook_previous_secrets p
      where p.club_id = e.club_id and p.endpoint_id = e.id and p.expires_at > ${now}
    )`
