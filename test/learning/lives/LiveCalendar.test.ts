import { assert, describe, it, layer } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { LiveId } from "../../../src/learning/lives/Live.ts"
import { type CalendarLive, liveCalendar } from "../../../src/learning/lives/LiveCalendar.ts"
import { AppLayer, enrolledStudent, foundClub, outcome, send } from "../../harness/App.ts"
import { momentOf } from "../gamification/Classroom.ts"
import { announce, asStaff, attendee, type Club, open, type Student } from "./Live.ts"

const now = DateTime.makeUnsafe("2026-08-01T12:00:00.123Z")

const live: CalendarLive = {
  id: LiveId.make("01993f2a-7c00-7a10-8c4e-5b1d2f3a4c5d"),
  title: "Roda de flauta",
  description: "",
  starts_at: DateTime.makeUnsafe("2026-08-20T22:00:00.000Z"),
  ends_at: null
}

const unfolded = (file: string) => file.replaceAll("\r\n ", "").split("\r\n")

/** The text of a property as a calendar reads it. */
const valueOf = (file: string, property: string) =>
  unfolded(file).find((line) => line.startsWith(`${property}:`))?.slice(property.length + 1)
    .replaceAll(/\\(.)/g, (_, mark: string) => mark === "n" ? "\n" : mark)

/** A text in a calendar: each end of a line becomes one character, and each other control character a space. */
const kept = (text: string) => text.replaceAll(/\r\n?|\u2028|\u2029/g, "\n").replaceAll(/[^\P{Cc}\n]/gu, " ")

describe("the calendar file of a live", () => {
  it("has one event, at the announced times and with the moment at which it was made", () => {
    const ends_at = DateTime.makeUnsafe("2026-08-20T23:30:00.000Z")
    const file = liveCalendar({ ...live, description: "Até já; tragam\na flauta, e \\o/", ends_at }, now)
    assert.deepStrictEqual(file.split("\r\n"), [
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:-//Turma//Lives//EN",
      "METHOD:PUBLISH",
      "BEGIN:VEVENT",
      "UID:01993f2a-7c00-7a10-8c4e-5b1d2f3a4c5d",
      "DTSTAMP:20260801T120000Z",
      "DTSTART:20260820T220000Z",
      "DTEND:20260820T233000Z",
      "SUMMARY:Roda de flauta",
      String.raw`DESCRIPTION:Até já\; tragam\na flauta\, e \\o/`,
      "END:VEVENT",
      "END:VCALENDAR",
      ""
    ])
  })

  it("has neither an end nor a description where the live has none", () => {
    const lines = unfolded(liveCalendar(live, now))
    assert.isFalse(lines.some((line) => /^(?:DTEND|DESCRIPTION)/.test(line)))
  })

  it.prop(
    "says any title and description again, in lines of 75 bytes that cut no character",
    [Schema.String, Schema.String],
    ([title, description]) => {
      const file = liveCalendar({ ...live, title: title.toWellFormed(), description: description.toWellFormed() }, now)
      assert.strictEqual(valueOf(file, "SUMMARY"), kept(title.toWellFormed()))
      assert.strictEqual(valueOf(file, "DESCRIPTION") ?? "", kept(description.toWellFormed()))
      for (const line of file.split("\r\n")) {
        assert.isAtMost(Buffer.byteLength(line), 75)
        assert.isTrue(line.isWellFormed())
        assert.notMatch(line, /[\r\n]/)
      }
    }
  )

  it("folds a long line of several bytes for each character", () => {
    const title = "🎵".repeat(200)
    const file = liveCalendar({ ...live, title }, now)
    assert.strictEqual(valueOf(file, "SUMMARY"), title)
    assert.isTrue(file.split("\r\n").every((line) => Buffer.byteLength(line) <= 75))
  })
})

const download = ({ path }: Club, { token }: Pick<Student, "token">, id: string) =>
  send("GET", `${path}/classroom/lives/${id}/calendar.ics`, { token })

layer(AppLayer)("A student's calendar file", (it) => {
  it.effect("is a download of the live as it is announced now, without its address", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(momentOf("2026-05-01T09:00:00Z"))
      const club = yield* foundClub()
      const id = yield* announce(club, { url: "https://meet.example/roda" })
      const student = yield* attendee(club, id)
      yield* open(club, id)
      yield* asStaff(club, "PATCH", `/${id}`, { title: "Outra roda" })
      const { headers, status, text } = yield* download(club, student, id)
      assert.strictEqual(status, 200)
      assert.strictEqual(headers["content-type"], "text/calendar; charset=utf-8")
      assert.strictEqual(headers["content-disposition"], "attachment; filename=\"live.ics\"")
      assert.include(text, "\r\nDTSTAMP:20260501T090000Z\r\nDTSTART:20260510T180000Z\r\nSUMMARY:Outra roda\r\n")
      assert.notInclude(text, "meet.example")
    }))

  it.effect("is not found for a live that the student does not have, or that was deleted", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const id = yield* announce(club)
      const student = yield* attendee(club, id)
      assert.deepStrictEqual(outcome(yield* download(club, yield* enrolledStudent(club), id)), [404, "not_found"])
      yield* asStaff(club, "DELETE", `/${id}`)
      assert.deepStrictEqual(outcome(yield* download(club, student, id)), [404, "not_found"])
    }))
})
