import { DateTime } from "effect"

const timeDigits = 12

/**
 * The lowest of all ids that a UUIDv7 of this millisecond sorts after: 48 bits of time, then zeros. Before 1970 there
 * are no such ids, so an earlier moment has the lowest of all.
 */
export const floorOf = (at: DateTime.Utc): string => {
  const digits = Math.max(DateTime.toEpochMillis(at), 0).toString(16).padStart(timeDigits, "0")
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`
}

/** The millisecond of a UUIDv7, or of what `floorOf` has answered. */
export const timeOf = (id: string): DateTime.Utc =>
  DateTime.makeUnsafe(Number.parseInt(id.replaceAll("-", "").slice(0, timeDigits), 16))
