import { DateTime, Duration } from "effect"

/** From when until when an access lasts; `expires_at` null: it never ends. */
export interface Period {
  readonly starts_at: DateTime.Utc
  readonly expires_at: DateTime.Utc | null
}

/** The requested period, as in `NewGrant`. */
export interface RequestedPeriod {
  readonly starts_at?: DateTime.Utc | undefined
  readonly expires_at?: DateTime.Utc | null | undefined
  readonly access_days?: number | null | undefined
}

/** The defaults of the delivery and the cohort. */
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

const endOf = (requested: RequestedPeriod, terms: PeriodTerms, start: DateTime.Utc): DateTime.Utc | null => {
  if (requested.expires_at !== undefined) return requested.expires_at
  const days = requested.access_days ?? terms.default_access_days
  return days === null ? terms.cohort_ends_at : afterDays(start, days)
}

/**
 * The period of an access that is granted now. It starts at the requested time. Without one it starts now, or with the
 * cohort if that is later. The first end that is set counts: the requested time, the sale's days, the delivery's days,
 * the cohort's end. The end may be before the start: see `isPeriod` and `endingAfterStart`.
 */
export const periodOf = (requested: RequestedPeriod, terms: PeriodTerms, now: DateTime.Utc): Period => {
  const start = requested.starts_at ?? DateTime.max(now, terms.cohort_starts_at ?? now)
  return { starts_at: start, expires_at: endOf(requested, terms, start) }
}

/** True if the end is after the start. */
export const isPeriod = ({ expires_at, starts_at }: Period): boolean =>
  expires_at === null || DateTime.isGreaterThan(expires_at, starts_at)

/** The end, or a millisecond after the start if the end is not after the start. */
export const endingAfterStart = ({ expires_at, starts_at }: Period): DateTime.Utc | null =>
  isPeriod({ expires_at, starts_at }) ? expires_at : DateTime.add(starts_at, { milliseconds: 1 })

/** True if the first of two ends is later than the second; null is later than all others. */
export const isLater = (end: DateTime.Utc | null, than: DateTime.Utc | null): boolean =>
  than !== null && (end === null || DateTime.isGreaterThan(end, than))

/** The times that decide the status of an access. */
export interface RevocablePeriod extends Period {
  readonly revoked_at: DateTime.Utc | null
}

/** The status of an access at a time, as in events. */
export type AccessStatus = "active" | "scheduled" | "expired" | "revoked"

/** `revoked` goes before all others. The period includes its start and not its end. */
export const statusAt = ({ expires_at, revoked_at, starts_at }: RevocablePeriod, now: DateTime.Utc): AccessStatus => {
  if (revoked_at !== null) return "revoked"
  if (expires_at !== null && DateTime.isLessThanOrEqualTo(expires_at, now)) return "expired"
  return DateTime.isGreaterThan(starts_at, now) ? "scheduled" : "active"
}

/** True if the access is neither revoked nor expired. It may be yet to start. */
export const isLive = (access: RevocablePeriod, now: DateTime.Utc): boolean => {
  const status = statusAt(access, now)
  return status === "active" || status === "scheduled"
}
