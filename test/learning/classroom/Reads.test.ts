import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AppLayer, at, enrolledStudent, outcome, send } from "../../harness/App.ts"
import { makeBlock, makeEnrollment, makeItem, makeLesson, makeMedia } from "../../harness/Makers.ts"
import { bareCourse, endAccess, makeTaughtCourse, publish } from "./OpenClassroom.ts"
import { ask, makeVideo, openCourse } from "./OpenCourse.ts"

type OpenedClassroom = Effect.Success<ReturnType<typeof openCourse>>

/** Lets every access of the student end now. */
const expire = Effect.fnUntraced(function*({ club, student }: OpenedClassroom) {
  const sql = yield* SqlClient.SqlClient
  const now = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql`update enrollments set expires_at = ${now} where club_id = ${club.id} and student_id = ${student.id}`
})

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
            ...bareCourse,
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
            ...bareCourse,
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
        completed,
        locked: null,
        kinds: [],
        duration_seconds: null
      })
      assert.deepStrictEqual<unknown>(json, {
        data: {
          id: course.id,
          public_id: course.public_id,
          title: course.title,
          ...bareCourse,
          images: [],
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

  it.effect("shows the kinds of the blocks of each lesson, and how long its videos play together", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(1)
      const { club, lesson } = room
      const videos = [yield* makeVideo(club), yield* makeVideo(club)]
      for (const media_id of videos) {
        yield* send("PATCH", `${club.path}/media/${media_id}`, { token: club.token, body: { duration_seconds: 61 } })
        yield* makeBlock(club, lesson, { kind: "video", media_id }, { position: 2 })
      }
      yield* makeBlock(club, lesson, { kind: "file", media_id: videos[0] ?? assert.fail() }, { position: 3 })
      yield* makeBlock(club, lesson)
      const { json } = yield* ask(room, "GET", `/courses/${room.course.public_id}`)
      assert.deepInclude(at(json, "data", "modules", 0, "lessons", 0), {
        kinds: ["text", "video", "file"],
        duration_seconds: 122
      })
    }))

  it.effect("shows its subtitle, description, instructor and cover, in the list and alone", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(1)
      const cover = yield* makeMedia(room.club, { kind: "image", title: "Capa" })
      const description = `Em **quatro** semanas ![](media:${cover.id})`
      const page = { subtitle: "Do zero", description, instructor_name: "Pixinguinha" }
      yield* send("PATCH", `${room.club.path}/courses/${room.course.id}`, {
        token: room.club.token,
        body: { ...page, cover_media_id: cover.id }
      })
      const [list, one] = [yield* ask(room, "GET"), yield* ask(room, "GET", `/courses/${room.course.public_id}`)]
      for (const course of [at(list.json, "data", 0), at(one.json, "data")]) {
        assert.deepInclude(course, { ...page, locked: null })
        assert.deepInclude(at(course, "cover"), { kind: "image", title: "Capa" })
        assert.strictEqual(at(course, "cover_media_id"), cover.id)
      }
      assert.strictEqual(at(one.json, "data", "images", 0, "media_id"), cover.id)
    }))
})

/** A lesson with a video, in an outline. */
const outlinedLesson = (room: OpenedClassroom) =>
  Effect.gen(function*() {
    const media_id = yield* makeVideo(room.club)
    yield* makeBlock(room.club, room.lesson, { kind: "video", media_id })
    const { json } = yield* ask(room, "GET", `/courses/${room.course.public_id}`)
    return { course: at(json, "data"), lesson: at(json, "data", "modules", 0, "lessons", 0) }
  })

const described = (room: OpenedClassroom, listed: boolean) =>
  send("PATCH", `${room.club.path}/courses/${room.course.id}`, {
    token: room.club.token,
    body: { subtitle: "Do zero", description: "Segredo", listed }
  })

const progress = (completed_count: number) => ({
  lessons_count: 1,
  completed_count,
  percent: completed_count * 100,
  next_lesson_public_id: null,
  completed_at: null
})

layer(AppLayer)("A course that a student does not have", (it) => {
  it.effect.each([
    ["was revoked", (room: OpenedClassroom) => endAccess(room.club, room.student)],
    ["has ended", (room: OpenedClassroom) => expire(room)]
  ] as const)("shows its titles, when the access %s, and since when", ([, end]) =>
    Effect.gen(function*() {
      const room = yield* openCourse(1)
      yield* described(room, false)
      yield* TestClock.adjust("1 hour")
      yield* end(room)
      const since = DateTime.formatIso(yield* DateTime.now)
      const { course, lesson } = yield* outlinedLesson(room)
      assert.deepInclude(course, {
        title: room.course.title,
        subtitle: "Do zero",
        description: null,
        locked: { reason: "ended", since },
        progress: progress(0)
      })
      assert.deepInclude(lesson, {
        title: room.lesson.title,
        locked: { reason: "ended", opens_at: null },
        kinds: [],
        duration_seconds: null
      })
      assert.deepStrictEqual(outcome(yield* ask(room, "GET", `/lessons/${room.lesson.public_id}`)), [404, "not_found"])
      assert.deepStrictEqual((yield* ask(room, "GET")).json, { data: [], next_cursor: null })
    }))

  it.effect("shows its titles if it is listed", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(1)
      yield* described(room, true)
      const stranger = { ...room, student: yield* enrolledStudent(room.club) }
      const { course, lesson } = yield* outlinedLesson(stranger)
      assert.deepInclude(course, { description: null, locked: { reason: "not_included", since: null } })
      assert.deepInclude(lesson, { locked: { reason: "not_included", opens_at: null }, kinds: [] })
      const answer = yield* ask(stranger, "GET", `/lessons/${room.lesson.public_id}`)
      assert.deepStrictEqual(outcome(answer), [404, "not_found"])
    }))

  it.effect("is open again with another access", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(1)
      yield* TestClock.adjust("1 hour")
      yield* endAccess(room.club, room.student)
      yield* makeEnrollment(room.club, room.student, room.delivery, { starts_at: yield* DateTime.now })
      assert.isNull(at((yield* outlinedLesson(room)).course, "locked"))
    }))

  it.effect("is not found with an access that has not begun", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(1)
      const student = yield* enrolledStudent(room.club)
      const starts_at = DateTime.add(yield* DateTime.now, { hours: 1 })
      yield* makeEnrollment(room.club, student, room.delivery, { starts_at })
      const answer = yield* ask({ ...room, student }, "GET", `/courses/${room.course.public_id}`)
      assert.deepStrictEqual(outcome(answer), [404, "not_found"])
    }))
})
