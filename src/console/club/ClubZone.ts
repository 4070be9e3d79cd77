import { signal } from "@preact/signals"
import { useLayoutEffect, useMemo } from "preact/hooks"
import { turma } from "../../browser/client/Api.ts"
import { dateTime } from "../../browser/client/Format.ts"
import { language, said, spoken } from "../../browser/client/Language.ts"
import { useRead } from "../../browser/client/Reads.ts"
import { currentMillis, millisOf } from "../../browser/client/Time.ts"
import { endOfDayIn, localIn, momentAt, offsetAt, ownZone, zoneName } from "../../browser/client/Zoned.ts"

// A club's plans use the club's clock, in whatever zone its members are.

const words = spoken(
  {
    byClub: (zone: string) => `In the club's time zone: ${zone}.`,
    noMoment: "Enter a day and a time",
    unknown: "The club's time zone has not loaded yet: try again in a moment"
  },
  {
    byClub: (zone: string) => `No fuso do clube: ${zone}.`,
    noMoment: "Informe o dia e a hora",
    unknown: "O fuso horário do clube ainda não carregou: tente de novo daqui a pouco"
  }
)

/** The zone of the shown club. Undefined until it is known. */
export const clubZone = signal<string | undefined>(undefined)

/** Reads a club's zone, for everything that its views show. */
export const useClubZone = (clubId: string | undefined): void => {
  const { data } = useRead(
    clubId === undefined ? undefined : `${clubId}/club`,
    (signal) => turma.clubs.get({ clubId: clubId ?? "" }, { signal })
  )
  const zone = data?.data.time_zone
  useLayoutEffect(() => {
    clubZone.value = zone
  }, [zone])
}

const isElsewhere = (millis: number, zone: string) => offsetAt(millis, zone) !== offsetAt(millis, ownZone())

/** A planned time by the club's clock, with the zone if the reader's clock shows another time. */
export const clubTime = (timestamp: string): string => {
  const zone = clubZone.value
  if (zone === undefined) return dateTime(timestamp)
  const at = millisOf(timestamp)
  const text = dateTime(timestamp, zone)
  return isElsewhere(at, zone) ? `${text} (${zoneName(at, zone, language.value)})` : text
}

/** A field's hint with the club's zone, if the reader's clock shows another time. */
export const clubHint = (hint?: string): string | undefined => {
  const zone = clubZone.value
  const at = currentMillis()
  if (zone === undefined || !isElsewhere(at, zone)) return hint
  const note = said(words).byClub(`${zone.replaceAll("_", " ")}, ${zoneName(at, zone, language.value)}`)
  return hint === undefined ? note : `${hint} ${note}`
}

/** A time as a field of the club's time has it. Empty without a time, or before the club's zone is known. */
export const clubField = (timestamp: string | null | undefined): string =>
  timestamp === null || timestamp === undefined || clubZone.value === undefined
    ? ""
    : localIn(timestamp, clubZone.value)

/** The record that a form with such fields edits. It changes once the club's zone is known, and the fields follow. */
export const useOfClub = (of: object | undefined): object | undefined => {
  const zone = clubZone.value
  return useMemo(() => of && { of, zone }, [of, zone])
}

const known = () => {
  const zone = clubZone.value
  if (zone === undefined) throw new Error(said(words).unknown)
  return zone
}

const found = (moment: string | undefined) => {
  if (moment === undefined) throw new Error(said(words).noMoment)
  return moment
}

/** The moment that a field of the club's time says. */
export const clubMoment = (local: string): string => found(momentAt(local, known()))

/** The end of a day in the club's zone. Undefined for a text that is not a day, and before the zone is known. */
export const dayEnd = (day: string): string | undefined =>
  clubZone.value === undefined ? undefined : endOfDayIn(day, clubZone.value)

/** The same, of a field that is sent. */
export const clubDayEnd = (day: string): string => found(endOfDayIn(day, known()))

/** The zones there are to choose from, with one that must be among them. */
export const zoneChoices = (own: string): ReadonlyArray<{ readonly value: string; readonly label: string }> =>
  [...new Set([own, "UTC", ...Intl.supportedValuesOf("timeZone")])].map((zone) => ({
    value: zone,
    label: zone.replaceAll("_", " ")
  }))
