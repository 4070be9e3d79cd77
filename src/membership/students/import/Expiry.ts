import { DateTime, Option, Schema } from "effect"
import { Timestamp } from "../../../platform/http/Timestamp.ts"

const isoDate = /^(\d{4})-(\d{2})-(\d{2})$/
const brazilianDate = /^(?<day>\d{1,2})\/(?<month>\d{1,2})\/(?<year>\d{4})$/

/** 31 December 9999 in UTC, the latest time. People write this date for "never". */
const last = 253_402_300_799_999

const decodeTimestamp = Schema.decodeOption(Timestamp)

const dateOf = (text: string): string | undefined => {
  if (isoDate.test(text)) return text
  const { day = "", month = "", year = "" } = brazilianDate.exec(text)?.groups ?? {}
  return year === "" ? undefined : `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`
}

/**
 * The end of an access, written as `2026-12-31`, as `31/12/2026` (day first) or as a timestamp. A date is the last
 * millisecond of that day in the club's time zone. If clocks go back at midnight, it is the second one.
 */
export const expiryOf = (text: string, timeZone: string): Option.Option<DateTime.Utc> => {
  const date = dateOf(text)
  if (date === undefined) return decodeTimestamp(text)
  // The schema rejects days that do not exist.
  return decodeTimestamp(`${date}T23:59:59.999Z`).pipe(
    Option.flatMap((end) => DateTime.makeZoned(end, { timeZone, adjustForTimeZone: true, disambiguation: "later" })),
    Option.map(({ epochMilliseconds }) => DateTime.makeUnsafe(Math.min(epochMilliseconds, last)))
  )
}
