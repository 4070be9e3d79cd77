import { Context, DateTime, Effect, Layer, Number as Num } from "effect"
import { SqlClient } from "effect/sql"
import { Events } from "../../events/Events.ts"
import type { Fact } from "../../events/Fact.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { StudentLocks } from "../../identity/students/StudentLocks.ts"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import type { NotFound } from "../../platform/http/errors.ts"
import { allAtOnce, bothAtOnce } from "../../platform/sql/AtOnce.ts"
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

      const insertCompletion = (club_id: ClubId, student_id: StudentId, { lesson_id }: LessonInCourse, at: Date) =>
        sql`
          insert into lesson_completions ${
          sql.insert({ club_id, student_id, lesson_id, first_completed_at: at, completed_at: at })
        }`

      const updateCompletion = (club_id: ClubId, student_id: StudentId, { lesson_id }: LessonInCourse, at: Date) =>
        sql`
          update lesson_completions set completed_at = ${at}
          where club_id = ${club_id} and student_id = ${student_id} and lesson_id = ${lesson_id}`

      const insertFinish = (club_id: ClubId, student_id: StudentId, { id: course_id }: LessonInCourse, at: Date) =>
        sql`insert into course_completions ${sql.insert({ club_id, student_id, course_id, completed_at: at })}`

      /** Writes the change, pays and records what happened for the first time, and answers the points. */
      const applyChange = (
        club_id: ClubId,
        student_id: StudentId,
        { after, completes, finishes, isFirst }: CompletionChange<LessonInCourse>,
        completed_at: DateTime.Utc
      ) => {
        const { id: course_id, lesson_id } = after
        const at = DateTime.toDateUtc(completed_at)
        const facts: Array<Fact> = []
        const writes = completes
          ? [(isFirst ? insertCompletion : updateCompletion)(club_id, student_id, after, at)]
          : []
        const awarded: Array<Effect.Effect<number>> = []
        if (isFirst) {
          facts.push({ type: "lesson.completed", student_id, lesson_id, completed_at })
          awarded.push(awards.award(club_id, student_id, { action: "lesson_completed", origin_id: lesson_id }))
        }
        if (finishes) {
          writes.push(insertFinish(club_id, student_id, after, at))
          facts.push({ type: "course.completed", student_id, course_id, completed_at })
          awarded.push(awards.award(club_id, student_id, { action: "course_completed", origin_id: course_id }))
        }
        const none = Effect.as(0)
        return Effect.map(
          allAtOnce([...writes.map(none), ...awarded, none(events.recordAll(club_id, facts))]),
          Num.sumAll
        )
      }

      // The student is locked, so nothing that is read here changes until the transaction ends.
      const completeLocked = Effect.fnUntraced(
        function*(club_id: ClubId, student_id: StudentId, public_id: string) {
          const [, lesson] = yield* bothAtOnce(
            students.lock(club_id, student_id),
            repo.lessonInCourse(club_id, student_id, public_id)
          )
          const now = yield* DateTime.now
          const change = completionChange(lesson, now)
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
