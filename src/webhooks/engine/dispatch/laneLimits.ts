import type { SqlClient, Statement } from "effect/sql"

/** The limits of a lane `l` in one value. Null for most lanes, which then cost nothing. */
export const laneLimits = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`
    case when coalesce(l.max_per_second, l.max_in_flight, l.drain_rate, l.recovery_rate) is not null then
      jsonb_build_object(
        'max_per_second', l.max_per_second, 'max_in_flight', l.max_in_flight, 'drain_rate', l.drain_rate,
        'drain_until', l.drain_until, 'recovery_rate', l.recovery_rate
      )
    end`
