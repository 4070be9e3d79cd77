import { DateTime, Duration } from "effect"
import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"

/** How long a mail waits that is to leave at once, so that one mail says all of a minute. */
const together = Duration.minutes(1)

/** When a mail leaves that is to leave at once. */
export const soonAfter = (now: DateTime.Utc): Date => DateTime.toDateUtc(DateTime.addDuration(now, together))

/** The next 8:00 of the club after this time, as a value of a statement. `club` is the alias of a row of `clubs`. */
export const dailyTime = (sql: SqlClient.SqlClient, club: Fragment, at: Date): Fragment =>
  sql`
    (((${at}::timestamptz at time zone ${club}.time_zone) - interval '8 hours')::date + 1 + time '08:00')
      at time zone ${club}.time_zone`
