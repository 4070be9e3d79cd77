import { DateTime } from "effect"
import type { Period } from "../account/Period.ts"

const millis = (at: DateTime.Utc) => BigInt(DateTime.toEpochMillis(at))

const within = (at: bigint, start: bigint, end: bigint) => at < start ? start : at > end ? end : at

/**
 * The part of an amount that is consumed at a moment of its period, in whole cents rounded down. It is 0 at the start,
 * and the amount at the end.
 */
export const consumedAt = (amount_cents: number, covers: Period, at: DateTime.Utc): number => {
  const [start, end] = [millis(covers.start), millis(covers.end)]
  if (end <= start) return amount_cents
  const used = within(millis(at), start, end) - start
  return Number(BigInt(amount_cents) * used / (end - start))
}

/**
 * The part of an amount for the time after a moment. It is the price of the rest of a period, and the credit for it.
 * With the consumed part it adds up to the amount, to the cent.
 */
export const remainingAt = (amount_cents: number, covers: Period, at: DateTime.Utc): number =>
  amount_cents - consumedAt(amount_cents, covers, at)
