import { Array as Arr, DateTime, Duration } from "effect"

const hour = Duration.toMillis(Duration.hours(1))

/**
 * The earliest time from `from` on at which one more mail may leave, so that at most `cap` leave within any hour.
 * `times` has the times of the other mails, past and future, in any order.
 */
export const nextSendTime = (times: ReadonlyArray<DateTime.Utc>, from: DateTime.Utc, cap: number): DateTime.Utc => {
  const others = times.map(DateTime.toEpochMillis).toSorted((a, b) => a - b)
  let at = DateTime.toEpochMillis(from)
  // `cap` mails in a row within an hour block the time around them. The blocked spans are in ascending order, so one
  // pass is enough.
  for (const [first, last] of Arr.zip(others, others.slice(cap - 1))) {
    if (last - first < hour && at > last - hour && at < first + hour) at = first + hour
  }
  return DateTime.makeUnsafe(at)
}
