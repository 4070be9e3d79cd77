import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Completions } from "../../../src/learning/classroom/Completions.ts"
import { Positions } from "../../../src/learning/classroom/Positions.ts"
import { QuizAttempts } from "../../../src/learning/classroom/QuizAttempts.ts"
import { Reviews } from "../../../src/learning/classroom/Reviews.ts"
import { Submissions } from "../../../src/learning/classroom/Submissions.ts"
import { Removal } from "../../../src/membership/students/Removal.ts"
import { makeEnrollment, makeMember, makeStudent } from "../../harness/Makers.ts"
import { answer, ClassroomLayer, makeAssignment, makeQuiz, openClassroom } from "./OpenClassroom.ts"

layer(ClassroomLayer)("The classroom of a student who is removed", (it) => {
  it.effect("keeps what was done, without a word of it, and others' as they were", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { club, delivery, lessons: [lesson], student } = yield* openClassroom(1)
      if (lesson === undefined) return assert.fail()
      const [completions, positions, quizzes] = [yield* Completions, yield* Positions, yield* QuizAttempts]
      const [submissions, reviews] = [yield* Submissions, yield* Reviews]
      const [block, quiz, owner] = [
        yield* makeAssignment(club, lesson),
        yield* makeQuiz(club, lesson),
        yield* makeMember(club, "owner")
      ]
      const other = yield* makeStudent(club)
      yield* makeEnrollment(club, other, delivery)
      const answers = [answer(0, 0), answer(1, 0)]
      for (const { id: student_id } of [student, other]) {
        yield* completions.complete(club.id, student_id, lesson.public_id)
        yield* positions.save(club.id, student_id, lesson.public_id, { seconds: 9 })
        yield* quizzes.attempt(club.id, student_id, quiz.id, answers)
        const { id } = yield* submissions.submit(club.id, student_id, block.id, { body: "Meu acorde" })
        yield* reviews.decide(club.id, id, { decision: "approved", feedback: "Ótimo", reviewer_user_id: owner.id })
      }

      const removal = yield* Removal
      yield* removal.remove(club.id, student.id, owner.id)

      const { counts } = yield* removal.receipt(club.id, student.id)
      assert.deepInclude(counts, { submissions: 1, quiz_attempts: 1, lesson_positions: 1 })
      assert.deepStrictEqual<unknown>(
        yield* sql`
          select student_id, body, feedback, status from submissions where club_id = ${club.id} order by body`,
        [
          { student_id: student.id, body: "", feedback: null, status: "approved" },
          { student_id: other.id, body: "Meu acorde", feedback: "Ótimo", status: "approved" }
        ]
      )
      assert.deepStrictEqual<unknown>(
        yield* sql`
          select student_id, answers, percent from quiz_attempts
          where club_id = ${club.id} order by jsonb_array_length(answers)`,
        [
          { student_id: student.id, answers: [], percent: 100 },
          { student_id: other.id, answers, percent: 100 }
        ]
      )
      assert.deepStrictEqual<unknown>(yield* sql`select student_id from lesson_positions where club_id = ${club.id}`, [
        { student_id: other.id }
      ])
      assert.strictEqual((yield* sql`select 1 from lesson_completions where club_id = ${club.id}`).length, 2)
    }))
})
