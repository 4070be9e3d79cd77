import { Array, DateTime } from "effect"

/** A day or a month of a club, in the club's time zone. */
export interface ClubPeriod {
  /** Its first day, `YYYY-MM-DD`. */
  readonly begins: string
  /** The first moment after it. */
  readonly ends: DateTime.Utc
}

// If a day has no midnight, it begins when the clocks have been set forward. If it has two, it begins with the first.
const midnight = (date: DateTime.Utc, timeZone: string): DateTime.Utc =>
  DateTime.toUtc(DateTime.makeZonedUnsafe(date, { timeZone, adjustForTimeZone: true, disambiguation: "compatible" }))

/** The date in the time zone, as a midnight in UTC, so that days and months can be added to it. */
const dateIn = (time_zone: string, now: DateTime.Utc): DateTime.Utc =>
  DateTime.makeUnsafe(`${DateTime.formatIsoDate(DateTime.setZoneNamedUnsafe(now, time_zone))}T00:00:00Z`)

const computeDay = (time_zone: string, now: DateTime.Utc): ClubPeriod => {
  const date = dateIn(time_zone, now)
  return { begins: DateTime.formatIsoDateUtc(date), ends: midnight(DateTime.add(date, { days: 1 }), time_zone) }
}

const computeMonth = (time_zone: string, now: DateTime.Utc): ClubPeriod => {
  const first = DateTime.startOf(dateIn(time_zone, now), "month")
  return { begins: DateTime.formatIsoDateUtc(first), ends: midnight(DateTime.add(first, { months: 1 }), time_zone) }
}

/** More time zones than there are. */
const mostZones = 1000

/**
 * Remembers the period of each time zone's latest minute: asking `Intl` takes longer than the rest of a read. Clocks
 * have been changed on whole minutes since 1972, so the date is the same for a whole minute.
 */
const oncePerMinute = (compute: (time_zone: string, now: DateTime.Utc) => ClubPeriod) => {
  const latest = new Map<string, { readonly minute: number; readonly period: ClubPeriod }>()
  return (time_zone: string, now: DateTime.Utc): ClubPeriod => {
    const minute = Math.floor(now.epochMilliseconds / 60_000)
    const known = latest.get(time_zone)
    if (known?.minute === minute) return known.period
    const period = compute(time_zone, now)
    if (latest.size >= mostZones) latest.clear()
    latest.set(time_zone, { minute, period })
    return period
  }
}

/** The club's day at this moment (http-surface, Rulings: the day starts in the club's time zone). */
export const dayOf = oncePerMinute(computeDay)

/** The club's month at this moment. */
export const monthOf = oncePerMinute(computeMonth)

/** Days of a club one after another, today the last of them. */
export interface ClubDays {
  /** Each day, `YYYY-MM-DD`. */
  readonly dates: ReadonlyArray<string>
  /** The first moment of each. */
  readonly begins: Array.NonEmptyReadonlyArray<DateTime.Utc>
  /** The first moment after the last. */
  readonly ends: DateTime.Utc
}

/** The club's last so many days, today's included. */
export const lastDays = (time_zone: string, now: DateTime.Utc, count: number): ClubDays => {
  const today = dateIn(time_zone, now)
  const days = Array.makeBy(count, (n) => DateTime.subtract(today, { days: count - 1 - n }))
  return {
    dates: days.map(DateTime.formatIsoDateUtc),
    begins: Array.map(days, (day) => midnight(day, time_zone)),
    ends: midnight(DateTime.add(today, { days: 1 }), time_zone)
  }
}

/** The value of `Retry-After`: whole seconds until then, at least one. */
export const secondsUntil = (now: DateTime.Utc, then: DateTime.Utc): number =>
  Math.max(1, Math.ceil((DateTime.toEpochMillis(then) - DateTime.toEpochMillis(now)) / 1000))
