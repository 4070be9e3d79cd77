import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { AppLayer, at, enrolledStudent, foundClub, listAt, outcome, send } from "../../harness/App.ts"
import { momentOf } from "../gamification/Classroom.ts"
import { announce, asStaff, attendee, close, deliver, join, open } from "./Live.ts"

layer(AppLayer)("Opening and closing", (it) => {
  it.effect("a live is noted with its time, and the second time nothing happens", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(momentOf("2026-05-10T18:03:00Z"))
      const club = yield* foundClub()
      const id = yield* announce(club)
      const opened = yield* open(club, id)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual([opened.status, (yield* open(club, id)).text], [200, opened.text])
      const closed = yield* close(club, id)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual([closed.status, (yield* close(club, id)).text], [200, closed.text])
      const seen = [opened, closed].map(({ json }) => {
        const { ended_at, opened_at, status } = Object(at(json, "data"))
        return [status, opened_at, ended_at]
      })
      assert.deepStrictEqual(seen, [
        ["open", "2026-05-10T18:03:00.000Z", null],
        ["ended", "2026-05-10T18:03:00.000Z", "2026-05-10T19:03:00.000Z"]
      ])
    }))

  it.effect("needs one that has not ended, and one that was open", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const id = yield* announce(club)
      assert.deepStrictEqual(outcome(yield* close(club, id)), [409, "live_not_open"])
      yield* open(club, id)
      yield* close(club, id)
      assert.deepStrictEqual(outcome(yield* open(club, id)), [409, "live_ended"])
    }))
})

layer(AppLayer)("Attendances", (it) => {
  it.effect("are listed in the order in which students came, over pages", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(momentOf("2026-05-10T18:00:00Z"))
      const club = yield* foundClub()
      const [id, other] = [yield* announce(club), yield* announce(club)]
      const students = [yield* attendee(club, id), yield* attendee(club, id, other), yield* attendee(club, id)]
        .toReversed()
      yield* open(club, id)
      yield* open(club, other)
      for (const student of students) {
        yield* TestClock.adjust("1 minute")
        yield* join(club, student, id)
      }
      const first = yield* asStaff(club, "GET", `/${id}/attendances?limit=2`)
      const cursor = String(at(first.json, "next_cursor"))
      const second = yield* asStaff(club, "GET", `/${id}/attendances?limit=2&cursor=${cursor}`)
      const expected = students.map(({ id, name }, n) => ({
        student: { id, name },
        joined_at: `2026-05-10T18:0${n + 1}:00.000Z`
      }))
      assert.deepStrictEqual<unknown>([first, second].flatMap(({ json }) => listAt(json, "data")), expected)
      assert.isNull(at(second.json, "next_cursor"))
      assert.deepStrictEqual(listAt((yield* asStaff(club, "GET", `/${other}/attendances`)).json, "data"), [])
      assert.deepStrictEqual(
        outcome(yield* asStaff(club, "GET", `/${id}/attendances?cursor=x`)),
        [400, "invalid_cursor"]
      )
    }))

  it.effect("stay without the name when the student is removed", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const id = yield* announce(club)
      const student = yield* attendee(club, id)
      yield* open(club, id)
      yield* join(club, student, id)
      yield* send("DELETE", `${club.path}/students/${student.id}`, { token: club.token })
      const { json } = yield* asStaff(club, "GET", `/${id}/attendances`)
      assert.deepStrictEqual(at(json, "data", 0, "student"), { id: student.id, name: "Anonymized" })
    }))

  it.effect("are not for students", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const id = yield* announce(club)
      yield* deliver(club, id)
      const { token } = yield* enrolledStudent(club)
      const answer = yield* asStaff({ path: club.path, token }, "GET", `/${id}/attendances`)
      assert.deepStrictEqual(outcome(answer), [401, "unauthenticated"])
    }))
})
