import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AppLayer, at, enrolledStudent, listAt, send } from "../../harness/App.ts"
import { makeEnrollment, makeLesson } from "../../harness/Makers.ts"
import { SpansLayer, statements } from "../../harness/Statements.ts"
import { momentOf } from "../gamification/Classroom.ts"
import { announce, close, deliver, open } from "../lives/Live.ts"
import { answer, endAccess, makeAssignment, makeQuiz, makeTaughtCourse, publish } from "./OpenClassroom.ts"
import { ask, openCourse } from "./OpenCourse.ts"

type Room = Effect.Success<ReturnType<typeof openCourse>>

const homeOf = (room: Room) => Effect.map(ask(room, "GET", "/home"), ({ json }) => at(json, "data"))

const titles = (home: unknown, list: string) => listAt(home, list).map((item) => at(item, "title"))

const dueOf = (home: unknown) => listAt(home, "due").map((item) => [at(item, "kind"), at(item, "block_id")])

const liveIdOf = (home: unknown) => at(home, "next_live", "id")

const keep = (room: Room, n: number) =>
  ask(room, "PUT", `/lessons/${room.lessons[n]?.public_id}/position`, { seconds: 42 })

const setTime = (moment: string) => TestClock.setTime(momentOf(moment))

/** A lesson more in the first module, live from then on. */
const makeNews = Effect.fnUntraced(function*(room: Room, title: string, moment: string) {
  const [module] = room.modules
  if (module === undefined) return yield* Effect.die(new Error("No module"))
  const lesson = yield* makeLesson(room.club, module, { title, position: 9 })
  yield* publish(room.club, lesson, DateTime.makeUnsafe(moment))
  return lesson
})

