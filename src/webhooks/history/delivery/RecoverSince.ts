import { DateTime, Duration, Option, Result, Schema } from "effect"
import { Timestamp } from "../../../platform/http/Timestamp.ts"
import { beginningOf, dateAt } from "../../model/ClubDay.ts"
import { SinceInFuture, SinceTooOld } from "./Delivery.ts"

const date = /^\d{4}-\d{2}-\d{2}$/

const isDate = (text: string): boolean =>
  date.test(text) && Option.isSome(Schema.decodeOption(Timestamp)(`${text}T00:00:00Z`))

/** A day without a time, `YYYY-MM-DD`, between the years 1970 and 9999. */
const PlainDate = Schema.String.annotate({ format: "date" }).check(Schema.makeFilter(isDate, {
  expected: "a date such as 2026-01-31",
  toJsonSchema: () => ({ pattern: date.source })
})).pipe(Schema.brand("PlainDate"))

/** From when on deliveries are recovered: a timestamp, or a date, which begins in the club's time zone. */
export const RecoverSince = Schema.Union([Timestamp, PlainDate])
export type RecoverSince = typeof RecoverSince.Type

/**
 * A caller computes "30 days ago" some time before this reads it. Their clock may differ from ours, by as much as a
 * signature's timestamp may.
 */
const tolerance = Duration.minutes(5)

/**
 * The moment from which on deliveries are recovered, at most `window` ago. The date on which the window begins is within
 * it, although that day may have begun before: then the window decides.
 */
export const recoverFrom = (
  since: RecoverSince,
  { now, time_zone, window }: {
    readonly now: DateTime.Utc
    readonly time_zone: string
    readonly window: Duration.Duration
  }
): Result.Result<DateTime.Utc, SinceInFuture | SinceTooOld> => {
  const begins = DateTime.subtractDuration(now, window)
  const earliest = DateTime.subtractDuration(begins, tolerance)
  const at = typeof since === "string" ? beginningOf(since, time_zone) : since
  if (DateTime.isGreaterThan(at, now)) return Result.fail(new SinceInFuture())
  const isTooOld = typeof since === "string" ? since < dateAt(earliest, time_zone) : DateTime.isLessThan(at, earliest)
  return isTooOld ? Result.fail(new SinceTooOld()) : Result.succeed(DateTime.max(at, begins))
}
