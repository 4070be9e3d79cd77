import { DateTime, Duration } from "effect"

/** From when until when an access lasts; `expires_at` null: it does not end. */
export interface Period {
  readonly starts_at: DateTime.Utc
  readonly expires_at: DateTime.Utc | null
}

/** What is asked of a period, as in `NewGrant`. */
export interface AskedPeriod {
  readonly starts_at?: DateTime.Utc | undefined
  readonly expires_at?: DateTime.Utc | null | undefined
  readonly access_days?: number | null | undefined
}

/** What the delivery and the cohort say of it. */
export interface PeriodTerms {
  readonly default_access_days: number | null
  readonly cohort_starts_at: DateTime.Utc | null
  readonly cohort_ends_at: DateTime.Utc | null
}

/** 31 December 9999: later years are written differently in ISO 8601. */
const last = DateTime.makeUnsafe("9999-12-31T23:59:59.999Z")

/** Days of access count from the start, 24 hours each, whatever the club's time zone. */
const afterDays = (start: DateTime.Utc, days: number): DateTime.Utc =>
  DateTime.min(DateTime.addDuration(start, Duration.days(days)), last)

const endOf = (asked: AskedPeriod, terms: PeriodTerms, start: DateTime.Utc): DateTime.Utc | null => {
  if (asked.expires_at !== undefined) return asked.expires_at
  const days = asked.access_days ?? terms.default_access_days
  return days === null ? terms.cohort_ends_at : afterDays(start, days)
}

/**
 * The period of an access that is given now. It starts when that is asked for, else now or when the cohort starts,
 * whichever is later. It ends when that is asked for, else after the days that were sold, else after the delivery's own
 * days, else with the cohort. The end may come out before the start: see `isPeriod` and `endingAfterStart`.
 */
export const periodOf = (asked: AskedPeriod, terms: PeriodTerms, now: DateTime.Utc): Period => {
  const start = asked.starts_at ?? DateTime.max(now, terms.cohort_starts_at ?? now)
  return { starts_at: start, expires_at: endOf(asked, terms, start) }
}

/** Whether the end is after the start. */
export const isPeriod = ({ expires_at, starts_at }: Period): boolean =>
  expires_at === null || DateTime.isGreaterThan(expires_at, starts_at)

/** An end as near to the wanted one as the start allows: one that is not after it ends the access a millisecond later. */
export const endingAfterStart = ({ expires_at, starts_at }: Period): DateTime.Utc | null =>
  isPeriod({ expires_at, starts_at }) ? expires_at : DateTime.add(starts_at, { milliseconds: 1 })

/** Whether the first of two ends is later than the second; null is later than all others. */
export const isLater = (end: DateTime.Utc | null, than: DateTime.Utc | null): boolean =>
  than !== null && (end === null || DateTime.isGreaterThan(end, than))

/** An access, as far as it decides whether it is one. */
export interface Held extends Period {
  readonly revoked_at: DateTime.Utc | null
}

/** What an access is at a moment, as events tell it. */
export type AccessStatus = "active" | "scheduled" | "expired" | "revoked"

/** Revoked goes before all else. The end itself is no longer in the period, the start is. */
export const statusAt = ({ expires_at, revoked_at, starts_at }: Held, now: DateTime.Utc): AccessStatus => {
  if (revoked_at !== null) return "revoked"
  if (expires_at !== null && DateTime.isLessThanOrEqualTo(expires_at, now)) return "expired"
  return DateTime.isGreaterThan(starts_at, now) ? "scheduled" : "active"
}

/** Whether the student has it now or will have it: it is neither revoked nor over. */
export const isLive = (held: Held, now: DateTime.Utc): boolean => {
  const status = statusAt(held, now)
  return status === "active" || status === "scheduled"
}
