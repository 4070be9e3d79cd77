import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { firstOr } from "../../platform/sql/Rows.ts"
import type { CourseId } from "./Course.ts"
import { liveLessonsOf } from "./LiveLessons.ts"
import { type Outline, OutlineRow } from "./Outline.ts"

const decodeOutline = firstOr(OutlineRow, () => new NotFound())

/** The contents of courses, as the staff keeps them. */
export class Outlines extends Context.Service<Outlines, {
  /** Drafts too. One statement. `NotFound`: this club has no such course, or it is deleted. */
  read(club_id: ClubId, course_id: CourseId): Effect.Effect<Outline, NotFound>
}>()("turma/learning/content/Outlines") {
  static readonly layer = Layer.effect(
    Outlines,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const lessons = sql`
        select coalesce(json_agg(
          json_build_object(
            'id', l.id, 'public_id', l.public_id, 'title', l.title, 'published_at', l.published_at,
            'opens_after_days', l.opens_after_days, 'opens_at', l.opens_at, 'blocks_count', (
              select count(*) from blocks b
              where b.club_id = l.club_id and b.lesson_id = l.id and b.deleted_at is null
            )
          ) order by l.position, l.id
        ), '[]')
        from lessons l where l.club_id = m.club_id and l.module_id = m.id and l.deleted_at is null`

      const modules = sql`
        select coalesce(json_agg(
          json_build_object(
            'id', m.id, 'title', m.title, 'opens_after_days', m.opens_after_days, 'opens_at', m.opens_at,
            'lessons', (${lessons})
          ) order by m.position, m.id
        ), '[]')
        from modules m where m.club_id = c.club_id and m.course_id = c.id and m.deleted_at is null`

      const read = Effect.fn("Outlines.read")(function*(club_id: ClubId, course_id: CourseId) {
        const at = DateTime.toDateUtc(yield* DateTime.now)
        return yield* sql`
          select c.id, c.public_id, c.title, c.subtitle, c.description, c.instructor_name, c.cover_media_id, c.listed,
            c.position, c.created_at, ${liveLessonsOf(sql, sql`c`, at)},
            (${modules}) as modules
          from courses c where c.club_id = ${club_id} and c.id = ${course_id} and c.deleted_at is null`
          .pipe(decodeOutline)
      })

      return Outlines.of({ read })
    })
  )
}
