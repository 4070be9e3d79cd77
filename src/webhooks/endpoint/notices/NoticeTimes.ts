import { DateTime } from "effect"
import type { Locale } from "../../../platform/http/Locale.ts"

/** Writes moments for people of a club, with its clocks: `November 21, 2026 at 10:00 AM UTC`. */
export const timesOf = (locale: Locale, timeZone: string): (at: DateTime.Utc) => string => {
  const format = new Intl.DateTimeFormat(locale, {
    year: "numeric",
    month: "long",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
    timeZone
  })
  return (at) => format.format(DateTime.toDateUtc(at))
}
