import { DateTime } from "effect"

/** The date, `YYYY-MM-DD`, that it is at this moment in the time zone. */
export const dateAt = (at: DateTime.Utc, timeZone: string): string =>
  DateTime.formatIsoDate(DateTime.setZoneNamedUnsafe(at, timeZone))

/** A day without a midnight begins when the clocks have been set forward; a day with two begins with the first. */
export const beginningOf = (date: string, timeZone: string): DateTime.Utc =>
  DateTime.toUtc(DateTime.makeZonedUnsafe(DateTime.makeUnsafe(`${date}T00:00:00Z`), {
    timeZone,
    adjustForTimeZone: true,
    disambiguation: "compatible"
  }))
