import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ErasureSubject, StudentEraser } from "../../identity/erasure/StudentErasers.ts"

/** Keeps completions and results. Deletes the student's texts, choices and positions, and the staff's texts about them. */
export const classroomEraser: Effect.Effect<StudentEraser, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql) => ({
    erase: Effect.fn("ClassroomEraser.erase")(function*({ club_id, student_id }: ErasureSubject) {
      yield* sql`
        delete from submission_media m using submissions s
        where s.club_id = ${club_id} and s.student_id = ${student_id}
          and m.club_id = s.club_id and m.submission_id = s.id`
      const submissions = yield* sql`
        update submissions set body = '', feedback = null
        where club_id = ${club_id} and student_id = ${student_id} returning 1`
      const attempts = yield* sql`
        update quiz_attempts set answers = '[]'
        where club_id = ${club_id} and student_id = ${student_id} returning 1`
      const positions = yield* sql`
        delete from lesson_positions where club_id = ${club_id} and student_id = ${student_id} returning 1`
      return { submissions: submissions.length, quiz_attempts: attempts.length, lesson_positions: positions.length }
    }, Effect.orDie)
  })
)
