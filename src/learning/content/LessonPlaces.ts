import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { holdsItem } from "../../membership/access/HeldItems.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { CourseId, LessonId, ModuleId } from "./Lesson.ts"
import { PublicId } from "./PublicId.ts"

const LessonPlace = Schema.Struct({
  lesson_id: LessonId,
  public_id: Schema.String,
  title: Schema.String,
  module_id: ModuleId,
  course_id: CourseId
})
/** A lesson and where it is. */
export type LessonPlace = typeof LessonPlace.Type

const isPublicId = Schema.is(PublicId)

const decodePlaces = Schema.decodeUnknownEffect(Schema.Array(LessonPlace))

/** Where students find lessons: those that are live, in courses that they have. */
export class LessonPlaces extends Context.Service<LessonPlaces, {
  /** `NotFound`: there is none, it is not live, or the student does not have its course. One statement. */
  find(club_id: ClubId, student_id: StudentId, public_id: string): Effect.Effect<LessonPlace, NotFound>
}>()("turma/content/LessonPlaces") {
  static readonly layer = Layer.effect(
    LessonPlaces,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const find = Effect.fn("LessonPlaces.find")(
        function*(club_id: ClubId, student_id: StudentId, public_id: string) {
          // The database does not take every text.
          if (!isPublicId(public_id)) return yield* new NotFound()
          const now = DateTime.toDateUtc(yield* DateTime.now)
          const rows = yield* sql`
            select l.id as lesson_id, l.public_id, l.title, l.module_id, l.course_id
            from lessons l
            join modules m on m.club_id = l.club_id and m.id = l.module_id and m.deleted_at is null
            join courses c on c.club_id = l.club_id and c.id = l.course_id and c.deleted_at is null
            where l.club_id = ${club_id} and l.public_id = ${public_id} and l.deleted_at is null
              and l.published_at <= ${now}
              and ${holdsItem(sql, { club_id, student_id, now }, "course", sql`l.course_id`)}`
          const [place] = yield* decodePlaces(rows)
          return place ?? (yield* new NotFound())
        },
        Effect.catchTag(["SchemaError", "SqlError"], Effect.die)
      )

      return LessonPlaces.of({ find })
    })
  )
}
