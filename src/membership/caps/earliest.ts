import { Array as Arr, DateTime, Duration } from "effect"

const hour = Duration.toMillis(Duration.hours(1))

/**
 * When one more may leave, from `from` on, so that never more than `cap` leave within an hour. `times`: when the others
 * left or will leave, in any order.
 */
export const earliest = (times: ReadonlyArray<DateTime.Utc>, from: DateTime.Utc, cap: number): DateTime.Utc => {
  const others = times.map(DateTime.toEpochMillis).toSorted((a, b) => a - b)
  let at = DateTime.toEpochMillis(from)
  // Each `cap` in a row that are within an hour leave no room near them. Both ends of that only grow, so one look is enough.
  for (const [first, last] of Arr.zip(others, others.slice(cap - 1))) {
    if (last - first < hour && at > last - hour && at < first + hour) at = first + hour
  }
  return DateTime.makeUnsafe(at)
}
