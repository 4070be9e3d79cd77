import { DateTime, Duration } from "effect"

/**
 * Our clock and the database's may differ by so much. Leases change hands by the clock, and bear no larger difference.
 */
const tolerance = Duration.minutes(1)

/** A clock that nothing contradicts may be so far ahead of the newest sweep. */
const leap = Duration.days(1)

/** The answer to the question for the time. */
export interface Asked {
  /** Ours, before the database was asked and after it had answered. */
  readonly before: DateTime.Utc
  readonly after: DateTime.Utc
  readonly database: DateTime.Utc
  /** The newest moment of a sweep; null if it is unknown, or if the database has a clock of its own. */
  readonly swept: DateTime.Utc | null
}

/** True if our clock can be trusted with what cannot be undone. */
export type Verdict =
  | { readonly _tag: "Right"; readonly at: DateTime.Utc }
  | { readonly _tag: "Differs"; readonly own: DateTime.Utc; readonly database: DateTime.Utc }
  | { readonly _tag: "Jumped"; readonly own: DateTime.Utc; readonly swept: DateTime.Utc }

/** However long the answer took, the database's moment lies between ours, within the tolerance. */
export const judge = ({ after, before, database, swept }: Asked): Verdict => {
  const earliest = DateTime.subtractDuration(before, tolerance)
  const latest = DateTime.addDuration(after, tolerance)
  if (DateTime.isLessThan(database, earliest) || DateTime.isGreaterThan(database, latest)) {
    return { _tag: "Differs", own: after, database }
  }
  if (swept !== null && DateTime.isGreaterThan(before, DateTime.addDuration(swept, leap))) {
    return { _tag: "Jumped", own: before, swept }
  }
  return { _tag: "Right", at: before }
}
