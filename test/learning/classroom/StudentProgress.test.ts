import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AppLayer, at, enrolledStudent, foundClub, listAt, outcome, send, tokenAs } from "../../harness/App.ts"
import { makeCourse, makeEnrollment, makeItem, makeStudent } from "../../harness/Makers.ts"
import { endAccess, makeTaughtCourse, publish } from "./OpenClassroom.ts"

const unknownId = "0190a000-0000-7000-8000-000000000001"

type Club = Effect.Success<ReturnType<typeof foundClub>>

const read = ({ path, token }: Pick<Club, "path" | "token">, { id }: { readonly id: string }) =>
  send("GET", `${path}/students/${id}/progress`, { token })

const listed = (club: Club, student: { readonly id: string }) =>
  Effect.map(read(club, student), ({ json }) => listAt(json, "data"))

/** A course of three lessons, and a student who has it. */
const open = Effect.gen(function*() {
  const club = yield* foundClub()
  const taught = yield* makeTaughtCourse(club, 3)
  const student = yield* enrolledStudent(club)
  yield* makeEnrollment(club, student, taught.delivery)
  const completion = (method: "PUT" | "DELETE", n: number) =>
    Effect.andThen(
      TestClock.adjust("1 minute"),
      send(method, `${club.path}/classroom/lessons/${taught.lessons[n]?.public_id}/completion`, {
        token: student.token
      })
    )
  return { club, student, ...taught, completion, complete: (n: number) => completion("PUT", n) }
})

layer(AppLayer)("The progress of a student", (it) => {
  it.effect("counts the live lessons of each course, and those that are completed", () =>
    Effect.gen(function*() {
      const { club, complete, course, student } = yield* open
      const begun = {
        course: { id: course.id, title: course.title },
        lessons_total: 3,
        lessons_completed: 0,
        completed_at: null,
        last_completed_at: null
      }
      const answer = yield* read(club, student)
      assert.deepStrictEqual(answer.json, { data: [begun], next_cursor: null })
      yield* complete(0)
      yield* complete(1)
      const last_completed_at = DateTime.formatIso(yield* DateTime.now)
      assert.deepStrictEqual(yield* listed(club, student), [{ ...begun, lessons_completed: 2, last_completed_at }])
    }))

  it.effect("says when a course was finished, which undoing does not change", () =>
    Effect.gen(function*() {
      const { club, complete, completion, student } = yield* open
      for (const n of [0, 1, 2]) yield* complete(n)
      const completed_at = DateTime.formatIso(yield* DateTime.now)
      const [finished] = yield* listed(club, student)
      assert.deepStrictEqual([at(finished, "completed_at"), at(finished, "lessons_completed")], [completed_at, 3])
      yield* completion("DELETE", 2)
      const [undone] = yield* listed(club, student)
      assert.deepStrictEqual([at(undone, "completed_at"), at(undone, "lessons_completed")], [completed_at, 2])
      assert.notStrictEqual(at(undone, "last_completed_at"), completed_at)
    }))

  it.effect("has no lesson that is not live, and still tells when it was completed", () =>
    Effect.gen(function*() {
      const { club, complete, lessons, student } = yield* open
      yield* complete(0)
      const last_completed_at = DateTime.formatIso(yield* DateTime.now)
      if (lessons[0] !== undefined) yield* publish(club, lessons[0], null)
      const [course] = yield* listed(club, student)
      const { completed_at: _, course: __, ...rest } = Object(course)
      assert.deepStrictEqual(rest, { lessons_total: 2, lessons_completed: 0, last_completed_at })
    }))

  it.effect("has nothing of deleted lessons and modules", () =>
    Effect.gen(function*() {
      const { club, complete, lessons, modules, student } = yield* open
      yield* complete(0)
      const sql = yield* SqlClient.SqlClient
      const seen = Effect.map(listed(club, student), ([course]) => [
        at(course, "lessons_total"),
        at(course, "lessons_completed"),
        at(course, "last_completed_at") === null
      ])
      yield* sql`
        update modules set deleted_at = created_at where club_id = ${club.id} and id = ${modules[1]?.id ?? ""}`
      assert.deepStrictEqual(yield* seen, [2, 1, false])
      yield* sql`
        update lessons set deleted_at = created_at where club_id = ${club.id} and id = ${lessons[0]?.id ?? ""}`
      assert.deepStrictEqual(yield* seen, [1, 0, true])
    }))

  it.effect("keeps a course that was begun when the access ends, and no other", () =>
    Effect.gen(function*() {
      const { club, complete, course, delivery, student } = yield* open
      const empty = yield* makeCourse(club)
      yield* makeItem(club, delivery, { kind: "course", id: empty.id })
      yield* complete(0)
      const ids = Effect.map(listed(club, student), (courses) => courses.map((one) => at(one, "course", "id")))
      assert.sameMembers(yield* ids, [course.id, empty.id])
      yield* endAccess(club, student)
      assert.deepStrictEqual(yield* ids, [course.id])
    }))

  it.effect("has the courses in the club's order, without deleted ones", () =>
    Effect.gen(function*() {
      const { club, course, delivery, student } = yield* open
      const others = [yield* makeCourse(club, { position: 90 }), yield* makeCourse(club, { position: 80 })]
      yield* Effect.forEach(others, ({ id }) => makeItem(club, delivery, { kind: "course", id }))
      const sql = yield* SqlClient.SqlClient
      const ids = Effect.map(listed(club, student), (courses) => courses.map((one) => at(one, "course", "id")))
      assert.deepStrictEqual(yield* ids, [course.id, others[1]?.id, others[0]?.id])
      yield* sql`update courses set deleted_at = created_at where club_id = ${club.id} and id = ${course.id}`
      assert.deepStrictEqual(yield* ids, [others[1]?.id, others[0]?.id])
    }))

  it.effect("is that of the student alone", () =>
    Effect.gen(function*() {
      const { club, complete, delivery } = yield* open
      yield* complete(0)
      const other = yield* makeStudent(club)
      assert.deepStrictEqual(yield* listed(club, other), [])
      yield* makeEnrollment(club, other, delivery)
      assert.strictEqual(at(yield* listed(club, other), 0, "lessons_completed"), 0)
    }))

  it.effect("is read by every member, of no student of another club, and not by the student", () =>
    Effect.gen(function*() {
      const { club, student } = yield* open
      const other = yield* foundClub()
      for (const role of ["viewer", "support", "editor"] as const) {
        assert.strictEqual((yield* read({ ...club, token: yield* tokenAs(club, role) }, student)).status, 200)
      }
      assert.strictEqual((yield* read({ ...club, token: student.token }, student)).status, 401)
      for (const id of [unknownId, student.id]) {
        assert.deepStrictEqual(outcome(yield* read(other, { id })), [404, "not_found"])
      }
    }))
})
