import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { StudentLocks } from "../../identity/students/StudentLocks.ts"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { answersAbout } from "../../platform/http/AnswerSubject.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { bothAtOnce } from "../../platform/sql/AtOnce.ts"
import { faultsDie } from "../../platform/sql/Rows.ts"
import { AccessibleBlocks } from "../content/AccessibleBlocks.ts"
import type { BlockId } from "../content/Block.ts"
import type { LessonLocked } from "../content/LessonLocked.ts"
import { Awards } from "../gamification/Awards.ts"
import { type AnswersRefused, type QuizAnswer, type QuizAttempt, QuizAttemptId, scoreOf } from "./QuizAttempt.ts"

/** Attempts at quizzes; a student has as many as they like. */
export class QuizAttempts extends Context.Service<QuizAttempts, {
  /**
   * Scores and stores an attempt. The first attempt of a student that passes pays `quiz_passed`. `NotFound`: there is
   * no such quiz, its lesson is not live, or the student does not have its course.
   */
  attempt(
    club_id: ClubId,
    student_id: StudentId,
    block_id: BlockId,
    answers: ReadonlyArray<QuizAnswer>
  ): Effect.Effect<QuizAttempt, AnswersRefused | LessonLocked | NotFound | StudentRemoved>
}>()("turma/learning/classroom/QuizAttempts") {
  static readonly layer = Layer.effect(
    QuizAttempts,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const blocks = yield* AccessibleBlocks
      const students = yield* StudentLocks
      const awards = yield* Awards

      const quizOf = Effect.fnUntraced(function*(club_id: ClubId, student_id: StudentId, block_id: BlockId) {
        const { pass_percent, questions } = yield* blocks.find(club_id, student_id, block_id)
        return pass_percent === null || questions === null ? yield* new NotFound() : { pass_percent, questions }
      })

      const attempt = Effect.fn("QuizAttempts.attempt")(
        function*(club_id: ClubId, student_id: StudentId, block_id: BlockId, answers: ReadonlyArray<QuizAnswer>) {
          const quiz = yield* quizOf(club_id, student_id, block_id)
          const score = yield* Effect.fromResult(scoreOf(quiz, answers))
          const id = QuizAttemptId.make(yield* Effect.orDie(random.uuidV7()))
          const { passed, percent } = score

          const store = Effect.gen(function*() {
            yield* students.lock(club_id, student_id)
            const created_at = yield* DateTime.now
            const row = {
              club_id,
              id,
              student_id,
              block_id,
              answers: JSON.stringify(answers),
              percent,
              passed,
              created_at: DateTime.toDateUtc(created_at)
            }
            const insert = sql`
              insert into quiz_attempts ${sql.insert(row)}`
            const award = passed
              ? awards.award(club_id, student_id, { action: "quiz_passed", origin_id: block_id })
              : Effect.succeed(0)
            const [, points_awarded] = yield* bothAtOnce(insert, award)
            return { id, ...score, points_awarded, created_at }
          })

          yield* answersAbout(student_id)
          return yield* sql.withTransaction(store)
        },
        faultsDie
      )

      return QuizAttempts.of({ attempt })
    })
  ).pipe(Layer.provide([Awards.layer, AccessibleBlocks.layer, StudentLocks.layer, NodeCrypto.layerSecureRandom]))
}
