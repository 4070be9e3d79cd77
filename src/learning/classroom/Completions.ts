import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Events } from "../../events/Events.ts"
import type { Fact } from "../../events/Fact.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { StudentLocks } from "../../identity/students/StudentLocks.ts"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import type { NotFound } from "../../platform/http/errors.ts"
import { faultsDie } from "../../platform/sql/Rows.ts"
import { Awards } from "../gamification/Awards.ts"
import type { LessonCompletion } from "./Classroom.ts"
import { ClassroomRepo, type LessonInCourse } from "./ClassroomRepo.ts"
import { type CompletionChange, completionChange } from "./CompletionChange.ts"
import { courseResponseFromCounts } from "./CourseResponse.ts"

const completionResponse = (found: LessonInCourse, points_awarded: number): LessonCompletion => {
  const { completed_at, first_completed_at, lesson, lessons_count, others_left } = found
  return {
    lesson,
    completed: completed_at !== null,
    completed_at,
    first_completed_at,
    course: courseResponseFromCounts({ ...found, completed_count: lessons_count - others_left }),
    points_awarded
  }
}

/** Completions of lessons. `NotFound`: there is no such lesson, it is not live, or the student does not have its course. */
export class Completions extends Context.Service<Completions, {
  /**
   * Completes a lesson, once. The first time ever pays `lesson_completed` and records `lesson.completed`. When no live
   * lesson of the course is left, it pays `course_completed` and records `course.completed`, once for each student and
   * course.
   */
  complete(
    club_id: ClubId,
    student_id: StudentId,
    public_id: string
  ): Effect.Effect<LessonCompletion, NotFound | StudentRemoved>
  /** Undoes a completion. Events and points stay and do not come again. Undoing nothing changes nothing. */
  undo(club_id: ClubId, student_id: StudentId, public_id: string): Effect.Effect<void, NotFound | StudentRemoved>
}>()("turma/learning/classroom/Completions") {
  static readonly layerNoDeps = Layer.effect(
    Completions,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* ClassroomRepo
      const students = yield* StudentLocks
      const awards = yield* Awards
      const events = yield* Events

      const write = Effect.fnUntraced(function*(
        club_id: ClubId,
        student_id: StudentId,
        { after: { id: course_id, lesson_id }, completes, finishes, isFirst }: CompletionChange<LessonInCourse>,
        at: Date
      ) {
        if (isFirst) {
          yield* sql`
            insert into lesson_completions ${
            sql.insert({ club_id, student_id, lesson_id, first_completed_at: at, completed_at: at })
          }`
        } else if (completes) {
          yield* sql`
            update lesson_completions set completed_at = ${at}
            where club_id = ${club_id} and student_id = ${student_id} and lesson_id = ${lesson_id}`
        }
        if (finishes) {
          yield* sql`
            insert into course_completions ${sql.insert({ club_id, student_id, course_id, completed_at: at })}`
        }
      })

      /** Writes the change, pays and records what happened for the first time, and answers the points. */
      const applyChange = Effect.fnUntraced(function*(
        club_id: ClubId,
        student_id: StudentId,
        change: CompletionChange<LessonInCourse>,
        completed_at: DateTime.Utc
      ) {
        const { after: { id: course_id, lesson_id }, finishes, isFirst } = change
        yield* write(club_id, student_id, change, DateTime.toDateUtc(completed_at))
        const facts: Array<Fact> = []
        let points = 0
        if (isFirst) {
          facts.push({ type: "lesson.completed", student_id, lesson_id, completed_at })
          points += yield* awards.award(club_id, student_id, { action: "lesson_completed", origin_id: lesson_id })
        }
        if (finishes) {
          facts.push({ type: "course.completed", student_id, course_id, completed_at })
          points += yield* awards.award(club_id, student_id, { action: "course_completed", origin_id: course_id })
        }
        yield* events.recordAll(club_id, facts)
        return points
      })

      // The student is locked, so nothing that is read here changes until the transaction ends.
      const completeLocked = Effect.fnUntraced(
        function*(club_id: ClubId, student_id: StudentId, public_id: string) {
          yield* students.lock(club_id, student_id)
          const now = yield* DateTime.now
          const change = completionChange(yield* repo.lessonInCourse(club_id, student_id, public_id), now)
          return completionResponse(change.after, yield* applyChange(club_id, student_id, change, now))
        },
        sql.withTransaction
      )

      const complete = Effect.fnUntraced(
        function*(club_id: ClubId, student_id: StudentId, public_id: string) {
          const lesson = yield* repo.lessonInCourse(club_id, student_id, public_id)
          const { completes, finishes } = completionChange(lesson, yield* DateTime.now)
          return completes || finishes
            ? yield* completeLocked(club_id, student_id, public_id)
            : completionResponse(lesson, 0)
        },
        faultsDie
      )

      const undoLocked = Effect.fnUntraced(
        function*(club_id: ClubId, student_id: StudentId, { lesson_id }: LessonInCourse) {
          yield* students.lock(club_id, student_id)
          yield* sql`
            update lesson_completions set completed_at = null
            where club_id = ${club_id} and student_id = ${student_id} and lesson_id = ${lesson_id}`
        },
        sql.withTransaction
      )

      const undo = Effect.fn("Completions.undo")(
        function*(club_id: ClubId, student_id: StudentId, public_id: string) {
          const lesson = yield* repo.lessonInCourse(club_id, student_id, public_id)
          if (lesson.completed_at !== null) yield* undoLocked(club_id, student_id, lesson)
        },
        faultsDie
      )

      return Completions.of({ complete, undo })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([Awards.layer, ClassroomRepo.layer, StudentLocks.layer]))
}
