import { DateTime, Duration, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { InstantOrNull } from "../schema/Instant.ts"
import { one } from "../sql/Rows.ts"

/** Rows that are counted at most: to count more would take longer, and would say nothing else. */
export const mostCounted = 10_000

/** Number of rows `from` there, as a value of a statement. It counts at most one more than `mostCounted`. */
export const countOf = (sql: SqlClient.SqlClient, from: Statement.Fragment): Statement.Fragment =>
  sql`(select count(*)::int from (select 1 ${from} limit ${mostCounted + 1}) counted)`

/** The visible form of such a count. */
export const cappedCount = (count: number) => ({ count: Math.min(count, mostCounted), capped: count > mostCounted })

/** Number of waiting rows, at most one more than `mostCounted`, and the due time of the oldest. */
export const BacklogRow = Schema.Struct({ depth: Schema.Int, oldest: InstantOrNull })

/** Decodes a statement that answers one. */
export const decodeBacklog = one(BacklogRow)

/** The visible form in the overview. `oldest_at` is null while no work is due. */
export const backlogOf = ({ depth, oldest }: typeof BacklogRow.Type, now: DateTime.Utc) => {
  const isDue = oldest !== null && DateTime.isLessThanOrEqualTo(oldest, now)
  return {
    depth: Math.min(depth, mostCounted),
    capped: depth > mostCounted,
    oldest_at: isDue ? DateTime.formatIso(oldest) : null,
    oldest_seconds: isDue ? Duration.toSeconds(DateTime.distance(oldest, now)) : 0
  }
}
