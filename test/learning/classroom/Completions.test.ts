import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Gamifications } from "../../../src/learning/gamification/Gamifications.ts"
import { makeEnrollment, makeModule, makeStudent } from "../../harness/Makers.ts"
import { SpansLayer, statements } from "../../harness/Statements.ts"
import {
  ClassroomLayer,
  complete,
  inaccessible,
  openClassroom,
  paidTo,
  publish,
  recordedEvents,
  undo
} from "./OpenClassroom.ts"

layer(ClassroomLayer)("Completing a lesson", (it) => {
  it.effect("answers the lesson, the course as it stands with it, and the points", () =>
    Effect.gen(function*() {
      const room = yield* openClassroom(3)
      const { course, lessons: [first, second] } = room
      const now = yield* DateTime.now
      assert.deepStrictEqual<unknown>(yield* complete(room, 0), {
        lesson: { id: first?.id, public_id: first?.public_id, title: "Aula 1" },
        completed: true,
        completed_at: now,
        first_completed_at: now,
        course: {
          id: course.id,
          public_id: course.public_id,
          title: course.title,
          progress: {
            lessons_count: 3,
            completed_count: 1,
            percent: 33,
            next_lesson_public_id: second?.public_id,
            completed_at: null
          }
        },
        points_awarded: 10
      })
    }))

  it.effect("is told and paid once, whatever is repeated, undone and done again", () =>
    Effect.gen(function*() {
      const room = yield* openClassroom(2)
      const id = room.lessons[0]?.id
      yield* complete(room, 0)
      assert.strictEqual((yield* complete(room, 0)).points_awarded, 0)
      yield* undo(room, 0)
      yield* undo(room, 0)
      assert.strictEqual((yield* complete(room, 0)).points_awarded, 0)
      assert.deepStrictEqual<unknown>(yield* recordedEvents(room.club), [["lesson.completed", id]])
      assert.deepStrictEqual<unknown>(yield* paidTo(room.club, room.student), [["lesson_completed", id, 10]])
    }))

  it.effect("ends the course when no live lesson is left, which is told and paid too, once", () =>
    Effect.gen(function*() {
      const room = yield* openClassroom(2)
      const [first, second] = room.lessons
      yield* complete(room, 1)
      const last = yield* complete(room, 0)
      assert.strictEqual(last.points_awarded, 110)
      assert.deepStrictEqual(last.course.progress.completed_at, yield* DateTime.now)
      yield* undo(room, 0)
      assert.strictEqual((yield* complete(room, 0)).points_awarded, 0)
      assert.deepStrictEqual<unknown>(yield* recordedEvents(room.club), [
        ["lesson.completed", second?.id],
        ["lesson.completed", first?.id],
        ["course.completed", room.course.id]
      ])
      assert.deepStrictEqual<unknown>(yield* paidTo(room.club, room.student), [
        ["lesson_completed", second?.id, 10],
        ["lesson_completed", first?.id, 10],
        ["course_completed", room.course.id, 100]
      ])
    }))

  it.effect("does not wait for drafts and scheduled lessons to end the course", () =>
    Effect.gen(function*() {
      const room = yield* openClassroom(3)
      const [, draft, scheduled] = room.lessons
      if (draft === undefined || scheduled === undefined) return assert.fail()
      yield* publish(room.club, draft, null)
      yield* publish(room.club, scheduled, DateTime.add(yield* DateTime.now, { hours: 1 }))
      const { course } = yield* complete(room, 0)
      assert.deepInclude(course.progress, { lessons_count: 1, percent: 100, next_lesson_public_id: null })
      assert.deepStrictEqual((yield* recordedEvents(room.club)).map(([type]) => type), [
        "lesson.completed",
        "course.completed"
      ])
    }))

  it.effect("does not end the course a second time for lessons that came later", () =>
    Effect.gen(function*() {
      const room = yield* openClassroom(2)
      const later = room.lessons[1]
      if (later === undefined) return assert.fail()
      yield* publish(room.club, later, null)
      yield* complete(room, 0)
      yield* publish(room.club, later, yield* DateTime.now)
      const { course, points_awarded } = yield* complete(room, 1)
      assert.strictEqual(points_awarded, 10)
      assert.strictEqual(course.progress.percent, 100)
      assert.strictEqual((yield* recordedEvents(room.club)).filter(([type]) => type === "course.completed").length, 1)
    }))

  it.effect("that was completed ends the course, where what was left is not live any more", () =>
    Effect.gen(function*() {
      const room = yield* openClassroom(2)
      const left = room.lessons[1]
      if (left === undefined) return assert.fail()
      yield* complete(room, 0)
      yield* publish(room.club, left, null)
      assert.strictEqual((yield* complete(room, 0)).points_awarded, 100)
      assert.strictEqual((yield* complete(room, 0)).points_awarded, 0)
    }))

  it.effect("is told without points where gamification is off, and not paid later", () =>
    Effect.gen(function*() {
      const room = yield* openClassroom(2)
      const switched = (enabled: boolean) => Gamifications.use((all) => all.patch(room.club.id, { enabled }))
      yield* switched(false)
      assert.strictEqual((yield* complete(room, 0)).points_awarded, 0)
      yield* switched(true)
      yield* undo(room, 0)
      assert.strictEqual((yield* complete(room, 0)).points_awarded, 0)
      assert.deepStrictEqual<unknown>(yield* recordedEvents(room.club), [["lesson.completed", room.lessons[0]?.id]])
    }))

  it.effect("is of each student's own", () =>
    Effect.gen(function*() {
      const room = yield* openClassroom(2)
      const other = { ...room, student: yield* makeStudent(room.club) }
      yield* makeEnrollment(room.club, other.student, room.delivery)
      yield* complete(room, 0)
      assert.strictEqual((yield* complete(other, 0)).points_awarded, 10)
      assert.strictEqual((yield* recordedEvents(room.club)).length, 2)
    }))

  it.effect.each(inaccessible)(
    "answers NotFound where it is %s, and undoing it too",
    ([, spoil]) =>
      Effect.gen(function*() {
        const open = yield* openClassroom(2)
        const room = { ...open, ...yield* spoil(open) }
        assert.strictEqual((yield* Effect.flip(complete(room, 0)))._tag, "NotFound")
        assert.strictEqual((yield* Effect.flip(undo(room, 0)))._tag, "NotFound")
        assert.deepStrictEqual<unknown>(yield* recordedEvents(open.club), [])
      })
  )

  it.effect("answers NotFound where there is none, and undoing it too", () =>
    Effect.gen(function*() {
      const room = { ...yield* openClassroom(1), lessons: [] }
      assert.strictEqual((yield* Effect.flip(complete(room, 0)))._tag, "NotFound")
      assert.strictEqual((yield* Effect.flip(undo(room, 0)))._tag, "NotFound")
    }))
})

