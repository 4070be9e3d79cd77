import { DateTime } from "effect"
import type { Account } from "./Account.ts"

/** From `start` to before `end`. */
export interface Period {
  readonly start: DateTime.Utc
  readonly end: DateTime.Utc
}

/** This many months after the anchor, in UTC; the last day of the month if it is too short. */
const monthsAfter = (anchor: DateTime.Utc, months: number): DateTime.Utc => DateTime.add(anchor, { months })

const monthOf = (at: DateTime.Utc) => DateTime.getPartUtc(at, "year") * 12 + DateTime.getPartUtc(at, "month")

/**
 * The plan's month that contains this moment. Months count from the anchor. One that begins on the 31st ends on the
 * last day of a short month, and the next long month has the 31st again. Before the anchor it is the first month.
 */
export const periodAt = (anchor: DateTime.Utc, now: DateTime.Utc): Period => {
  const calendar = monthOf(now) - monthOf(anchor)
  const begun = DateTime.isLessThanOrEqualTo(monthsAfter(anchor, calendar), now) ? calendar : calendar - 1
  const index = Math.max(0, begun)
  return { start: monthsAfter(anchor, index), end: monthsAfter(anchor, index + 1) }
}

/** The last period whose beginning was invoiced. */
export const invoicedPeriod = ({ anchor, invoiced_until }: Pick<Account, "anchor" | "invoiced_until">): Period =>
  periodAt(anchor, DateTime.subtract(invoiced_until, { milliseconds: 1 }))
