import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { itemAccess, type ItemHolder } from "../../membership/access/ItemAccess.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { InstantOrNull } from "../../platform/schema/Instant.ts"
import { firstOr } from "../../platform/sql/Rows.ts"
import { BlockKind } from "../content/Block.ts"
import { LessonId } from "../content/Lesson.ts"
import { clubZone } from "../content/LessonOpening.ts"
import { ModuleId } from "../content/Module.ts"
import { MediaId } from "../media/Media.ts"
import { coursePage } from "./CoursePage.ts"

const Opening = Schema.Struct({
  opens_after_days: Schema.NullOr(Schema.Int),
  opens_at: Schema.NullOr(Schema.DateTimeUtcFromString)
})

const OutlinedLesson = Schema.Struct({
  lesson_id: LessonId,
  public_id: Schema.String,
  title: Schema.String,
  module_id: ModuleId,
  module_title: Schema.String,
  completed: Schema.Boolean,
  /** Null if neither the lesson nor its module has one. */
  openings: Schema.NullOr(Schema.Struct({ module: Opening, lesson: Opening })),
  /** The kind of each of its blocks, and the seconds of its videos. */
  blocks: Schema.Struct({ kinds: Schema.Array(BlockKind), seconds: Schema.NullOr(Schema.Int) })
})

const access = {
  /** When the student's present access began; null without one. */
  began: InstantOrNull,
  /** When an earlier access ended; null without one. */
  ended: InstantOrNull
}

const OutlinedCourse = Schema.Struct({
  ...coursePage,
  ...access,
  /** Of the description. */
  image_ids: Schema.Array(MediaId),
  time_zone: Schema.String,
  lessons: Schema.Array(OutlinedLesson)
})
/** A course with its live lessons, at least one, in order. */
export type OutlinedCourse = typeof OutlinedCourse.Type

/** The schema of `LockedCourse`. */
export const LockedCourse = Schema.Struct({
  ...coursePage,
  ...access,
  lessons_count: Schema.Int,
  completed_count: Schema.Int
})
/** A course that the student does not have, with the counts of its live lessons. */
export type LockedCourse = typeof LockedCourse.Type

const decodeOutline = firstOr(OutlinedCourse, () => new NotFound())

/**
 * Courses that a student has, had, or sees as `listed`. Omits those without a live lesson.
 */
export class OutlineRepo extends Context.Service<OutlineRepo, {
  /** `NotFound`: there is no such course, it has no live lesson, or the student sees nothing of it. */
  outline(club_id: ClubId, student_id: StudentId, public_id: string): Effect.Effect<OutlinedCourse, NotFound>
  /**
   * A query for the first courses, in the club's order, that the student had, or sees as `listed`, and does not have. It
   * gives rows of `LockedCourse`.
   */
  locked(holder: ItemHolder, limit: number): Statement.Fragment
}>()("turma/learning/classroom/OutlineRepo") {
  static readonly layer = Layer.effect(
    OutlineRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const columns = ({ student_id }: ItemHolder) =>
        sql`
          c.id, c.public_id, c.title, c.subtitle, c.description, c.instructor_name, c.cover_media_id, access.began,
          access.ended, live.*, (
            select f.completed_at from course_completions f
            where f.club_id = c.club_id and f.student_id = ${student_id} and f.course_id = c.id
          ) as finished_at`

      // With `offset 0` each row is looked for by its whole key (see ClassroomRepo).
      const visible = (holder: ItemHolder) =>
        sql`
          cross join lateral (${itemAccess(sql, holder, "course", sql`c.id`)} offset 0) access`

      const liveLessons = (holder: ItemHolder, aggregated: Statement.Fragment, blocks: Statement.Fragment) =>
        sql`
          cross join lateral (
            select ${aggregated}
            from modules m
            cross join lateral (
              select l.id, l.public_id, l.title, l.position, l.opens_after_days, l.opens_at, (
                select d.completed_at from lesson_completions d
                where d.club_id = l.club_id and d.student_id = ${holder.student_id} and d.lesson_id = l.id
              ) as completed_at ${blocks}
              from lessons l
              where l.club_id = m.club_id and l.module_id = m.id and l.deleted_at is null
                and l.published_at <= ${holder.now}
              offset 0
            ) l
            where m.club_id = c.club_id and m.course_id = c.id and m.deleted_at is null
            having count(*) > 0
          ) live`

      // In the order of an index, so that nothing is sorted.
      const blocksOf = sql`
        , (
          select json_build_object('kinds', coalesce(json_agg(b.kind), '[]'), 'seconds', sum(
            case when b.kind = 'video' then (
              select f.duration_seconds from media f
              where f.club_id = l.club_id and f.id = b.media_id and f.removed_at is null
            ) end
          ))
          from (
            select b.kind, b.media_id from blocks b
            where b.club_id = l.club_id and b.lesson_id = l.id and b.deleted_at is null
            order by b.position, b.id
          ) b
        ) as blocks`

      const openings = sql`
        case when num_nulls(m.opens_after_days, m.opens_at, l.opens_after_days, l.opens_at) < 4 then
          json_build_object(
            'module', json_build_object('opens_after_days', m.opens_after_days, 'opens_at', m.opens_at),
            'lesson', json_build_object('opens_after_days', l.opens_after_days, 'opens_at', l.opens_at)
          )
        end`

      const withBlocks = sql`
        json_agg(
          json_build_object(
            'lesson_id', l.id, 'public_id', l.public_id, 'title', l.title, 'module_id', m.id, 'module_title', m.title,
            'completed', l.completed_at is not null, 'openings', ${openings}, 'blocks', l.blocks
          ) order by m.position, m.id, l.position, l.id
        ) as lessons`

      const counts = sql`count(*)::int as lessons_count, count(l.completed_at)::int as completed_count`

      const holderNow = (club_id: ClubId, student_id: StudentId) =>
        Effect.map(DateTime.now, (now): ItemHolder => ({ club_id, student_id, now: DateTime.toDateUtc(now) }))

      const outline = Effect.fn("OutlineRepo.outline")(function*(
        club_id: ClubId,
        student_id: StudentId,
        public_id: string
      ) {
        const holder = yield* holderNow(club_id, student_id)
        return yield* sql`
          select ${columns(holder)}, array(
            select i.media_id from course_images i
            where access.began is not null and i.club_id = c.club_id and i.course_id = c.id order by i.media_id
          ) as image_ids, ${clubZone(sql, club_id)} as time_zone
          from courses c ${visible(holder)} ${liveLessons(holder, withBlocks, blocksOf)}
          where c.club_id = ${club_id} and c.public_id = ${public_id} and c.deleted_at is null
            and (access.began is not null or access.ended is not null or c.listed)`.pipe(decodeOutline)
      })

      const locked = (holder: ItemHolder, limit: number) =>
        sql`
          select ${columns(holder)}
          from courses c ${visible(holder)} ${liveLessons(holder, counts, sql``)}
          where c.club_id = ${holder.club_id} and c.deleted_at is null and access.began is null
            and (access.ended is not null or c.listed)
          order by c.position, c.id limit ${limit}`

      return OutlineRepo.of({ outline, locked })
    })
  )
}
