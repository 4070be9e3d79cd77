import { Schema } from "effect"
import { field } from "../../platform/http/Field.ts"
import { Instant } from "../../platform/schema/Instant.ts"

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const day = Schema.String.annotate({ format: "date" })

/** The number of days that an answer covers. */
export const UsageWindow = Schema.Literals(["7d", "30d"])
export type UsageWindow = typeof UsageWindow.Type

/** Days of each window. */
export const daysOf = { "7d": 7, "30d": 30 } as const

/** The assistant's usage on one day of the club. */
export const UsageDay = Schema.Struct({
  date: day.pipe(field("The day, in the club's time zone", "2026-11-22")),
  questions: Count.pipe(field("How many questions students asked", 12)),
  answered: Count.pipe(field("How many of them were answered", 10)),
  failed: Count.pipe(field("How many of their answers failed", 1)),
  canceled: Count.pipe(field("How many of their answers were canceled; the others are `generating`", 1)),
  replies: Count.pipe(field("How many comments the assistant replied to", 3)),
  cost: Count
    .pipe(field(
      "How many answers of the club's budget both cost, less the refunded ones; without replies kept back",
      14
    ))
}).annotate({ identifier: "AssistantDay", description: "The assistant's figures for one day of a club" })
export type UsageDay = typeof UsageDay.Type

/** The assistant's usage day by day, and the rest of the club's month. */
export const Usage = Schema.Struct({
  from: Instant.pipe(field("When the first of the days began")),
  until: Instant.pipe(field("When the last of them, today, ends")),
  days: Schema.Array(UsageDay).pipe(field("Every day of the window, the oldest first")),
  budget: Schema.Struct({
    month: day.pipe(field("The first day of the club's month", "2026-11-01")),
    monthly_budget: Schema.NullOr(Count).pipe(field(
      "How many answers and replies the club allows in a month; null sets no limit besides that of its plan",
      5000
    )),
    used: Count.pipe(field("How many of them are used", 321)),
    exhausted: Schema.Boolean
      .pipe(field("True if the answers of the month or of the plan's period are used up; then nobody may ask", false)),
    resets_at: Instant.pipe(field("When the club's month ends"))
  }).pipe(field("The club's answers of this month"))
}).annotate({
  identifier: "AssistantUsage",
  description: "The assistant's figures day by day, and the rest of its budget"
})
export type Usage = typeof Usage.Type
