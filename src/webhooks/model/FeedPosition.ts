import type { SqlClient, Statement } from "effect/sql"

// A position is a UUIDv7 without chance: 12 digits of milliseconds, and in the last 15 the event's number in its club's feed.

/** Before the first event of every feed. */
export const beginning = "00000000-0000-0000-0000-000000000000"

/** The event's number in its club's feed. The first is 1, and 0 is before it. */
export const numberOf = (position: string): number => Number.parseInt(position.replaceAll("-", "").slice(-15), 16)

const digitsOf = (sql: SqlClient.SqlClient, position: Statement.Fragment) => sql`replace((${position})::text, '-', '')`

/** The number in a position, as `bigint`. */
export const numberIn = (sql: SqlClient.SqlClient, position: Statement.Fragment): Statement.Fragment =>
  sql`('x' || right(${digitsOf(sql, position)}, 15))::bit(60)::bigint`

/** The position of this number at the moment that is in the other position. */
export const positionOf = (
  sql: SqlClient.SqlClient,
  moment: Statement.Fragment,
  number: Statement.Fragment
): Statement.Fragment =>
  sql`(left(${digitsOf(sql, moment)}, 12) || '70008' || lpad(to_hex((${number})::bigint), 15, '0'))::uuid`
