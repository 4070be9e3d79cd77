import { DateTime } from "effect"
import type { Period } from "../account/Period.ts"

const millis = (at: DateTime.Utc) => BigInt(DateTime.toEpochMillis(at))

const within = (at: bigint, start: bigint, end: bigint) => at < start ? start : at > end ? end : at

/**
 * What of an amount for a time is used up at a moment within it, in whole cents: nothing at its beginning, all at its end,
 * and a cent only once it is used up as a whole.
 */
export const consumedAt = (amount_cents: number, covers: Period, at: DateTime.Utc): number => {
  const [start, end] = [millis(covers.start), millis(covers.end)]
  if (end <= start) return amount_cents
  const used = within(millis(at), start, end) - start
  return Number(BigInt(amount_cents) * used / (end - start))
}

/**
 * What of an amount is for the time after a moment: what the rest of a period costs, and what is given back of what was
 * paid for it. With what is consumed it adds up to the amount, to the cent.
 */
export const remainingAt = (amount_cents: number, covers: Period, at: DateTime.Utc): number =>
  amount_cents - consumedAt(amount_cents, covers, at)
