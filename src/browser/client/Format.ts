import { type Language, language } from "./Language.ts"
import { millisOf } from "./Time.ts"

// Numbers, moments and amounts as the reader's language has them.

const made = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat | Intl.RelativeTimeFormat>()

const dateFormat = (spoken: Language, options: Intl.DateTimeFormatOptions) => {
  const key = `date ${spoken} ${JSON.stringify(options)}`
  const known = made.get(key)
  if (known instanceof Intl.DateTimeFormat) return known
  const format = new Intl.DateTimeFormat(spoken, options)
  made.set(key, format)
  return format
}

const numberFormat = (spoken: Language, options: Intl.NumberFormatOptions) => {
  const key = `number ${spoken} ${JSON.stringify(options)}`
  const known = made.get(key)
  if (known instanceof Intl.NumberFormat) return known
  const format = new Intl.NumberFormat(spoken, options)
  made.set(key, format)
  return format
}

const relativeFormat = (spoken: Language) => {
  const key = `relative ${spoken}`
  const known = made.get(key)
  if (known instanceof Intl.RelativeTimeFormat) return known
  const format = new Intl.RelativeTimeFormat(spoken, { numeric: "auto" })
  made.set(key, format)
  return format
}

/** A number: `1,234`. */
export const number = (value: number): string => numberFormat(language.value, {}).format(value)

/** `one` for a count of one, and `many` for any other. */
export const counted = (count: number, one: string, many: string): string => count === 1 ? one : many

/** A share of one: `12.5 %`. */
export const percent = (share: number): string =>
  numberFormat(language.value, { style: "percent", maximumFractionDigits: 1 }).format(share)

/** An amount of money in its smallest unit: `R$ 99.90`. */
export const money = (cents: number, currency: string): string =>
  numberFormat(language.value, { style: "currency", currency }).format(cents / 100)

/** A size in bytes: `3.4 MB`. */
export const bytes = (size: number): string => {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const
  const step = size < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(size) / 3))
  return numberFormat(language.value, {
    style: "unit",
    unit: units[step] ?? "byte",
    unitDisplay: step === 0 ? "long" : "short",
    maximumFractionDigits: step < 2 ? 0 : 1
  }).format(size / 1000 ** step)
}

/** How long something took: `340 ms`, `2.1 s`. */
export const duration = (millis: number): string =>
  millis < 1000
    ? `${number(Math.round(millis))} ms`
    : `${numberFormat(language.value, { maximumFractionDigits: 1 }).format(millis / 1000)} s`

/** A moment to the minute, with the year. */
export const dateTime = (timestamp: string, timeZone?: string): string =>
  dateFormat(language.value, {
    dateStyle: "medium",
    timeStyle: "short",
    ...(timeZone === undefined ? {} : { timeZone })
  })
    .format(millisOf(timestamp))

/** A moment to the second, as a log has it. */
export const exactTime = (timestamp: string): string =>
  dateFormat(language.value, { dateStyle: "medium", timeStyle: "long" }).format(millisOf(timestamp))

/** A moment below a chart: the hour, or of more than some days the day. */
export const tick = (millis: number, isDay: boolean, timeZone?: string): string =>
  dateFormat(language.value, {
    ...(isDay ? { day: "numeric", month: "short" } : { hour: "2-digit", minute: "2-digit" }),
    ...(timeZone === undefined ? {} : { timeZone })
  }).format(millis)

/** A day. */
export const date = (timestamp: string, timeZone?: string): string =>
  dateFormat(language.value, { dateStyle: "medium", ...(timeZone === undefined ? {} : { timeZone }) })
    .format(millisOf(timestamp))

/** A day in a list: `11/28/26`. */
export const shortDate = (timestamp: string, timeZone?: string): string =>
  dateFormat(language.value, {
    day: "2-digit",
    month: "2-digit",
    year: "2-digit",
    ...(timeZone === undefined ? {} : { timeZone })
  }).format(millisOf(timestamp))

/** A day as one says it, without the year: `Friday, December 4`. */
export const weekday = (timestamp: string, timeZone?: string): string =>
  dateFormat(language.value, {
    weekday: "long",
    day: "numeric",
    month: "long",
    ...(timeZone === undefined ? {} : { timeZone })
  }).format(millisOf(timestamp))

/** The time of a day: `7:30 PM`. */
export const timeOfDay = (timestamp: string, timeZone?: string): string =>
  dateFormat(language.value, { timeStyle: "short", ...(timeZone === undefined ? {} : { timeZone }) })
    .format(millisOf(timestamp))

/** A sentence of the API with its ISO times and days as the reader writes them. Days are in UTC, as there. */
export const withDates = (sentence: string): string =>
  sentence.replaceAll(
    /\b\d{4}-\d{2}-\d{2}(T[\d:.]+Z)?/g,
    (at, time: string | undefined) => time === undefined ? date(at, "UTC") : dateTime(at)
  )

const steps: ReadonlyArray<readonly [Intl.RelativeTimeFormatUnit, number]> = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000]
]

/** A moment as seen from another: `3 minutes ago`, `in 2 hours`. */
export const relative = (millis: number, from: number): string => {
  const distance = millis - from
  const [unit, length] = steps.find(([, step]) => Math.abs(distance) >= step) ?? ["second", 1000]
  return relativeFormat(language.value).format(Math.trunc(distance / length), unit)
}

/** The time until a moment, for a clock that counts down: `1:04:09`, `0:32`. */
export const countdown = (millis: number): string => {
  const seconds = Math.max(0, Math.ceil(millis / 1000))
  const two = (value: number) => String(value).padStart(2, "0")
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

/** A place in a video, as a player shows it: `12:34`. */
export const atSecond = (seconds: number): string => countdown(Math.floor(seconds) * 1000)
