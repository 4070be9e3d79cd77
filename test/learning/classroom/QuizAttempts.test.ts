import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../src/identity/ids/ClubId.ts"
import type { StudentId } from "../../../src/identity/ids/StudentId.ts"
import { QuizAttempts } from "../../../src/learning/classroom/QuizAttempts.ts"
import { BlockId } from "../../../src/learning/content/Block.ts"
import { makeBlock } from "../../harness/Makers.ts"
import { answer, ClassroomLayer, inaccessible, makeQuiz, openClassroom, paidTo } from "./OpenClassroom.ts"

const openQuiz = Effect.fn("openQuiz")(function*(pass_percent?: number) {
  const { club, lessons, student } = yield* openClassroom(1)
  const [lesson] = lessons
  if (lesson === undefined) return yield* Effect.die(new Error("No lesson"))
  return { club, lesson, student, block: yield* makeQuiz(club, lesson, pass_percent) }
})

interface Opened {
  readonly club: { readonly id: ClubId }
  readonly student: { readonly id: StudentId }
  readonly block: { readonly id: BlockId }
}

const attempt = ({ block, club, student }: Opened, ...answers: ReadonlyArray<ReturnType<typeof answer>>) =>
  QuizAttempts.use((quizzes) => quizzes.attempt(club.id, student.id, block.id, answers))

const failing = [answer(0, 1), answer(1, 1)] as const
const passing = [answer(0, 0), answer(1, 1)] as const

layer(ClassroomLayer)("An attempt at a quiz", (it) => {
  it.effect("is scored and kept", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const room = yield* openQuiz(60)
      const { id, ...scored } = yield* attempt(room, ...passing)
      assert.deepStrictEqual(scored, {
        percent: 50,
        passed: false,
        correct_count: 1,
        questions_count: 2,
        results: [
          { question_id: answer(0, 0).question_id, correct: true },
          { question_id: answer(1, 0).question_id, correct: false }
        ],
        points_awarded: 0,
        created_at: yield* DateTime.now
      })
      const rows = yield* sql`select id, answers, percent, passed from quiz_attempts where club_id = ${room.club.id}`
      assert.deepStrictEqual<unknown>(rows, [{ id, answers: passing, percent: 50, passed: false }])
    }))

  it.effect("pays when it is the first that passes, and never again", () =>
    Effect.gen(function*() {
      const room = yield* openQuiz()
      const points = [
        yield* attempt(room, ...failing),
        yield* attempt(room, ...passing),
        yield* attempt(room, ...failing),
        yield* attempt(room, ...passing)
      ].map(({ points_awarded }) => points_awarded)
      assert.deepStrictEqual(points, [0, 20, 0, 0])
      assert.deepStrictEqual<unknown>(yield* paidTo(room.club, room.student), [["quiz_passed", room.block.id, 20]])
    }))

  it.effect("pays once however many pass at the same time", () =>
    Effect.gen(function*() {
      const room = yield* openQuiz()
      const all = yield* Effect.all(Array.from({ length: 20 }, () => attempt(room, ...passing)), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(all.flatMap(({ points_awarded }) => points_awarded === 0 ? [] : [points_awarded]), [20])
      assert.strictEqual((yield* paidTo(room.club, room.student)).length, 1)
    }))

  it.effect("is not kept where an answer is refused", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const room = yield* openQuiz()
      assert.strictEqual((yield* Effect.flip(attempt(room, answer(0, 0)))).error.code, "quiz_question_unanswered")
      assert.deepStrictEqual(yield* sql`select 1 from quiz_attempts where club_id = ${room.club.id}`, [])
    }))

  it.effect.each(inaccessible)("answers NotFound where the quiz is %s", ([, spoil]) =>
    Effect.gen(function*() {
      const room = yield* openQuiz()
      const other = yield* spoil({ ...room, lessons: [room.lesson] })
      assert.strictEqual((yield* Effect.flip(attempt({ ...room, ...other }, ...passing)))._tag, "NotFound")
    }))

  it.effect("answers NotFound where there is no such block, or it is no quiz", () =>
    Effect.gen(function*() {
      const room = yield* openQuiz()
      const unknown = { id: BlockId.make("0190a000-0000-7000-8000-000000000001") }
      for (const block of [unknown, yield* makeBlock(room.club, room.lesson)]) {
        assert.strictEqual((yield* Effect.flip(attempt({ ...room, block }, ...passing)))._tag, "NotFound")
      }
    }))
})
