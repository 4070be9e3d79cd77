import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Events } from "../../events/Events.ts"
import type { Fact } from "../../events/Fact.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { StudentRows } from "../../identity/students/StudentRows.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { Awards } from "../gamification/Awards.ts"
import type { LessonCompletion } from "./Classroom.ts"
import { ClassroomRepo, type TakenPlace } from "./ClassroomRepo.ts"
import { type Change, changeOf } from "./Completion.ts"
import { countedCourse } from "./Views.ts"

const answerOf = (place: TakenPlace, points_awarded: number): LessonCompletion => {
  const { completed_at, first_completed_at, lesson, lessons_count, others_left } = place
  return {
    lesson,
    completed: completed_at !== null,
    completed_at,
    first_completed_at,
    course: countedCourse({ ...place, completed_count: lessons_count - others_left }),
    points_awarded
  }
}

/** Completions of lessons. `NotFound`: there is no such lesson, it is not live, or the student does not have its course. */
export class Completions extends Context.Service<Completions, {
  /**
   * Completes a lesson, once. The first time ever it pays `lesson_completed` and is told by `lesson.completed`; when no
   * live lesson of the course is left, `course_completed` and `course.completed` come, once for each student and course.
   */
  complete(
    club_id: ClubId,
    student_id: StudentId,
    public_id: string
  ): Effect.Effect<LessonCompletion, NotFound | StudentRemoved>
  /** Undoes a completion; what was told and paid stays, and does not come again. Undoing nothing changes nothing. */
  undo(club_id: ClubId, student_id: StudentId, public_id: string): Effect.Effect<void, NotFound | StudentRemoved>
}>()("turma/classroom/Completions") {
  static readonly layerNoDeps = Layer.effect(
    Completions,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* ClassroomRepo
      const students = yield* StudentRows
      const awards = yield* Awards
      const events = yield* Events

      const placeOf = Effect.fnUntraced(function*(club_id: ClubId, student_id: StudentId, public_id: string) {
        return (yield* repo.place(club_id, student_id, public_id)) ?? (yield* new NotFound())
      })

      const write = Effect.fnUntraced(function*(
        club_id: ClubId,
        student_id: StudentId,
        { after: { id: course_id, lesson_id }, completes, finishes, isFirst }: Change<TakenPlace>,
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

      /** Writes, pays and tells what happened for the first time, and answers the points. */
      const carryOut = Effect.fnUntraced(function*(
        club_id: ClubId,
        student_id: StudentId,
        change: Change<TakenPlace>,
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

      // The student is held, so nothing changes what is read until this is done.
      const settle = Effect.fnUntraced(
        function*(club_id: ClubId, student_id: StudentId, public_id: string) {
          yield* students.hold(club_id, student_id)
          const now = yield* DateTime.now
          const change = changeOf(yield* placeOf(club_id, student_id, public_id), now)
          return answerOf(change.after, yield* carryOut(club_id, student_id, change, now))
        },
        sql.withTransaction
      )

      const complete = Effect.fn("Completions.complete")(
        function*(club_id: ClubId, student_id: StudentId, public_id: string) {
          const place = yield* placeOf(club_id, student_id, public_id)
          const { completes, finishes } = changeOf(place, yield* DateTime.now)
          return completes || finishes ? yield* settle(club_id, student_id, public_id) : answerOf(place, 0)
        },
        Effect.catchTag("SqlError", Effect.die)
      )

      const takeBack = Effect.fnUntraced(function*(club_id: ClubId, student_id: StudentId, { lesson_id }: TakenPlace) {
        yield* students.hold(club_id, student_id)
        yield* sql`
          update lesson_completions set completed_at = null
          where club_id = ${club_id} and student_id = ${student_id} and lesson_id = ${lesson_id}`
      }, sql.withTransaction)

      const undo = Effect.fn("Completions.undo")(
        function*(club_id: ClubId, student_id: StudentId, public_id: string) {
          const place = yield* placeOf(club_id, student_id, public_id)
          if (place.completed_at !== null) yield* takeBack(club_id, student_id, place)
        },
        Effect.catchTag("SqlError", Effect.die)
      )

      return Completions.of({ complete, undo })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([Awards.layer, ClassroomRepo.layer, StudentRows.layer]))
}