layer(AppLayer)("The home of a student", (it) => {
  it.effect("has each course with the lesson to go on with, and the position in it", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(3)
      const other = yield* makeTaughtCourse(room.club, 1)
      yield* makeEnrollment(room.club, room.student, other.delivery)
      yield* ask(room, "PUT", `/lessons/${room.lesson.public_id}/completion`)
      yield* ask(room, "PUT", `/lessons/${other.lessons[0]?.public_id}/completion`)
      yield* keep(room, 1)
      const courses = listAt((yield* ask(room, "GET")).json, "data")
      const next_lesson = {
        public_id: room.lessons[1]?.public_id,
        title: "Aula 2",
        module_title: "Módulo 1",
        position: { seconds: 42, block_id: null, updated_at: "1970-01-01T00:00:00.000Z" }
      }
      assert.deepStrictEqual<unknown>(at(yield* homeOf(room), "courses"), [
        { ...Object(courses[0]), next_lesson },
        { ...Object(courses[1]), next_lesson: null }
      ])
    }))

  it.effect("is empty for a student without a course", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(1)
      const student = yield* enrolledStudent(room.club)
      assert.deepStrictEqual<unknown>(yield* homeOf({ ...room, student }), {
        courses: [],
        locked_courses: [],
        new_lessons: [],
        due: [],
        next_live: null,
        notifications: []
      })
    }))

  it.effect("has the lessons that came since the last position or completion, the newest first", () =>
    Effect.gen(function*() {
      yield* setTime("2026-02-01T00:00:00Z")
      const room = yield* openCourse(2)
      yield* makeNews(room, "Antes", "2026-01-01T00:00:00Z")
      assert.deepStrictEqual(titles(yield* homeOf(room), "new_lessons"), [])
      yield* keep(room, 0)
      const first = yield* makeNews(room, "Primeira", "2026-02-02T00:00:00Z")
      yield* makeNews(room, "Segunda", "2026-02-03T00:00:00Z")
      yield* makeNews(room, "Agendada", "2026-02-10T00:00:00Z")
      yield* setTime("2026-02-04T00:00:00Z")
      const home = yield* homeOf(room)
      assert.deepStrictEqual(titles(home, "new_lessons"), ["Segunda", "Primeira"])
      assert.deepStrictEqual<unknown>(at(home, "new_lessons", 1), {
        public_id: first.public_id,
        title: "Primeira",
        course: { public_id: room.course.public_id, title: room.course.title },
        published_at: "2026-02-02T00:00:00.000Z"
      })
      yield* ask(room, "PUT", `/lessons/${room.lessons[1]?.public_id}/completion`)
      assert.deepStrictEqual(titles(yield* homeOf(room), "new_lessons"), [])
    }))

  it.effect("has at most ten new lessons", () =>
    Effect.gen(function*() {
      yield* setTime("2026-02-05T00:00:00Z")
      const room = yield* openCourse(1)
      yield* keep(room, 0)
      for (let n = 10; n < 22; n++) yield* makeNews(room, `Aula ${n}`, `2026-02-06T${n}:00:00Z`)
      yield* setTime("2026-02-07T00:00:00Z")
      const shown = titles(yield* homeOf(room), "new_lessons")
      assert.deepStrictEqual(shown, Array.from({ length: 10 }, (_, n) => `Aula ${21 - n}`))
    }))

  it.effect("has quizzes without a passed attempt, and assignments whose latest submission was rejected", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(1)
      const { club, lesson } = room
      const [failed, passed] = [yield* makeQuiz(club, lesson), yield* makeQuiz(club, lesson)]
      const [rejected, repeated] = [yield* makeAssignment(club, lesson), yield* makeAssignment(club, lesson)]
      yield* makeQuiz(club, lesson)
      const attempt = (id: string, option: number) =>
        ask(room, "POST", `/quizzes/${id}/attempts`, { answers: [answer(0, option), answer(1, option)] })
      const submitAndReject = Effect.fnUntraced(function*(id: string) {
        const { json } = yield* ask(room, "POST", `/assignments/${id}/submissions`, { body: "Aqui" })
        yield* send("POST", `${club.path}/assignments/submissions/${at(json, "data", "id")}/reject`, {
          token: club.token,
          body: { feedback: "De novo" }
        })
      })
      for (const [id, option] of [[failed.id, 1], [passed.id, 1], [passed.id, 0], [passed.id, 1]] as const) {
        yield* attempt(id, option)
      }
      yield* TestClock.adjust("1 minute")
      yield* submitAndReject(rejected.id)
      yield* submitAndReject(repeated.id)
      yield* ask(room, "POST", `/assignments/${repeated.id}/submissions`, { body: "Melhor" })
      const home = yield* homeOf(room)
      assert.deepStrictEqual<unknown>(at(home, "due"), [
        {
          kind: "assignment",
          block_id: rejected.id,
          lesson: { public_id: lesson.public_id, title: lesson.title },
          title: "Seu acorde"
        },
        {
          kind: "quiz",
          block_id: failed.id,
          lesson: { public_id: lesson.public_id, title: lesson.title },
          title: null
        }
      ])
      const other = { ...room, student: yield* enrolledStudent(club) }
      yield* makeEnrollment(club, other.student, room.delivery)
      assert.deepStrictEqual(dueOf(yield* homeOf(other)), [])
      yield* publish(club, lesson, null)
      assert.deepStrictEqual(dueOf(yield* homeOf(room)), [])
    }))

  it.effect("has the open live first, otherwise the next one that is not over", () =>
    Effect.gen(function*() {
      yield* setTime("2026-05-10T12:00:00Z")
      const room = yield* openCourse(1)
      const { club } = room
      const soon = yield* announce(club, { starts_at: "2026-05-10T18:00:00Z" })
      const later = yield* announce(club, { starts_at: "2026-05-12T18:00:00Z", ends_at: "2026-05-12T20:00:00Z" })
      const past = yield* announce(club, { starts_at: "2026-05-01T18:00:00Z" })
      yield* makeEnrollment(club, room.student, yield* deliver(club, soon, later, past))
      assert.strictEqual(liveIdOf(yield* homeOf(room)), soon)
      yield* open(club, later)
      const [listed] = listAt((yield* ask(room, "GET", "/lives")).json, "data")
      assert.deepStrictEqual(at(yield* homeOf(room), "next_live"), listed)
      yield* close(club, later)
      yield* setTime("2026-05-10T18:59:00Z")
      assert.strictEqual(liveIdOf(yield* homeOf(room)), soon)
      yield* setTime("2026-05-10T19:00:00Z")
      assert.isNull(at(yield* homeOf(room), "next_live"))
    }))

  it.effect("does not go on showing an open live that nobody ended", () =>
    Effect.gen(function*() {
      yield* setTime("2026-05-10T17:00:00Z")
      const room = yield* openCourse(1)
      const live = yield* announce(room.club, { starts_at: "2026-05-10T18:00:00Z", ends_at: "2026-05-10T19:00:00Z" })
      yield* makeEnrollment(room.club, room.student, yield* deliver(room.club, live))
      yield* open(room.club, live)
      yield* setTime("2026-05-11T18:59:00Z")
      assert.strictEqual(liveIdOf(yield* homeOf(room)), live)
      yield* setTime("2026-05-11T19:00:00Z")
      assert.isNull(at(yield* homeOf(room), "next_live"))
    }))

  it.effect("has the courses that the student had or may know of, with their progress, and no others", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(1)
      const listed = yield* makeTaughtCourse(room.club, 1)
      yield* makeTaughtCourse(room.club, 1)
      yield* send("PATCH", `${room.club.path}/courses/${listed.course.id}`, {
        token: room.club.token,
        body: { listed: true, description: "Só para quem tem o curso" }
      })
      yield* ask(room, "PUT", `/lessons/${room.lesson.public_id}/completion`)
      yield* TestClock.adjust("1 hour")
      const locked = Effect.map(homeOf(room), (home) => listAt(home, "locked_courses"))
      assert.deepStrictEqual((yield* locked).map((course) => [at(course, "id"), at(course, "description")]), [
        [listed.course.id, null]
      ])
      yield* endAccess(room.club, room.student)
      const found = yield* locked
      assert.deepStrictEqual(found.map((course) => [at(course, "id"), at(course, "locked", "reason")]), [
        [room.course.id, "ended"],
        [listed.course.id, "not_included"]
      ])
      assert.strictEqual(at(found[0], "progress", "percent"), 100)
    }))

  it.effect("has the unread notifications as their list has them, at most five", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(1)
      const other = { ...room, student: yield* enrolledStudent(room.club) }
      yield* makeEnrollment(room.club, other.student, room.delivery)
      const comments = `/lessons/${room.lesson.public_id}/comments`
      const asked = yield* ask(room, "POST", comments, { body: "Assim?" })
      const reply = { body: "Sim.", parent_id: at(asked.json, "data", "id") }
      yield* Effect.replicateEffect(ask(other, "POST", comments, reply), 7, { discard: true })
      const [newest, ...older] = listAt((yield* ask(room, "GET", "/notifications")).json, "data")
      yield* ask(room, "POST", "/notifications/read", { ids: [at(newest, "id")] })
      assert.deepStrictEqual(listAt(yield* homeOf(room), "notifications"), older.slice(0, 5))
      assert.deepStrictEqual(listAt(yield* homeOf(other), "notifications"), [])
    }))

  it.effect("leaves out what is deleted, and what is of another club", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* setTime("2026-06-01T00:00:00Z")
      const [room, other] = [yield* openCourse(1), yield* openCourse(1)]
      yield* keep(room, 0)
      yield* makeNews(room, "Apagada", "2026-06-02T00:00:00Z")
      yield* makeNews(other, "De outro clube", "2026-06-02T00:00:00Z")
      yield* setTime("2026-06-03T00:00:00Z")
      assert.deepStrictEqual(titles(yield* homeOf(room), "new_lessons"), ["Apagada"])
      yield* sql`update modules set deleted_at = ${new Date(0)} where club_id = ${room.club.id}`
      assert.deepStrictEqual(titles(yield* homeOf(room), "new_lessons"), [])
    }))
})

layer(AppLayer.pipe(Layer.provideMerge(SpansLayer)))("Reading the home", (it) => {
  it.effect("takes three statements beside the session's, however much it has", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(4)
      for (let n = 0; n < 3; n++) {
        const more = yield* makeTaughtCourse(room.club, 3)
        yield* makeEnrollment(room.club, room.student, more.delivery)
      }
      assert.lengthOf(yield* statements(ask(room, "GET", "/home")), 4)
    }))
})
