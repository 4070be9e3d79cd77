import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { AppLayer, appLayer, at, enrolledStudent, outcome } from "../../harness/App.ts"
import { makeEnrollment } from "../../harness/Makers.ts"
import { answer, makeAssignment, makeQuiz, recordedEvents } from "./OpenClassroom.ts"
import { ask, openCourse } from "./OpenCourse.ts"

const unknownId = "0190a000-0000-7000-8000-000000000001"

const completionOf = ({ lesson }: Effect.Success<ReturnType<typeof openCourse>>) =>
  `/lessons/${lesson.public_id}/completion`

layer(AppLayer)("The completion of a lesson", (it) => {
  it.effect("answers 200 with the course as it stands, and 204 when it is undone", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(2)
      const put = yield* ask(room, "PUT", completionOf(room))
      assert.strictEqual(put.status, 200)
      assert.deepInclude(at(put.json, "data"), { completed: true, points_awarded: 10 })
      assert.deepInclude(at(put.json, "data", "course", "progress"), { percent: 50 })
      const undone = yield* ask(room, "DELETE", completionOf(room))
      assert.deepStrictEqual([undone.status, undone.text], [204, ""])
      assert.strictEqual((yield* ask(room, "DELETE", completionOf(room))).status, 204)
      const { json } = yield* ask(room, "GET", `/lessons/${room.lesson.public_id}`)
      assert.deepInclude(at(json, "data"), { completed: false, completed_at: null })
      assert.strictEqual(at(json, "data", "first_completed_at"), "1970-01-01T00:00:00.000Z")
    }))

  it.effect("is not found without the course, and refused in another club and without a student's session", () =>
    Effect.gen(function*() {
      const [room, other] = [yield* openCourse(1), yield* openCourse(1)]
      const path = completionOf(room)
      const stranger = { ...room, student: yield* enrolledStudent(room.club) }
      for (const method of ["PUT", "DELETE"] as const) {
        assert.deepStrictEqual(outcome(yield* ask(stranger, method, path)), [404, "not_found"])
        assert.deepStrictEqual(outcome(yield* ask(other, method, path)), [404, "not_found"])
        assert.deepStrictEqual(outcome(yield* ask({ ...room, club: other.club }, method, path)), [403, "forbidden"])
        assert.deepStrictEqual(outcome(yield* ask({ ...room, student: room.club }, method, path)), [
          401,
          "unauthenticated"
        ])
      }
      assert.deepStrictEqual(yield* recordedEvents(room.club), [])
    }))
})

layer(AppLayer)("An attempt at a quiz", (it) => {
  it.effect("answers 201 with the score and what was right", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(1)
      const { id } = yield* makeQuiz(room.club, room.lesson)
      const answers = [answer(1, 1), answer(0, 0)]
      const { json, status } = yield* ask(room, "POST", `/quizzes/${id}/attempts`, { answers })
      assert.strictEqual(status, 201)
      assert.deepStrictEqual<unknown>(json, {
        data: {
          id: at(json, "data", "id"),
          percent: 50,
          passed: true,
          correct_count: 1,
          questions_count: 2,
          results: [
            { question_id: answer(0, 0).question_id, correct: true },
            { question_id: answer(1, 0).question_id, correct: false }
          ],
          points_awarded: 20,
          created_at: "1970-01-01T00:00:00.000Z"
        }
      })
    }))

  it.effect("is refused by a code for what is wrong with its answers", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(1)
      const { id } = yield* makeQuiz(room.club, room.lesson)
      const refused = (...answers: ReadonlyArray<unknown>) =>
        Effect.map(ask(room, "POST", `/quizzes/${id}/attempts`, { answers }), outcome)
      const [first, second] = [answer(0, 0), answer(1, 0)]
      assert.deepStrictEqual(yield* refused(), [422, "quiz_question_unanswered"])
      assert.deepStrictEqual(yield* refused(first, first), [422, "quiz_question_repeated"])
      assert.deepStrictEqual(yield* refused(first, { ...second, question_id: unknownId }), [
        422,
        "quiz_question_unknown"
      ])
      assert.deepStrictEqual(yield* refused(first, { ...second, option_id: first.option_id }), [
        422,
        "quiz_option_unknown"
      ])
      assert.deepStrictEqual(yield* refused({ question_id: "x", option_id: "y" }), [422, "validation_failed"])
    }))

  it.effect("takes ids in capitals", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(1)
      const { id } = yield* makeQuiz(room.club, room.lesson)
      const answers = [answer(0, 0), answer(1, 0)].map(({ option_id, question_id }) => ({
        option_id: option_id.toUpperCase(),
        question_id: question_id.toUpperCase()
      }))
      const { json } = yield* ask(room, "POST", `/quizzes/${id.toUpperCase()}/attempts`, { answers })
      assert.strictEqual(at(json, "data", "percent"), 100)
    }))

  it.effect("is done once for one Idempotency-Key", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const room = yield* openCourse(1)
      const { id } = yield* makeQuiz(room.club, room.lesson)
      const body = { answers: [answer(0, 0), answer(1, 0)] }
      const once = { "idempotency-key": "tentativa" }
      const [first, second] = [
        yield* ask(room, "POST", `/quizzes/${id}/attempts`, body, once),
        yield* ask(room, "POST", `/quizzes/${id}/attempts`, body, once)
      ]
      assert.strictEqual(second.text, first.text)
      assert.strictEqual((yield* sql`select 1 from quiz_attempts where club_id = ${room.club.id}`).length, 1)
    }))

  it.effect("is not found for another block, in another club and without the course", () =>
    Effect.gen(function*() {
      const [room, other] = [yield* openCourse(1), yield* openCourse(1)]
      const [quiz, assignment] = [
        yield* makeQuiz(room.club, room.lesson),
        yield* makeAssignment(room.club, room.lesson)
      ]
      const body = { answers: [answer(0, 0), answer(1, 0)] }
      const stranger = { ...room, student: yield* enrolledStudent(room.club) }
      for (const id of [unknownId, "nope", assignment.id]) {
        assert.deepStrictEqual(outcome(yield* ask(room, "POST", `/quizzes/${id}/attempts`, body)), [404, "not_found"])
      }
      for (const place of [other, stranger]) {
        const answered = yield* ask(place, "POST", `/quizzes/${quiz.id}/attempts`, body)
        assert.deepStrictEqual(outcome(answered), [404, "not_found"])
      }
    }))
})

layer(appLayer({ RATE_LIMIT_WRITES: "1", RATE_LIMIT_CLASSROOM: "600" }))(
  "Writes in the classroom",
  (it) => {
    it.effect("are 600 a minute for each student, whatever the club has left", () =>
      Effect.gen(function*() {
        const room = yield* openCourse(1)
        const other = { ...room, student: yield* enrolledStudent(room.club) }
        yield* makeEnrollment(room.club, other.student, room.delivery)
        const all = yield* Effect.all(
          Array.from({ length: 610 }, (_, n) => ask(room, n % 2 === 0 ? "PUT" : "DELETE", completionOf(room))),
          { concurrency: 10 }
        )
        assert.strictEqual(all.filter(({ status }) => status === 429).length, 10)
        assert.strictEqual((yield* ask(other, "PUT", completionOf(room))).status, 200)
        assert.strictEqual((yield* ask(room, "GET")).status, 200)
        assert.strictEqual((yield* recordedEvents(room.club)).length, 4)
      }))
  }
)
