import { Schema } from "effect"
import { UserId } from "../../identity/ids/UserId.ts"
import { personalData } from "../../identity/people/PersonalData.ts"
import { field } from "../../platform/http/Field.ts"
import { text } from "../../platform/http/Text.ts"
import { brandedId, Uuid } from "../../platform/schema/brandedId.ts"
import { Instant } from "../../platform/schema/Instant.ts"
import { PointAction } from "./Gamification.ts"
import { exampleLevels, Level } from "./Ladder.ts"

/** UUIDv7, so entries sort by their creation. */
export const PointEntryId = brandedId("PointEntryId")
export type PointEntryId = typeof PointEntryId.Type

const mostPoints = 1_000_000
const Points = Schema.Int.check(Schema.isBetween({ minimum: -mostPoints, maximum: mostPoints }))

/** A line of a student's statement. */
export const PointEntry = Schema.Struct({
  id: PointEntryId.pipe(field("Sorts the entries by their creation")),
  action: PointAction.pipe(field("The reason for the points; `adjustment` is a change by the staff")),
  origin_id: Uuid
    .pipe(field("The lesson, course, quiz block, assignment block, comment, post or live that paid; each pays a student once. An adjustment is its own origin")),
  points: Points.pipe(field("How many points it made; below 0 for an adjustment that took some", 10)),
  reason: Schema.NullOr(Schema.String)
    .pipe(field(
      "Why the staff gave or took points, for the staff alone; null for all other actions, and once the student was removed",
      null
    )),
  actor_user_id: Schema.NullOr(UserId)
    .pipe(field(
      "The member of the staff who gave or took points, for the staff alone; null for all other actions",
      null
    )),
  created_at: Instant.pipe(field("When the student got or lost the points"))
}).annotate({
  identifier: "PointEntry",
  description: "Points that a student got or lost",
  ...personalData
})
export type PointEntry = typeof PointEntry.Type

const isNotZero = Schema.makeFilter((points: number) => points !== 0, { expected: "must not be 0" })

/** Points that the staff gives or takes. */
export const Adjustment = Schema.Struct({
  points: Points.check(isNotZero).pipe(field("How many points to give or, below 0, to take; never 0", 50)),
  reason: text(1, 500).pipe(field("Why, for the staff to read in the student's statement", "Tocou na apresentação"))
})
export type Adjustment = typeof Adjustment.Type

/** A student's total, the level it reaches now, and one page of its entries, newest first. */
const Statement = Schema.Struct({
  total: Schema.Int.pipe(field("All points of the student; below 0 if the staff took more than there were", 120)),
  level: Level.pipe(field("The highest level that the total reaches; otherwise the first one", exampleLevels.prata)),
  entries: Schema.Array(PointEntry).pipe(field("One page of what made the total, the newest first"))
}).annotate({ identifier: "PointStatement", description: "A student's points, and what made them" })

/**
 * `next_cursor` is beside `data`, as on every page. Total and level are the same on every page, so they are in `data`
 * with the entries.
 */
export const StatementPage = Schema.Struct({
  data: Statement,
  next_cursor: Schema.NullOr(Schema.String).pipe(field(
    "Send it as `cursor` for the next page; null on the last one",
    "eyJpZCI6IjAxOThhMGM0LTViMWUtN2Q2Mi04ZjNhLTJjOWU0YjdkMWEwMSJ9"
  ))
})
export type StatementPage = typeof StatementPage.Type

/** The points and level that a student sees. */
export const StudentStanding = Schema.Struct({
  enabled: Schema.Boolean.pipe(field("True if the club pays points now")),
  points: Schema.Int.pipe(field("All points of the student; below 0 if the staff took more than there were", 120)),
  level: Level.pipe(field("The highest level that the points reach; otherwise the first one", exampleLevels.prata)),
  next_level: Schema.NullOr(Level).pipe(field("The level above it; null at the top of the ladder", exampleLevels.ouro)),
  levels: Schema.Array(Level).pipe(field("The whole ladder, the lowest level first", [
    exampleLevels.bronze,
    exampleLevels.prata,
    exampleLevels.ouro
  ]))
}).annotate({ identifier: "StudentStanding", description: "A student's own points and level" })
export type StudentStanding = typeof StudentStanding.Type
