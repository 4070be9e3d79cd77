import type { SqlClient, Statement } from "effect/sql"

/** Deliveries that one statement changes at most, so that no lane and no worker waits long for its rows. */
export const batchSize = 2000

/**
 * The start of a statement: `batch` has the keys of the first deliveries `d` that pass the condition, locked. `before` stands
 * in front of it, as `AuditFragment` does.
 */
export const lockedBatch = (
  sql: SqlClient.SqlClient,
  condition: Statement.Fragment,
  before: Statement.Fragment = sql``
): Statement.Fragment =>
  sql`
    with ${before} batch as materialized (
      select d.club_id, d.endpoint_id, d.id from webhook_deliveries d where ${condition} limit ${batchSize} for update
    )`

/** The condition for deliveries `d` of the `batch`. */
export const inBatch = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`d.club_id = batch.club_id and d.endpoint_id = batch.endpoint_id and d.id = batch.id`
