import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { accessibleItemIds } from "../../membership/access/ItemAccess.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { firstOr } from "../../platform/sql/Rows.ts"
import { StudentCourse } from "./StudentCourse.ts"

const decodeCourses = firstOr(
  Schema.Struct({ courses: Schema.Array(Schema.toCodecJson(StudentCourse)) }),
  () => new NotFound()
)

/** The progress of students, for the staff. `NotFound`: the club has no such student. */
export class StudentProgress extends Context.Service<StudentProgress, {
  /**
   * The courses that the student has now or has begun, in the club's order; those without a live lesson too. Deleted
   * courses and lessons do not count. One statement.
   */
  courses(club_id: ClubId, student_id: StudentId): Effect.Effect<ReadonlyArray<StudentCourse>, NotFound>
}>()("turma/learning/classroom/StudentProgress") {
  static readonly layer = Layer.effect(
    StudentProgress,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      // With `offset 0` each row is looked for by its whole key (see ClassroomRepo).
      const courses = Effect.fn("StudentProgress.courses")(function*(club_id: ClubId, student_id: StudentId) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const found = yield* sql`
          with done as materialized (
            select d.lesson_id, d.completed_at, l.course_id from lesson_completions d
            cross join lateral (
              select course_id from lessons
              where club_id = d.club_id and id = d.lesson_id and deleted_at is null offset 0
            ) l
            where d.club_id = ${club_id} and d.student_id = ${student_id} and d.completed_at is not null
          ), finished as materialized (
            select course_id, completed_at from course_completions
            where club_id = ${club_id} and student_id = ${student_id}
          ), begun as (
            select course_id as id from done union select course_id from finished
            union select unnest(${accessibleItemIds(sql, { club_id, student_id, now }, "course")})
          ), counted as (
            select c.id, c.title, c.position, live.lessons_total, live.lessons_completed, (
              select f.completed_at from finished f where f.course_id = c.id
            ) as completed_at, (
              select max(d.completed_at) from done d where d.course_id = c.id
            ) as last_completed_at
            from begun cross join lateral (
              select id, title, position from courses
              where club_id = ${club_id} and id = begun.id and deleted_at is null offset 0
            ) c cross join lateral (
              select count(*) as lessons_total,
                count(*) filter (where l.id in (select lesson_id from done)) as lessons_completed
              from modules m cross join lateral (
                select l.id from lessons l
                where l.club_id = m.club_id and l.module_id = m.id and l.deleted_at is null
                  and l.published_at <= ${now}
                offset 0
              ) l
              where m.club_id = ${club_id} and m.course_id = c.id and m.deleted_at is null
            ) live
          )
          select coalesce((
            select json_agg(
              json_build_object(
                'course', json_build_object('id', id, 'title', title), 'lessons_total', lessons_total,
                'lessons_completed', lessons_completed, 'completed_at', completed_at,
                'last_completed_at', last_completed_at
              ) order by position, id
            ) from counted
          ), '[]') as courses
          from students s where s.club_id = ${club_id} and s.id = ${student_id}`.pipe(decodeCourses)
        return found.courses
      })

      return StudentProgress.of({ courses })
    })
  )
}
