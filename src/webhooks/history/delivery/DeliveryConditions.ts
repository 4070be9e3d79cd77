import { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { floorOf } from "../../../platform/sql/Uuid7.ts"
import { latestIdTime } from "../../model/IdTimes.ts"
import type { DeliveryQuery } from "./Delivery.ts"

type Wanted = Omit<DeliveryQuery, "cursor" | "limit">

/** The condition that this value makes; always true without one. */
export const optional = <A>(
  sql: SqlClient.SqlClient,
  value: A | undefined,
  condition: (value: A) => Statement.Fragment
): Statement.Fragment => value === undefined ? sql`true` : condition(value)

/** The conditions of time for deliveries `d` that every index of them serves: those of their ids, which may be an hour off. */
const placed = (sql: SqlClient.SqlClient, { until }: Wanted): Statement.Fragment =>
  optional(sql, until, (at) => sql`d.id < ${floorOf(latestIdTime(at))}::uuid`)

/** True if the filter names few deliveries, of one student or event: the club has an index of each. */
export const isNamed = ({ event_id, student_id }: Wanted): boolean => event_id !== undefined || student_id !== undefined

/** The conditions for deliveries `d` of a club that those indexes serve. */
export const named = (sql: SqlClient.SqlClient, query: Wanted): Statement.Fragment =>
  sql`
    ${optional(sql, query.event_id, (id) => sql`d.event_id = ${id}`)}
    and ${optional(sql, query.student_id, (id) => sql`d.student_id = ${id}`)} and ${placed(sql, query)}`

/** The conditions for deliveries `d` of an endpoint that an index in their order serves: there is one of what failed or was canceled. */
export const indexed = (sql: SqlClient.SqlClient, query: Wanted): Statement.Fragment =>
  sql`
    ${query.status === "failed" || query.status === "canceled" ? sql`d.status in ('failed', 'canceled')` : sql`true`}
    and ${placed(sql, query)}`

/** True if there are conditions that no index serves: one of types would cost each delivery a fifth more to write. */
export const isFiltered = ({ event_type, since, status, until }: Wanted): boolean =>
  event_type !== undefined || status !== undefined || since !== undefined || until !== undefined

/** Those conditions. */
export const filtered = (sql: SqlClient.SqlClient, { event_type, since, status, until }: Wanted): Statement.Fragment =>
  sql`(
    ${optional(sql, event_type, (type) => sql`d.event_type = ${type}`)}
    and ${optional(sql, status, (status) => sql`d.status = ${status}`)}
    and ${optional(sql, since, (at) => sql`d.created_at >= ${DateTime.toDateUtc(at)}`)}
    and ${optional(sql, until, (at) => sql`d.created_at < ${DateTime.toDateUtc(at)}`)}
  )`

/** The most deliveries that a page lists, and the most that it looks at. */
interface ScanBounds {
  readonly limit: number
  readonly most: Statement.Fragment
}

/**
 * The keys of deliveries that meet both conditions, newest first. It looks at the newest `most` that meet the first
 * one. It adds the key of the last one it looked at. Whole rows would take twice as long.
 */
export const scanned = (
  sql: SqlClient.SqlClient,
  rows: Statement.Fragment,
  passes: Statement.Fragment,
  { limit, most }: ScanBounds
): Statement.Fragment =>
  sql`
    select d.endpoint_id, d.id, d.passes, d.place = ${most} as is_last from (
      select d.endpoint_id, d.id, ${passes} as passes, row_number() over (order by d.id desc) as place
      from webhook_deliveries d where ${rows} order by d.id desc limit ${most}
    ) d
    where d.passes or d.place = ${most} order by d.id desc limit ${limit + 1}`

/**
 * The same for one endpoint and pending deliveries, which lie in the order of their due times. A queue of up to a fifth
 * of `most` is sorted. If it is longer, the newest deliveries are scanned for those in the queue.
 */
export const scannedForWaiting = (
  sql: SqlClient.SqlClient,
  { ofLane, passes, rows }: Readonly<Record<"ofLane" | "rows" | "passes", Statement.Fragment>>,
  bounds: ScanBounds
): Statement.Fragment =>
  sql`
    with queue as materialized (
      select d.* from webhook_deliveries d where ${ofLane} and d.next_attempt_at is not null
      order by d.next_attempt_at limit (select ${bounds.most}::bigint / 5 + 1)
    ), length as materialized (select count(*) <= ${bounds.most}::bigint / 5 as is_short from queue)
    (
      select d.endpoint_id, d.id, true as passes, false as is_last from queue d
      where (select is_short from length) and ${rows} and ${passes}
      order by d.id desc limit ${bounds.limit + 1}
    )
    union all
    select * from (${scanned(sql, sql`not (select is_short from length) and ${ofLane} and ${rows}`, passes, bounds)}) d`

/**
 * The deliveries with these keys, and what is known of each. Each is looked up by itself: PostgreSQL expects many, and would
 * read all rows of an endpoint to join them.
 */
export const whole = (sql: SqlClient.SqlClient, club_id: ClubId, keys: Statement.Fragment): Statement.Fragment =>
  sql`
    select d.*, k.passes, k.is_last from (${keys}) k cross join lateral (
      select d.* from webhook_deliveries d
      where d.club_id = ${club_id} and d.endpoint_id = k.endpoint_id and d.id = k.id limit 1
    ) d`
