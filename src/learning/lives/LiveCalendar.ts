import { DateTime } from "effect"
import type { ClassroomLive } from "./Live.ts"

// A live as a calendar file (RFC 5545).

/** The part of a live in its calendar file. It lacks the address, which students see while the live is open. */
export type CalendarLive = Pick<ClassroomLive, "id" | "title" | "description" | "starts_at" | "ends_at">

/** The most bytes of a line, without its end. */
const lineLength = 75

/** `20260820T220000Z`. */
const moment = (at: DateTime.Utc) => DateTime.formatIso(at).replace(/\.\d+/, "").replaceAll(/[-:]/g, "")

/** A value of the type TEXT: without control characters, with its own marks escaped and its lines in one. */
const text = (value: string) =>
  value.replaceAll(/\r\n?|\u2028|\u2029/g, "\n")
    .replaceAll(/[^\P{Cc}\n]/gu, " ")
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll("\n", String.raw`\n`)

const bytes = (character: string) => Buffer.byteLength(character)

/** A line in pieces of at most 75 bytes, each but the first with a space before it. No piece ends inside a character. */
const folded = (line: string): string => {
  const pieces: Array<string> = []
  let [piece, length] = ["", 0]
  for (const character of line) {
    if (length + bytes(character) > lineLength) {
      pieces.push(piece)
      piece = " "
      length = 1
    }
    piece += character
    length += bytes(character)
  }
  return [...pieces, piece].join("\r\n")
}

/** The calendar file of a live, made now. A calendar that has the live already takes it for the same event. */
export const liveCalendar = ({ description, ends_at, id, starts_at, title }: CalendarLive, now: DateTime.Utc): string =>
  [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Turma//Lives//EN",
    "METHOD:PUBLISH",
    "BEGIN:VEVENT",
    `UID:${id}`,
    `DTSTAMP:${moment(now)}`,
    `DTSTART:${moment(starts_at)}`,
    ...ends_at === null ? [] : [`DTEND:${moment(ends_at)}`],
    `SUMMARY:${text(title)}`,
    ...description === "" ? [] : [`DESCRIPTION:${text(description)}`],
    "END:VEVENT",
    "END:VCALENDAR",
    ""
  ].map(folded).join("\r\n")
