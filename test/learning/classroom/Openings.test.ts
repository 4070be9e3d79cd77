import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { AppLayer, at, listAt, outcome, send } from "../../harness/App.ts"
import { makeBlock } from "../../harness/Makers.ts"
import { answer, makeAssignment, makeQuiz } from "./OpenClassroom.ts"
import { ask, openCourse } from "./OpenCourse.ts"

/** A course of four lessons. The second opens on the next day in São Paulo, where the access began on 31 December. */
const openLater = Effect.gen(function*() {
  const room = yield* openCourse(4)
  const { club, lessons } = room
  const [, later] = lessons
  if (later === undefined) return yield* Effect.die(new Error("No lesson"))
  const patch = (path: string, body: unknown) => send("PATCH", `${club.path}${path}`, { token: club.token, body })
  yield* patch("", { time_zone: "America/Sao_Paulo" })
  yield* patch(`/lessons/${later.id}`, { opens_after_days: 1 })
  return { ...room, later, patch, path: `/lessons/${later.public_id}` }
})

const opens_at = "1970-01-01T03:00:00.000Z"

layer(AppLayer)("A lesson that opens later", (it) => {
  it.effect("is in its course, with the time at which it opens, and does not stand in the way", () =>
    Effect.gen(function*() {
      const room = yield* openLater
      const { course, later, lessons } = room
      yield* makeBlock(room.club, later)
      yield* ask(room, "PUT", `/lessons/${lessons[0]?.public_id}/completion`)
      const { json } = yield* ask(room, "GET", `/courses/${course.public_id}`)
      const locked = { reason: "not_released", opens_at }
      assert.deepInclude(at(json, "data", "modules", 0, "lessons", 1), {
        title: later.title,
        completed: false,
        locked,
        kinds: ["text"]
      })
      const list = yield* ask(room, "GET")
      for (const progress of [at(json, "data", "progress"), at(list.json, "data", 0, "progress")]) {
        assert.deepInclude(progress, { lessons_count: 4, next_lesson_public_id: lessons[2]?.public_id })
      }
      const beside = yield* ask(room, "GET", `/lessons/${lessons[2]?.public_id}`)
      assert.deepStrictEqual<unknown>(at(beside.json, "data", "previous"), {
        public_id: later.public_id,
        title: later.title,
        locked
      })
      assert.isNull(at(beside.json, "data", "next", "locked"))
      const completed = yield* ask(room, "PUT", `/lessons/${lessons[2]?.public_id}/completion`)
      assert.deepInclude(at(completed.json, "data", "course", "progress"), {
        lessons_count: 4,
        next_lesson_public_id: lessons[3]?.public_id
      })
    }))

  it.effect("is refused with everything in it, and says when it opens", () =>
    Effect.gen(function*() {
      const room = yield* openLater
      const { club, later, path } = room
      const [quiz, assignment] = [yield* makeQuiz(club, later), yield* makeAssignment(club, later)]
      const answers = [answer(0, 0), answer(1, 0)]
      const refused = [
        yield* ask(room, "GET", path),
        yield* ask(room, "PUT", `${path}/completion`),
        yield* ask(room, "DELETE", `${path}/completion`),
        yield* ask(room, "POST", `/quizzes/${quiz.id}/attempts`, { answers }),
        yield* ask(room, "POST", `/assignments/${assignment.id}/submissions`, { body: "Pronto" }),
        yield* ask(room, "GET", `/assignments/${assignment.id}/submissions`)
      ]
      for (const answer of refused) {
        assert.deepStrictEqual(outcome(answer), [403, "lesson_locked"])
        assert.include(String(at(answer.json, "error", "message")), "January 1, 1970 at 12:00")
      }
      const inPortuguese = yield* ask(room, "GET", path, undefined, { "accept-language": "pt-BR" })
      const sentence = "Esta aula abre em 1 de janeiro de 1970 às 00:00."
      assert.strictEqual(at(inPortuguese.json, "error", "message"), sentence)
      const notFound = [
        yield* ask(room, "GET", `${path}/comments`),
        yield* ask(room, "POST", `${path}/comments`, { body: "Oi" }),
        yield* ask(room, "GET", `${path}/ask`),
        yield* ask(room, "POST", `${path}/ask`, { content: "Como?" }),
        yield* ask(room, "GET", `${path}/ask/conversations`)
      ]
      for (const answer of notFound) assert.deepStrictEqual(outcome(answer), [404, "not_found"])
    }))

  it.effect("does not show a comment that was written while it was open", () =>
    Effect.gen(function*() {
      const room = yield* openLater
      const { later, patch, path } = room
      yield* patch(`/lessons/${later.id}`, { opens_after_days: null })
      const written = yield* ask(room, "POST", `${path}/comments`, { body: "Oi" })
      const replies = `/comments/${String(at(written.json, "data", "id"))}/replies`
      assert.strictEqual((yield* ask(room, "GET", replies)).status, 200)
      yield* patch(`/lessons/${later.id}`, { opens_after_days: 1 })
      assert.deepStrictEqual(outcome(yield* ask(room, "GET", replies)), [404, "not_found"])
    }))

  it.effect("waits for its module too", () =>
    Effect.gen(function*() {
      const room = yield* openLater
      const moment = "1970-01-05T12:00:00.000Z"
      yield* room.patch(`/modules/${room.later.module_id}`, { opens_at: moment })
      const { json } = yield* ask(room, "GET", `/courses/${room.course.public_id}`)
      const locks = listAt(json, "data", "modules").map((module) =>
        listAt(module, "lessons").map((lesson) => at(lesson, "locked", "opens_at"))
      )
      assert.deepStrictEqual(locks, [[moment, moment], [undefined, undefined]])
    }))
})

layer(AppLayer)("At midnight of the club's time zone", (it) => {
  it.effect("a lesson opens", () =>
    Effect.gen(function*() {
      const room = yield* openLater
      yield* TestClock.setTime(DateTime.makeUnsafe(opens_at).epochMilliseconds - 1)
      assert.strictEqual((yield* ask(room, "GET", room.path)).status, 403)
      yield* TestClock.adjust(1)
      for (const path of [room.path, `${room.path}/comments`, `${room.path}/ask`]) {
        assert.strictEqual((yield* ask(room, "GET", path)).status, 200, path)
      }
      assert.strictEqual((yield* ask(room, "PUT", `${room.path}/completion`)).status, 200)
      const { json } = yield* ask(room, "GET", `/courses/${room.course.public_id}`)
      assert.isNull(at(json, "data", "modules", 0, "lessons", 1, "locked"))
    }))
})
