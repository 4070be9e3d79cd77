import type { SqlClient, Statement } from "effect/sql"
import { inboxScheme } from "../model/InboxId.ts"

const isInbox = (sql: SqlClient.SqlClient) => sql`starts_with(e.url, ${inboxScheme})`

/** The kind of an endpoint `e`. That of an inbox is in its URL alone, so that programs of the version before read the row. */
export const endpointKind = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`case when ${isInbox(sql)} then 'inbox' else e.kind end`

/** The inbox of an endpoint `e`. Null without one. */
export const endpointInbox = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`case when ${isInbox(sql)} then substr(e.url, ${inboxScheme.length + 1}::int) end`
