import { DateTime } from "effect"
import type { Opening } from "./Opening.ts"

/** 31 December 9999: later years are written differently in ISO 8601. */
const last = DateTime.makeUnsafe("9999-12-31T23:59:59.999Z")

/** The date in the time zone, as a midnight in UTC, so that days can be added to it. */
const dateIn = (timeZone: string, at: DateTime.Utc): DateTime.Utc =>
  DateTime.makeUnsafe(`${DateTime.formatIsoDate(DateTime.setZoneNamedUnsafe(at, timeZone))}T00:00:00Z`)

/**
 * 00:00 of a date in the time zone. A date without a midnight begins when the clocks have been set forward. Of two midnights
 * the second counts, as in PostgreSQL.
 */
const midnight = (timeZone: string, date: DateTime.Utc): DateTime.Utc =>
  DateTime.toUtc(DateTime.makeZonedUnsafe(date, { timeZone, adjustForTimeZone: true, disambiguation: "later" }))

const later = (one: DateTime.Utc | null, other: DateTime.Utc | null) =>
  one === null || other === null ? one ?? other : DateTime.max(one, other)

/**
 * The openings of lessons for a student in a club of this time zone. A lesson opens at the later of its module's and its own
 * opening; null: at once. `began` is the beginning of the student's access, of several the earliest. Since an access that began
 * earlier opens nothing later, that is the earliest opening too. `LessonOpening` has the same rule in SQL.
 */
export const lessonOpenings = (began: DateTime.Utc, timeZone: string) => {
  // Many lessons open on the same day, and a look into a time zone takes long.
  const first = dateIn(timeZone, began)
  const midnights = new Map<number, DateTime.Utc>()

  const afterDays = (days: number) => {
    const known = midnights.get(days)
    if (known !== undefined) return known
    const opening = DateTime.min(midnight(timeZone, DateTime.add(first, { days })), last)
    midnights.set(days, opening)
    return opening
  }

  const ownOpening = ({ opens_after_days, opens_at }: Opening) =>
    opens_after_days === null ? opens_at : afterDays(opens_after_days)

  return (module: Opening, lesson: Opening): DateTime.Utc | null => later(ownOpening(module), ownOpening(lesson))
}