layer(ClassroomLayer)("A lesson, in time,", (it) => {
  it.effect("keeps when it was first completed, and is completed anew after that was undone", () =>
    Effect.gen(function*() {
      const room = yield* openClassroom(2)
      const first = yield* DateTime.now
      yield* complete(room, 0)
      yield* undo(room, 0)
      yield* TestClock.adjust("1 hour")
      const again = yield* complete(room, 0)
      assert.deepStrictEqual([again.first_completed_at, again.completed_at], [first, yield* DateTime.now])
    }))

  it.effect("can be completed from when it is live", () =>
    Effect.gen(function*() {
      const room = yield* openClassroom(1)
      const [lesson] = room.lessons
      if (lesson === undefined) return assert.fail()
      yield* publish(room.club, lesson, DateTime.add(yield* DateTime.now, { minutes: 5 }))
      assert.strictEqual((yield* Effect.flip(complete(room, 0)))._tag, "NotFound")
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual((yield* complete(room, 0)).points_awarded, 110)
    }))
})

layer(ClassroomLayer.pipe(Layer.provideMerge(SpansLayer)))("A completion costs", (it) => {
  it.effect("one statement where the lesson is completed, and one more the first time", () =>
    Effect.gen(function*() {
      const room = yield* openClassroom(2)
      const first = yield* statements(complete(room, 0))
      assert.deepStrictEqual(first.map((statement) => statement.split(" ").slice(0, 3).join(" ")), [
        "select course.*, h.id",
        "with student as"
      ])
      assert.strictEqual((yield* statements(complete(room, 0))).length, 1)
    }))

  it.effect("no more where it ends the course", () =>
    Effect.gen(function*() {
      const room = yield* openClassroom(1)
      assert.strictEqual((yield* statements(complete(room, 0))).length, 2)
    }))

  it.effect("nothing for a module that is empty", () =>
    Effect.gen(function*() {
      const room = yield* openClassroom(1)
      yield* makeModule(room.club, room.course, { position: 9 })
      assert.strictEqual((yield* complete(room, 0)).course.progress.percent, 100)
    }))
})
