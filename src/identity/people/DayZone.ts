import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"

/**
 * The time zone in which a club's budgets of a day are counted, as a value of a statement. A change begins no new day: until the
 * day in hand ends, it is the zone before. `club` is the alias of a row of `clubs`.
 */
export const dayZoneOf = (sql: SqlClient.SqlClient, club: Fragment, now: Date): Fragment =>
  sql`case when ${club}.day_zone_until > ${now}::timestamptz then ${club}.day_zone else ${club}.time_zone end`
