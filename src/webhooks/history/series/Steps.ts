import { DateTime, Duration } from "effect"
import { beginningOf, dateAt } from "../../model/ClubDay.ts"
import type { SeriesStep, SeriesWindow } from "./Series.ts"

/** The steps of a window: the one that `now` is in is the last. */
export interface Steps {
  readonly step: SeriesStep
  /** When each begins, oldest first. */
  readonly starts: ReadonlyArray<DateTime.Utc>
}

const backwards = (count: number) => Array.from({ length: count }, (_, place) => count - 1 - place)

/** Hours begin as the clocks of the time zone show them, some at half past or a quarter to those of others. */
const hours = (count: number, now: DateTime.Utc, timeZone: string): Steps => {
  const shown = DateTime
    .makeUnsafe(DateTime.toEpochMillis(now) + DateTime.zonedOffset(DateTime.setZoneNamedUnsafe(now, timeZone)))
  const since = Duration.millis(DateTime.toEpochMillis(shown) - DateTime.toEpochMillis(DateTime.startOf(shown, "hour")))
  const current = DateTime.subtractDuration(now, since)
  return { step: "hour", starts: backwards(count).map((hours) => DateTime.subtract(current, { hours })) }
}

/** Days begin in the time zone, so one may have 23 hours, or 25. */
const days = (count: number, now: DateTime.Utc, timeZone: string): Steps => {
  const today = DateTime.makeUnsafe(`${dateAt(now, timeZone)}T00:00:00Z`)
  const starts = backwards(count).map((days) =>
    beginningOf(DateTime.formatIsoDate(DateTime.subtract(today, { days })), timeZone)
  )
  return { step: "day", starts }
}

/** The steps of this window up to now. */
export const stepsOf = (window: SeriesWindow, now: DateTime.Utc, timeZone: string): Steps => {
  switch (window) {
    case "24h":
      return hours(24, now, timeZone)
    case "7d":
      return hours(7 * 24, now, timeZone)
    case "30d":
      return days(30, now, timeZone)
  }
}
