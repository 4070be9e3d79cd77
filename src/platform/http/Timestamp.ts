import { DateTime, Option, Schema } from "effect"

const shape = /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/** 31 December 9999: later years are written differently in ISO 8601. */
const last = 253_402_300_799_999

const isTimestamp = (text: string): boolean => {
  const date = shape.exec(text)?.[1]
  if (date === undefined) return false
  // The platform reads 30 February as 2 March.
  const exists = Option.exists(DateTime.make(`${date}T00:00:00Z`), (day) => DateTime.formatIsoDateUtc(day) === date)
  return exists &&
    Option.exists(DateTime.make(text), ({ epochMilliseconds }) => epochMilliseconds >= 0 && epochMilliseconds <= last)
}

/** A moment in a request: ISO 8601 with a zone, between the years 1970 and 9999, kept to the millisecond. */
export const Timestamp = Schema.String.annotate({ format: "date-time" })
  .check(Schema.makeFilter(isTimestamp, { expected: "a time such as 2026-11-25T12:00:00Z" }))
  .pipe(Schema.decodeTo(Schema.DateTimeUtcFromString))
