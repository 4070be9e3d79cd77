import { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { floorOf } from "../../platform/sql/Uuid7.ts"
import { latestIdTime } from "../model/IdTimes.ts"
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

/** Whether few deliveries are meant, of one student or event: the club has an index of each. */
export const isNamed = ({ event_id, student_id }: Wanted): boolean => event_id !== undefined || student_id !== undefined

/** The conditions for deliveries `d` of a club that those indexes serve. */
export const named = (sql: SqlClient.SqlClient, query: Wanted): Statement.Fragment =>
  sql`
    ${optional(sql, query.event_id, (id) => sql`d.event_id = ${id}`)}
    and ${optional(sql, query.student_id, (id) => sql`d.student_id = ${id}`)} and ${placed(sql, query)}`

/**
 * The conditions for deliveries `d` of an endpoint that an index serves: there is one of the queue, and one of what failed
 * or was canceled.
 */
export const indexed = (sql: SqlClient.SqlClient, query: Wanted): Statement.Fragment =>
  sql`
    ${query.status === "pending" ? sql`d.status = 'pending' and d.next_attempt_at is not null` : sql`true`}
    and ${
    query.status === "failed" || query.status === "canceled" ? sql`d.status in ('failed', 'canceled')` : sql`true`
  }
    and ${placed(sql, query)}`

/** Whether there are conditions that no index serves: one of types would cost each delivery a fifth more to write. */
export const isFiltered = ({ event_type, since, status = "pending", until }: Wanted): boolean =>
  event_type !== undefined || status !== "pending" || since !== undefined || until !== undefined

/** Those conditions. */
export const filtered = (sql: SqlClient.SqlClient, { event_type, since, status, until }: Wanted): Statement.Fragment =>
  sql`(
    ${optional(sql, event_type, (type) => sql`d.event_type = ${type}`)}
    and ${optional(sql, status, (status) => sql`d.status = ${status}`)}
    and ${optional(sql, since, (at) => sql`d.created_at >= ${DateTime.toDateUtc(at)}`)}
    and ${optional(sql, until, (at) => sql`d.created_at < ${DateTime.toDateUtc(at)}`)}
  )`

/**
 * The newest of the first `most` deliveries that meet the first condition, those that meet the second one too; and the last
 * one that was looked at, whether it does or not.
 */
export const scanned = (
  sql: SqlClient.SqlClient,
  rows: Statement.Fragment,
  passes: Statement.Fragment,
  { limit, most }: { readonly limit: number; readonly most: number }
): Statement.Fragment =>
  sql`
    select d.*, ${passes} as passes, d.place = ${most} as is_last from (
      select d.*, row_number() over (order by d.id desc) as place from webhook_deliveries d where ${rows}
      order by d.id desc limit ${most}
    ) d
    where ${passes} or d.place = ${most} order by d.id desc limit ${limit + 1}`
