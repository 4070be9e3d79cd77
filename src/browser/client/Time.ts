// The one place that reads the machine's clock, which may be wrong: the service's own counts.

let difference: number | undefined

/**
 * Learns the service's clock from an answer, to the second. It counts from now on, whatever the machine's own clock
 * shows. Of several that agree the latest is the nearest: each has lost its own duration and its part of a second.
 */
export const learnTime = (served: string | null): void => {
  const at = Date.parse(served ?? "")
  if (Number.isNaN(at)) return
  const seen = at - Date.now()
  difference = difference === undefined || Math.abs(seen - difference) > 5000 ? seen : Math.max(seen, difference)
}

/** Milliseconds since 1970, by the service's clock once it has answered. */
export const currentMillis = (): number => Date.now() + (difference ?? 0)

/** A moment of the API in milliseconds since 1970. */
export const millisOf = (timestamp: string): number => Date.parse(timestamp)

/** A moment as the API takes it. */
export const timestampOf = (millis: number): string => new Date(millis).toISOString()

/** A moment as libraries take it. */
export const dateAt = (millis: number): Date => new Date(millis)

/** The time in a text, as the API takes it. Undefined for a text without one. */
export const momentIn = (text: string | null): string | undefined => {
  const at = text === null ? Number.NaN : Date.parse(text)
  return Number.isNaN(at) ? undefined : timestampOf(at)
}

/** A moment as a field of the reader's own time has it, to the minute: `2026-08-14T09:30`. */
export const localOf = (timestamp: string): string => {
  const at = millisOf(timestamp)
  return timestampOf(at - new Date(at).getTimezoneOffset() * 60_000).slice(0, 16)
}

const two = (value: number) => String(value).padStart(2, "0")

/** The day of a time in the reader's zone, as a field for days has it: `2027-01-31`. */
export const dayOf = (timestamp: string): string => {
  const moment = new Date(timestamp)
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`
}

/**
 * The start of a day in the reader's zone, `after` days after the entered one. Undefined for a text that is not a day.
 */
export const startOfDay = (day: string, after = 0): string | undefined => {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? []
  if (year === undefined) return undefined
  const moment = new Date(Number(year), Number(month) - 1, Number(date) + after)
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString()
}
