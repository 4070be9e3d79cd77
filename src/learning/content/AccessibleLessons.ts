import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { ItemHolder } from "../../membership/access/ItemAccess.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { firstOr } from "../../platform/sql/Rows.ts"
import { CourseId } from "./Course.ts"
import { LessonId } from "./Lesson.ts"
import { hasOpenLesson } from "./LessonOpening.ts"
import { ModuleId } from "./Module.ts"
import { PublicId } from "./PublicId.ts"

const AccessibleLesson = Schema.Struct({
  lesson_id: LessonId,
  public_id: Schema.String,
  title: Schema.String,
  module_id: ModuleId,
  course_id: CourseId
})
/** A lesson with its module and its course. */
export type AccessibleLesson = typeof AccessibleLesson.Type

const isPublicId = Schema.is(PublicId)

const decodeLesson = firstOr(AccessibleLesson, () => new NotFound())

/** True if a lesson can have this address. PostgreSQL does not accept every text. */
export const mayBeLesson = (public_id: string): boolean => isPublicId(public_id)

/** A condition on the rows `l` of `lessons` and `m` of `modules`. */
const mayOpen = (sql: SqlClient.SqlClient, holder: ItemHolder): Fragment =>
  hasOpenLesson(sql, holder, { module: sql`m`, lesson: sql`l`, course: sql`l.course_id` })

/**
 * A query for the lesson of this address, for statements that need the lesson and something of their own. It gives a
 * row of `AccessibleLesson` if the student has access to it now and it is open, otherwise no row.
 */
export const accessibleLesson = (sql: SqlClient.SqlClient, holder: ItemHolder, public_id: string): Fragment =>
  sql`
    select l.id as lesson_id, l.public_id, l.title, l.module_id, l.course_id
    from lessons l
    join modules m on m.club_id = l.club_id and m.id = l.module_id and m.deleted_at is null
    join courses c on c.club_id = l.club_id and c.id = l.course_id and c.deleted_at is null
    where l.club_id = ${holder.club_id} and l.public_id = ${public_id} and l.deleted_at is null
      and l.published_at <= ${holder.now} and ${mayOpen(sql, holder)}`

/**
 * True if the student has access now to the lesson with this id, and it is open. `lesson` is a column or a parameter. Use
 * it for what belongs to a lesson and has an id of its own.
 */
export const hasLesson = (sql: SqlClient.SqlClient, holder: ItemHolder, lesson: Fragment): Fragment =>
  sql`
    (
      select true from lessons l
      join modules m on m.club_id = l.club_id and m.id = l.module_id and m.deleted_at is null
      join courses k on k.club_id = l.club_id and k.id = l.course_id and k.deleted_at is null
      where l.club_id = ${holder.club_id} and l.id = ${lesson} and l.deleted_at is null
        and l.published_at <= ${holder.now} and ${mayOpen(sql, holder)}
      limit 1
    ) is true`

/** The lessons that students have access to: those that are live and open, in courses that they have. */
export class AccessibleLessons extends Context.Service<AccessibleLessons, {
  /** `NotFound`: it does not exist, it is not live or not open, or the student does not have its course. One statement. */
  find(club_id: ClubId, student_id: StudentId, public_id: string): Effect.Effect<AccessibleLesson, NotFound>
}>()("turma/learning/content/AccessibleLessons") {
  static readonly layer = Layer.effect(
    AccessibleLessons,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const find = Effect.fn("AccessibleLessons.find")(function*(
        club_id: ClubId,
        student_id: StudentId,
        public_id: string
      ) {
        if (!mayBeLesson(public_id)) return yield* new NotFound()
        const now = DateTime.toDateUtc(yield* DateTime.now)
        return yield* sql`${accessibleLesson(sql, { club_id, student_id, now }, public_id)}`.pipe(decodeLesson)
      })

      return AccessibleLessons.of({ find })
    })
  )
}
