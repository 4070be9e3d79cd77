import { Duration } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { durationBounds, durationColumns } from "./Durations.ts"

/** Of how long the attempts are counted together: of quarters the hours and days of every time zone are made up. */
export const countedTogether = Duration.minutes(15)

const width = `'${Duration.toMinutes(countedTogether)} minutes'`

const columns = ["accepted", "failed", "given_up", ...durationColumns]

const names = columns.join(", ")
const bounds = `array[${durationBounds.join()}]`
// Nothing instead of zero: few durations differ by much, and a row is half as long.
const counts = durationColumns.map((column, place) => `nullif(count(*) filter (where took = ${place}), 0) as ${column}`)
  .join(", ")
const sum = (column: string, added: string) =>
  `${column} = coalesce(c.${column} + ${added}.${column}, c.${column}, ${added}.${column})`
const sumsWith = (added: string) => columns.map((column) => sum(column, added)).join(", ")
const sums = sumsWith("n")
const sumsOfBoth = sumsWith("excluded")

/**
 * Parts of a `with` that count attempts by endpoint and quarter of an hour. `attempts` is what the attempts are written
 * from: each row with when it ended, how long it took, its error, and its delivery's status and end after it.
 *
 * A row that is there is updated as such, which reads half of what an upsert does. The upsert adds the others, and sums up
 * where somebody wrote the row while this statement waited for the lane.
 */
export const countAttempts = (sql: SqlClient.SqlClient, attempts: Statement.Fragment): Statement.Fragment =>
  sql`new_counts as materialized (
      select club_id, endpoint_id, date_bin(${sql.literal(width)}, ended_at, timestamptz '2000-01-01 00:00:00Z') as at,
        count(*) filter (where error is null) as accepted, count(*) filter (where error is not null) as failed,
        count(*) filter (where error is not null and left_as = 'failed' and left_at = ended_at) as given_up,
        ${sql.literal(counts)}
      from (select a.*, width_bucket(a.duration_ms, ${sql.literal(bounds)}) as took from ${attempts} a) a
      group by 1, 2, 3
    ), counted as (
      update webhook_counts c set ${sql.literal(sums)} from new_counts n
      where c.club_id = n.club_id and c.endpoint_id = n.endpoint_id and c.at = n.at
      returning c.club_id, c.endpoint_id, c.at
    ), first_counted as (
      insert into webhook_counts as c (club_id, endpoint_id, at, ${sql.literal(names)})
      select club_id, endpoint_id, at, ${sql.literal(names)} from new_counts
      where (club_id, endpoint_id, at) not in (select club_id, endpoint_id, at from counted)
      on conflict (club_id, endpoint_id, at) do update set ${sql.literal(sumsOfBoth)}
    )`
