import { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { EventType } from "../../../events/EventType.ts"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import type { StudentId } from "../../../identity/ids/StudentId.ts"
import { deliveryColumns } from "../../history/delivery/DeliveryColumns.ts"
import { optional } from "../../history/delivery/DeliveryConditions.ts"

/** The most events that one page looks at, if a filter has no index. */
export const mostScanned = 10_000

/** The events of a page: those behind the position. */
export interface FeedRange {
  readonly position: string
  readonly limit: number
  readonly type?: EventType | undefined
  readonly student_id?: StudentId | undefined
}

/** The ages of bodies and events. */
interface Ages {
  /** Bodies made at this moment or before it. */
  readonly bodies: DateTime.Utc
  /** Events whose position is not greater. */
  readonly oldest: string
}

/** The events of this student, or all, that a page looks at. */
const scanned = (sql: SqlClient.SqlClient, behind: Statement.Fragment, { limit, student_id, type }: FeedRange) => {
  const wanted = sql`${behind} and ${optional(sql, student_id, (id) => sql`f.student_id = ${id}`)}`
  return type === undefined
    ? sql`
      select f.*, true as passes, false as is_last from webhook_feed_events f where ${wanted}
      order by f.position limit ${limit + 1}`
    : sql`
      select f.*, f.place = ${mostScanned} as is_last from (
        select f.*, f.type = ${type} as passes, row_number() over (order by f.position) as place
        from webhook_feed_events f where ${wanted} order by f.position limit ${mostScanned}
      ) f
      where f.passes or f.place = ${mostScanned} order by f.position limit ${limit + 1}`
}

// Each event's deliveries and body are looked up by their keys, in the partitions of its time alone.
const deliveries = (sql: SqlClient.SqlClient, bodies: DateTime.Utc) =>
  sql`(
    select json_agg(d order by d.id) from (
      select ${deliveryColumns(sql, bodies)} from webhook_deliveries d
      where d.club_id = f.club_id and d.event_id = f.event_id and d.id >= f.first_id and d.id < f.last_id
    ) d
  )`
const body = (sql: SqlClient.SqlClient, bodies: DateTime.Utc) =>
  sql`(
    select convert_from(m.body, 'UTF8') from webhook_messages m
    where m.club_id = f.club_id and m.id = f.event_id and m.created_at > ${DateTime.toDateUtc(bodies)}
  )`
const idAt = (sql: SqlClient.SqlClient, moment: Statement.Fragment) =>
  sql`rpad(lpad(to_hex(greatest(extract(epoch from ${moment}) * 1000, 0)::bigint), 12, '0'), 32, '0')::uuid`

/**
 * A page of the feed in one statement, which sees one moment: events, bodies and deliveries, and what is around the position.
 */
export const readStatement = (
  sql: SqlClient.SqlClient,
  club_id: ClubId,
  range: FeedRange,
  { bodies, oldest }: Ages
) => {
  const from = range.position > oldest ? range.position : oldest
  const behind = sql`f.club_id = ${club_id} and f.position > ${from}`
  return sql`
    with page as materialized (
      select f.*, ${idAt(sql, sql`f.created_at - interval '1 hour'`)} as first_id,
        ${idAt(sql, sql`f.created_at + interval '1 hour'`)} as last_id
      from (${scanned(sql, behind, range)}) f
    )
    select (select position from webhook_feeds where club_id = ${club_id}) as head,
      exists (
        select from webhook_feed_events f
        where f.club_id = ${club_id} and f.position = ${range.position} and f.position > ${oldest}
      ) as is_there,
      (select f.position from webhook_feed_events f where ${behind} order by f.position limit 1) as next,
      (
        select coalesce(json_agg(e order by e.position), '[]') from (
          select f.position, f.passes, f.is_last, f.event_id, f.type, f.student_id, f.occurred_at, f.created_at,
            ${body(sql, bodies)} as body, ${deliveries(sql, bodies)} as deliveries
          from page f
        ) e
      ) as events`
}
