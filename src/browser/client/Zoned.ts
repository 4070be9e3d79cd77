import { millisOf, timestampOf } from "./Time.ts"

// Times of the calendar in a zone that is not the reader's own. Pure.

const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (zone: string) => {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit"
  })
  formats.set(zone, format)
  return format
}

const day = 86_400_000

/** The reader's own zone. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** How far the clocks of a zone are ahead of UTC at a moment, in milliseconds. */
export const offsetAt = (millis: number, zone: string): number => {
  const parts: Record<string, string> = {}
  for (const { type, value } of formatOf(zone).formatToParts(millis)) parts[type] = value
  const { day, hour, minute, month, second, year } = parts
  return millisOf(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) - Math.floor(millis / 1000) * 1000
}

/** A moment as a field has it, to the minute, by the clocks of a zone: `2026-08-14T09:30`. */
export const localIn = (timestamp: string, zone: string): string => {
  const millis = millisOf(timestamp)
  return timestampOf(millis + offsetAt(millis, zone)).slice(0, 16)
}

/**
 * The time at which the clocks of a zone show this: `2026-08-14T09:30`, with or without seconds and their parts. A time
 * that the clocks skip lies as late after the hour before. Of a time that they show twice it is the first.
 */
export const momentAt = (local: string, zone: string): string | undefined => {
  const shown = millisOf(`${local}Z`)
  if (Number.isNaN(shown)) return undefined
  const [before, after] = [shown - day, shown + day].map((at) => offsetAt(at, zone))
  const found = [before, after].map((offset = 0) => shown - offset).find((at) => at + offsetAt(at, zone) === shown)
  return timestampOf(found ?? shown - (before ?? 0))
}

/** The last moment of a day of a zone's calendar. */
export const endOfDayIn = (day: string, zone: string): string | undefined => momentAt(`${day}T23:59:59.999`, zone)

/** The short name of a zone's clock at a time: `GMT-3`. */
export const zoneName = (millis: number, zone: string, language: string): string =>
  new Intl.DateTimeFormat(language, { timeZone: zone, timeZoneName: "short" }).formatToParts(millis)
    .find(({ type }) => type === "timeZoneName")?.value ?? zone
