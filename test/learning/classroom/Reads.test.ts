import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { AppLayer, at, enrolledStudent, outcome } from "../../harness/App.ts"
import { makeItem, makeLesson } from "../../harness/Makers.ts"
import { endAccess, makeTaughtCourse, publish } from "./OpenClassroom.ts"
import { ask, openCourse } from "./OpenCourse.ts"

type OpenedClassroom = Effect.Success<ReturnType<typeof openCourse>>

layer(AppLayer)("The courses of a student", (it) => {
  it.effect("are those that they have, in the club's order, with the progress in each", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(3)
      const { club, course, delivery, lesson, lessons } = room
      const other = yield* makeTaughtCourse(club, 1)
      yield* makeItem(club, delivery, { kind: "course", id: other.course.id })
      yield* makeTaughtCourse(club, 1)
      yield* ask(room, "PUT", `/lessons/${lesson.public_id}/completion`)
      const { json, status } = yield* ask(room, "GET")
      assert.strictEqual(status, 200)
      assert.deepStrictEqual<unknown>(json, {
        data: [
          {
            id: course.id,
            public_id: course.public_id,
            title: course.title,
            progress: {
              lessons_count: 3,
              completed_count: 1,
              percent: 33,
              next_lesson_public_id: lessons[1]?.public_id,
              completed_at: null
            }
          },
          {
            id: other.course.id,
            public_id: other.course.public_id,
            title: other.course.title,
            progress: {
              lessons_count: 1,
              completed_count: 0,
              percent: 0,
              next_lesson_public_id: other.lessons[0]?.public_id,
              completed_at: null
            }
          }
        ],
        next_cursor: null
      })
    }))

  it.effect("have the progress that each is read with", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(4)
      for (const { public_id } of [...room.lessons].toReversed()) {
        yield* ask(room, "PUT", `/lessons/${public_id}/completion`)
        const [list, course] = [yield* ask(room, "GET"), yield* ask(room, "GET", `/courses/${room.course.public_id}`)]
        assert.deepStrictEqual(at(list.json, "data", 0, "progress"), at(course.json, "data", "progress"))
      }
    }))

  it.effect("are none without a live lesson", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(1)
      yield* publish(room.club, room.lesson, DateTime.add(yield* DateTime.now, { hours: 1 }))
      assert.deepStrictEqual((yield* ask(room, "GET")).json, { data: [], next_cursor: null })
    }))

  it.effect("tell when they were finished, also after lessons came or were undone", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(1)
      const [module] = room.modules
      if (module === undefined) return assert.fail()
      yield* ask(room, "PUT", `/lessons/${room.lesson.public_id}/completion`)
      yield* makeLesson(room.club, module, { position: 9 })
      assert.deepInclude(at((yield* ask(room, "GET")).json, "data", 0, "progress"), {
        percent: 50,
        completed_at: "1970-01-01T00:00:00.000Z"
      })
    }))
})

layer(AppLayer)("A course", (it) => {
  it.effect("is read with its live lessons in their modules, in order, each completed or not", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(4)
      const { course, lessons, modules } = room
      const [first, draft, third, fourth] = lessons
      if (first === undefined || draft === undefined || third === undefined || fourth === undefined) {
        return assert.fail()
      }
      yield* publish(room.club, draft, null)
      yield* ask(room, "PUT", `/lessons/${third.public_id}/completion`)
      const { json, status } = yield* ask(room, "GET", `/courses/${course.public_id}`)
      assert.strictEqual(status, 200)
      const lessonOf = ({ id, public_id, title }: typeof first, completed: boolean) => ({
        id,
        public_id,
        title,
        completed
      })
      assert.deepStrictEqual<unknown>(json, {
        data: {
          id: course.id,
          public_id: course.public_id,
          title: course.title,
          progress: {
            lessons_count: 3,
            completed_count: 1,
            percent: 33,
            next_lesson_public_id: first.public_id,
            completed_at: null
          },
          modules: [
            { id: modules[0]?.id, title: "Módulo 1", lessons: [lessonOf(first, false)] },
            { id: modules[1]?.id, title: "Módulo 2", lessons: [lessonOf(third, true), lessonOf(fourth, false)] }
          ]
        }
      })
    }))

  it.effect("and its lessons are not found where there is none", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(1)
      for (const path of ["/courses/nothing", "/lessons/nothing", "/lessons/%00", `/lessons/${"a".repeat(33)}`]) {
        assert.deepStrictEqual(outcome(yield* ask(room, "GET", path)), [404, "not_found"], path)
      }
    }))

  it.effect("and its lessons are not found in another club", () =>
    Effect.gen(function*() {
      const [room, other] = [yield* openCourse(1), yield* openCourse(1)]
      for (const path of [`/courses/${room.course.public_id}`, `/lessons/${room.lesson.public_id}`]) {
        assert.strictEqual((yield* ask(room, "GET", path)).status, 200)
        assert.deepStrictEqual(outcome(yield* ask(other, "GET", path)), [404, "not_found"])
        assert.deepStrictEqual(outcome(yield* ask({ ...room, club: other.club }, "GET", path)), [403, "forbidden"])
      }
    }))

  it.effect("and its lessons are not found by a student who does not have it", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(1)
      const stranger = { ...room, student: yield* enrolledStudent(room.club) }
      for (const path of [`/courses/${room.course.public_id}`, `/lessons/${room.lesson.public_id}`]) {
        assert.deepStrictEqual(outcome(yield* ask(stranger, "GET", path)), [404, "not_found"])
      }
    }))

  it.effect.each([
    ["the access ended", (room: OpenedClassroom) => endAccess(room.club, room.student)],
    ["the lesson is a draft", (room: OpenedClassroom) => publish(room.club, room.lesson, null)],
    ["the lesson is scheduled", (room: OpenedClassroom) => publish(room.club, room.lesson, DateTime.makeUnsafe(1000))]
  ] as const)("and its lessons are not found any more when %s", ([, spoil]) =>
    Effect.gen(function*() {
      const room = yield* openCourse(1)
      yield* spoil(room)
      for (const path of [`/courses/${room.course.public_id}`, `/lessons/${room.lesson.public_id}`]) {
        assert.deepStrictEqual(outcome(yield* ask(room, "GET", path)), [404, "not_found"])
      }
    }))
})
