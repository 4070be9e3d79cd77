import { Duration } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { durationBounds, durationColumns } from "./Durations.ts"

/** The time span of one count. Quarters of an hour add up to the hours and days of every time zone. */
export const countedTogether = Duration.minutes(15)

const width = `'${Duration.toMinutes(countedTogether)} minutes'`

const columns = ["accepted", "failed", "given_up", ...durationColumns]

const names = columns.join(", ")
const bounds = `array[${durationBounds.join()}]`
// Nothing instead of zero: few durations differ by much, and a row is half as long.
const counts = durationColumns.map((column, place) => `nullif(count(*) filter (where took = ${place}), 0) as ${column}`)
  .join(", ")

/** The new counts of the row `c`, by its place among the endpoints, which are sorted. */
const own = "n.counts[width_bucket(c.endpoint_id, n.endpoints)]"
const sum = (column: string, added: string) => `coalesce(c.${column} + ${added}, c.${column}, ${added})`
const sums = columns.map((column) => sum(column, `(n.own).${column}`)).join(", ")
const sumsOfBoth = columns.map((column) => `${column} = ${sum(column, `excluded.${column}`)}`).join(", ")

/**
 * Parts of a `with` that count attempts by endpoint and quarter of an hour. `attempts` has the rows of the attempts:
 * end, duration, error, and the delivery's status and end after it.
 *
 * One walk over the key updates the existing rows of the newest quarter, and each finds its own counts in an array. In
 * a join each row would need a look-up or a comparison with all of them. The upsert writes the other rows. It also adds
 * up if somebody wrote a row while this statement waited for the lane.
 */
export const countAttempts = (sql: SqlClient.SqlClient, attempts: Statement.Fragment): Statement.Fragment =>
  sql`new_counts as materialized (
      select club_id, endpoint_id, date_bin(${sql.literal(width)}, ended_at, timestamptz '2000-01-01 00:00:00Z') as at,
        count(*) filter (where error is null) as accepted, count(*) filter (where error is not null) as failed,
        count(*) filter (where error is not null and left_as = 'failed' and left_at = ended_at) as given_up,
        ${sql.literal(counts)}
      from (select a.*, width_bucket(a.duration_ms, ${sql.literal(bounds)}) as took from ${attempts} a) a
      group by 1, 2, 3
    ), newest_counts as materialized (
      select at, array_agg(endpoint_id order by endpoint_id) as endpoints,
        array_agg(row(club_id, endpoint_id, at, ${sql.literal(names)})::webhook_counts order by endpoint_id) as counts
      from new_counts where at = (select max(at) from new_counts) group by at
    ), counted as (
      update webhook_counts c set (${sql.literal(names)}) = (
        select ${sql.literal(sums)} from (select ${sql.literal(own)} as own offset 0) n
      )
      from newest_counts n
      where c.at = n.at and c.endpoint_id = any(n.endpoints) and c.club_id = (${sql.literal(own)}).club_id
      returning c.club_id, c.endpoint_id, c.at
    ), first_counted as (
      insert into webhook_counts as c (club_id, endpoint_id, at, ${sql.literal(names)})
      select club_id, endpoint_id, at, ${sql.literal(names)} from new_counts
      where (club_id, endpoint_id, at) not in (select club_id, endpoint_id, at from counted)
      on conflict (at, endpoint_id, club_id) do update set ${sql.literal(sumsOfBoth)}
    )`
