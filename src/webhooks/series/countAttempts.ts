import { Duration } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { durationBounds, durationColumns } from "./Durations.ts"

/** Of how long the attempts are counted together: of quarters the hours and days of every time zone are made up. */
export const countedTogether = Duration.minutes(15)

const width = `'${Duration.toMinutes(countedTogether)} minutes'`

const columns = ["accepted", "failed", "given_up", ...durationColumns]

const names = columns.join(", ")
const bounds = `array[${durationBounds.join()}]`
const counts = durationColumns.map((_, place) => `count(*) filter (where took = ${place})`).join(", ")
const sums = columns.map((column) => `${column} = c.${column} + excluded.${column}`).join(", ")

/**
 * Counts attempts that are written, by endpoint and quarter of an hour. `attempts` is what they are written from: each row
 * with when it ended, how long it took, its error, and its delivery's status and end after it.
 */
export const countAttempts = (sql: SqlClient.SqlClient, attempts: Statement.Fragment): Statement.Fragment =>
  sql`
    insert into webhook_counts as c (club_id, endpoint_id, at, ${sql.literal(names)})
    select club_id, endpoint_id, date_bin(${sql.literal(width)}, ended_at, timestamptz '2000-01-01 00:00:00Z'),
      count(*) filter (where error is null), count(*) filter (where error is not null),
      count(*) filter (where error is not null and left_as = 'failed' and left_at = ended_at), ${sql.literal(counts)}
    from (select a.*, width_bucket(a.duration_ms, ${sql.literal(bounds)}) as took from ${attempts} a) a
    group by 1, 2, 3
    on conflict (club_id, endpoint_id, at) do update set ${sql.literal(sums)}`
