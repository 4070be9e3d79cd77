import { DateTime, Duration } from "effect"

const hour = Duration.toMillis(Duration.hours(1))

/** Whether an hour has room for one more at `at`: each that this is in, wherever it begins. */
const hasRoom = (times: ReadonlyArray<number>, at: number, cap: number): boolean => {
  const near = times.filter((time) => time > at - hour && time < at + hour)
  const begins = [at, ...near.filter((time) => time < at)]
  return begins.every((begin) => near.filter((time) => time >= begin && time < begin + hour).length < cap)
}

/**
 * When one more may leave, from `from` on, so that never more than `cap` leave within an hour. `times`: when the others
 * left or will leave, in any order.
 */
export const earliest = (times: ReadonlyArray<DateTime.Utc>, from: DateTime.Utc, cap: number): DateTime.Utc => {
  const others = times.map(DateTime.toEpochMillis).toSorted((a, b) => a - b)
  // Room comes only where an hour has passed since another.
  const later = others.map((time) => time + hour).filter((time) => time > DateTime.toEpochMillis(from))
  const at = [DateTime.toEpochMillis(from), ...later].find((at) => hasRoom(others, at, cap))
  return at === undefined ? from : DateTime.makeUnsafe(at)
}
