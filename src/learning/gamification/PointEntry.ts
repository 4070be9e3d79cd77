import { Schema } from "effect"
import { UserId } from "../../identity/ids/UserId.ts"
import { text } from "../../platform/http/Text.ts"
import { PointAction } from "./Gamification.ts"
import { Level } from "./Ladder.ts"

/** UUIDv7, so entries sort by when they were made. */
export const PointEntryId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("PointEntryId"))
export type PointEntryId = typeof PointEntryId.Type

/**
 * A line of a student's statement. `origin_id` is what the points are for: a
 * student gets points for an action once per origin. Only an adjustment has a
 * reason and an actor, the member of the staff who made it, and is its own origin.
 */
export const PointEntry = Schema.Struct({
  id: PointEntryId,
  action: PointAction,
  origin_id: Schema.String.check(Schema.isUUID()),
  points: Schema.Int,
  reason: Schema.NullOr(Schema.String),
  actor_user_id: Schema.NullOr(UserId),
  created_at: Schema.DateTimeUtcFromDate
}).annotate({ identifier: "PointEntry" })
export type PointEntry = typeof PointEntry.Type

const isNotZero = Schema.makeFilter((points: number) => points !== 0, { expected: "must not be 0" })

/** Points that the staff gives or, below 0, takes; at most a million at a time. */
export const Adjustment = Schema.Struct({
  points: Schema.Int.check(Schema.isBetween({ minimum: -1_000_000, maximum: 1_000_000 }), isNotZero),
  reason: text(1, 500)
})
export type Adjustment = typeof Adjustment.Type

/** A student's total, the level it reaches now, and one page of what made it, newest first. */
export const Statement = Schema.Struct({ total: Schema.Int, level: Level, entries: Schema.Array(PointEntry) })
  .annotate({ identifier: "PointStatement" })

/**
 * `next_cursor` is beside `data`, as on every page. Total and level are the same on every page, so they are in `data`
 * with the entries.
 */
export const StatementPage = Schema.Struct({ data: Statement, next_cursor: Schema.NullOr(Schema.String) })
export type StatementPage = typeof StatementPage.Type

/** What a student sees of it. `next_level` is `null` at the top. */
export const StudentStanding = Schema.Struct({
  enabled: Schema.Boolean,
  points: Schema.Int,
  level: Level,
  next_level: Schema.NullOr(Level)
}).annotate({ identifier: "StudentStanding" })
export type StudentStanding = typeof StudentStanding.Type
