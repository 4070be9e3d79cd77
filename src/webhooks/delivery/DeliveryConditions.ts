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

/**
 * The conditions for deliveries `d` that an index serves: there is one of the queue, one of what failed or was canceled,
 * one of events and one of students.
 */
export const indexed = (
  sql: SqlClient.SqlClient,
  { event_id, since, status, student_id, until }: Wanted
): Statement.Fragment =>
  sql`
    ${status === "pending" ? sql`d.status = 'pending' and d.next_attempt_at is not null` : sql`true`}
    and ${status === "failed" || status === "canceled" ? sql`d.status in ('failed', 'canceled')` : sql`true`}
    and ${optional(sql, event_id, (id) => sql`d.event_id = ${id}`)}
    and ${optional(sql, student_id, (id) => sql`d.student_id = ${id}`)}
    and ${optional(sql, since, (at) => sql`d.created_at >= ${DateTime.toDateUtc(at)}`)}
    and ${
    optional(sql, until, (at) =>
      sql`
        d.created_at < ${DateTime.toDateUtc(at)} and d.id < ${floorOf(latestIdTime(at))}::uuid`)
  }`

/** Whether there are conditions that no index serves: one of types would cost each delivery a fifth more to write. */
export const isFiltered = ({ event_type, status = "pending" }: Wanted): boolean =>
  event_type !== undefined || status !== "pending"

/** Those conditions. */
export const filtered = (sql: SqlClient.SqlClient, { event_type, status }: Wanted): Statement.Fragment =>
  sql`(
    ${optional(sql, event_type, (type) => sql`d.event_type = ${type}`)}
    and ${optional(sql, status, (status) => sql`d.status = ${status}`)}
  )`
