import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"

/** An instant as text in the form that it is answered in, as `Date` writes it: UTC with milliseconds. */
export const instantText = (sql: SqlClient.SqlClient, instant: Fragment): Fragment =>
  sql`to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
