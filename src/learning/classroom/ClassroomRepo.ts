import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { accessibleItemIds, askedOnce, type ItemHolder, itemSince } from "../../membership/access/ItemAccess.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { InstantOrNull } from "../../platform/schema/Instant.ts"
import { firstOr, rows } from "../../platform/sql/Rows.ts"
import { Block } from "../content/Block.ts"
import { CourseId } from "../content/Course.ts"
import { LessonId } from "../content/Lesson.ts"
import { type LessonLocked, lockedUntilThen } from "../content/LessonLocked.ts"
import { clubZone, isOpenSince, lockedUntil } from "../content/LessonOpening.ts"
import { ModuleId } from "../content/Module.ts"
import { MediaId } from "../media/Media.ts"
import { LastAttempt } from "./Classroom.ts"
import { completionVersion } from "./CompletionVersion.ts"
import { ListedCourse } from "./CoursePage.ts"
import { LessonPosition } from "./LessonPosition.ts"
import { ownPosition } from "./Positions.ts"
import { storedSubmission } from "./Submission.ts"

const CourseLesson = Schema.Struct({
  lesson_id: LessonId,
  public_id: Schema.String,
  title: Schema.String,
  module_id: ModuleId,
  module_title: Schema.String,
  completed: Schema.Boolean,
  locked_until: Schema.NullOr(Schema.DateTimeUtcFromString)
})

const course = {
  id: CourseId,
  public_id: Schema.String,
  title: Schema.String,
  /** When it was finished for the first time. */
  finished_at: InstantOrNull,
  lessons: Schema.Array(CourseLesson)
}
const StudentCourse = Schema.Struct(course)
/** A course that a student has, with its live lessons, at least one, in order. */
export type StudentCourse = typeof StudentCourse.Type

const lock = { locked_until: InstantOrNull, time_zone: Schema.String }

const lessonAndCompletion = {
  lesson_id: LessonId,
  lesson: Schema.Struct({ id: LessonId, public_id: Schema.String, title: Schema.String }),
  completed_at: InstantOrNull,
  first_completed_at: InstantOrNull
}
const LessonInCourse = Schema.Struct({
  ...lessonAndCompletion,
  id: CourseId,
  public_id: Schema.String,
  title: Schema.String,
  finished_at: InstantOrNull,
  lessons_count: Schema.Int,
  others_left: Schema.Int,
  next_lesson_public_id: Schema.NullOr(Schema.String),
  completion_version: Schema.Int,
  ...lock
})
/**
 * A live lesson with its course: the number of live lessons in that, and the number of others still to complete.
 * `completion_version` counts the changes of the student's completions.
 */
export type LessonInCourse = typeof LessonInCourse.Type

const { created_at: _, lesson_id: __, position: ___, ...blockFields } = Block.fields
/** A stored block, with the student's latest action in it. */
export const StudentBlock = Schema.Struct({
  ...blockFields,
  image_ids: Schema.Array(MediaId),
  last_attempt: Schema.NullOr(LastAttempt),
  last_submission: Schema.NullOr(Schema.Struct({ ...storedSubmission, media_ids: Schema.Array(MediaId) }))
})
export type StudentBlock = typeof StudentBlock.Type

const LessonWithBlocks = Schema.Struct({
  ...course,
  ...lessonAndCompletion,
  module: Schema.Struct({ id: ModuleId, title: Schema.String }),
  position: Schema.NullOr(Schema.toCodecJson(LessonPosition)),
  ...lock,
  blocks: Schema.Array(Schema.toCodecJson(StudentBlock))
})
/** A live lesson with its course and its blocks. */
export type LessonWithBlocks = typeof LessonWithBlocks.Type

/** The student as columns of a statement, and the `from` that has them. */
interface Asked {
  readonly holder: ItemHolder
  readonly from: Statement.Fragment
}

/** Fails if the lesson opens later. */
const opened = <Lesson extends { readonly locked_until: DateTime.Utc | null; readonly time_zone: string }>(
  lesson: Lesson
) =>
  lesson.locked_until === null
    ? Effect.succeed(lesson)
    : Effect.fail(lockedUntilThen(lesson.locked_until, lesson.time_zone))

const decodeListed = rows(ListedCourse)
const decodeCourse = firstOr(StudentCourse, () => new NotFound())
const decodeLessonInCourse = firstOr(LessonInCourse, () => new NotFound())
const decodeLesson = firstOr(LessonWithBlocks, () => new NotFound())

/**
 * The courses that a student has, with their progress. Each method is one statement. `NotFound`: there is no such
 * course or lesson, it is not live, or the student does not have the course. `LessonLocked`: the lesson opens later.
 */
export class ClassroomRepo extends Context.Service<ClassroomRepo, {
  /** In the club's order. Omits those without a live lesson. */
  courses(club_id: ClubId, student_id: StudentId): Effect.Effect<ReadonlyArray<ListedCourse>>
  course(club_id: ClubId, student_id: StudentId, public_id: string): Effect.Effect<StudentCourse, NotFound>
  /** By the lesson's public id. */
  lessonInCourse(
    club_id: ClubId,
    student_id: StudentId,
    public_id: string
  ): Effect.Effect<LessonInCourse, LessonLocked | NotFound>
  lesson(
    club_id: ClubId,
    student_id: StudentId,
    public_id: string
  ): Effect.Effect<LessonWithBlocks, LessonLocked | NotFound>
}>()("turma/learning/classroom/ClassroomRepo") {
  static readonly layer = Layer.effect(
    ClassroomRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const isLive = (lesson: Statement.Fragment, { now }: ItemHolder) =>
        sql`${lesson}.deleted_at is null and ${lesson}.published_at <= ${now}`

      const localTime = ({ now }: ItemHolder) => ({ now, zone: sql`zone.time_zone` })

      const isOpen = (holder: ItemHolder) =>
        isOpenSince(sql, localTime(holder), sql`access.began`, { module: sql`m`, lesson: sql`l` })

      const untilOpen = (holder: ItemHolder) =>
        lockedUntil(sql, localTime(holder), sql`access.began`, { module: sql`m`, lesson: sql`l` })

      const courseColumns = ({ student_id }: ItemHolder) =>
        sql`
          c.id, c.public_id, c.title, access.began, live.*, (
            select f.completed_at from course_completions f
            where f.club_id = c.club_id and f.student_id = ${student_id} and f.course_id = c.id
          ) as finished_at`

      const inOrder = sql`order by m.position, m.id, l.position, l.id`
      const allLessons = (holder: ItemHolder) =>
        sql`
        jsonb_agg(
          jsonb_build_object(
            'lesson_id', l.id, 'public_id', l.public_id, 'title', l.title, 'module_id', m.id, 'module_title', m.title,
            'completed', l.completed_at is not null,
            'locked_until', ${untilOpen(holder)}
          ) ${inOrder}
        ) as lessons`
      const lessonCounts = (holder: ItemHolder) =>
        sql`
        count(*)::int as lessons_count, count(l.completed_at)::int as completed_count,
        (array_agg(l.public_id ${inOrder}) filter (
          where l.completed_at is null and ${isOpen(holder)}
        ))[1] as next_lesson_public_id`

      // About the lesson `h` and the others of its course.
      const othersLeft = (holder: ItemHolder) =>
        sql`
        count(*)::int as lessons_count,
        (count(*) filter (where l.completed_at is null and l.id <> h.id))::int as others_left,
        (array_agg(l.public_id ${inOrder}) filter (
          where l.completed_at is null and l.id <> h.id and ${isOpen(holder)}
        ))[1] as next_lesson_public_id`

      // If one club has most of the rows, PostgreSQL expects about one row for any club or student. Then it searches by
      // club or student alone, and reads all their rows again and again. A part that is selected on its own, with
      // `offset 0` or as a column, is searched by its whole key.

      /**
       * Joins columns about the live lessons of a course, and when the student's access to it began. Omits courses that
       * the student does not have, and those without live lessons.
       */
      const liveLessons = (holder: ItemHolder, columns: Statement.Fragment) =>
        sql`
          cross join lateral (${itemSince(sql, holder, "course", sql`c.id`)} offset 0) access
          cross join lateral (
            select ${columns}
            from modules m
            cross join lateral (
              select l.id, l.public_id, l.title, l.position, l.opens_after_days, l.opens_at, (
                select d.completed_at from lesson_completions d
                where d.club_id = l.club_id and d.student_id = ${holder.student_id} and d.lesson_id = l.id
              ) as completed_at
              from lessons l
              where l.club_id = m.club_id and l.module_id = m.id and ${isLive(sql`l`, holder)}
              offset 0
            ) l
            where m.club_id = c.club_id and m.course_id = c.id and m.deleted_at is null
            having count(*) > 0
          ) live`

      /** The student as columns of `from`, beside the `time_zone` of the club. */
      const askedNow = (club_id: ClubId, student_id: StudentId) =>
        Effect.map(DateTime.now, (now) => {
          const { asked, holder } = askedOnce(sql, { club_id, student_id, now: DateTime.toDateUtc(now) })
          return { holder, from: sql`from ${asked} cross join lateral ${clubZone(sql, holder.club_id)} zone` }
        })

      const courses = Effect.fn("ClassroomRepo.courses")(function*(club_id: ClubId, student_id: StudentId) {
        const { from, holder } = yield* askedNow(club_id, student_id)
        return yield* sql`
          select ${courseColumns(holder)}, c.subtitle, c.description, c.instructor_name, c.cover_media_id
          ${from} join courses c on c.club_id = asked.club_id ${liveLessons(holder, lessonCounts(holder))}
          where c.deleted_at is null and c.id = any (${accessibleItemIds(sql, holder, "course")})
          order by c.position, c.id`.pipe(decodeListed)
      })

      const course = Effect.fn("ClassroomRepo.course")(function*(
        club_id: ClubId,
        student_id: StudentId,
        public_id: string
      ) {
        const { from, holder } = yield* askedNow(club_id, student_id)
        return yield* sql`
          select ${courseColumns(holder)}
          ${from} join courses c on c.club_id = asked.club_id ${liveLessons(holder, allLessons(holder))}
          where c.public_id = ${public_id} and c.deleted_at is null`.pipe(decodeCourse)
      })

      /** The lesson, its course and its completion, with further columns. */
      const lessonWithCourse = (
        { from, holder }: Asked,
        public_id: string,
        lessons: Statement.Fragment,
        more: Statement.Fragment
      ) => {
        const until = lockedUntil(sql, localTime(holder), sql`course.began`, { module: sql`hm`, lesson: sql`h` })
        return sql`
          select course.*, h.id as lesson_id, own.completed_at, own.first_completed_at,
            jsonb_build_object('id', h.id, 'public_id', h.public_id, 'title', h.title) as lesson,
            ${until} as locked_until,
            zone.time_zone, ${more}
          ${from} join lessons h on h.club_id = asked.club_id
          cross join lateral (
            select m.id, m.title, m.opens_after_days, m.opens_at from modules m
            where m.club_id = h.club_id and m.id = h.module_id and m.deleted_at is null offset 0
          ) hm
          cross join lateral (
            select ${courseColumns(holder)} from courses c ${liveLessons(holder, lessons)}
            where c.club_id = h.club_id and c.id = h.course_id and c.deleted_at is null offset 0
          ) course
          left join lateral (
            select d.completed_at, d.first_completed_at from lesson_completions d
            where d.club_id = h.club_id and d.student_id = ${holder.student_id} and d.lesson_id = h.id offset 0
          ) own on true
          where h.public_id = ${public_id} and ${isLive(sql`h`, holder)}`
      }

      const lessonInCourse = Effect.fnUntraced(function*(club_id: ClubId, student_id: StudentId, public_id: string) {
        const asked = yield* askedNow(club_id, student_id)
        const version = sql`${completionVersion(sql, asked.holder)} as completion_version`
        const lesson = yield* lessonWithCourse(asked, public_id, othersLeft(asked.holder), version)
          .pipe(decodeLessonInCourse)
        return yield* opened(lesson)
      })

      const lastAttempt = ({ student_id }: ItemHolder) =>
        sql`
          select jsonb_build_object('id', a.id, 'percent', a.percent, 'passed', a.passed, 'created_at', a.created_at)
          from quiz_attempts a
          where b.kind = 'quiz' and a.club_id = b.club_id and a.student_id = ${student_id} and a.block_id = b.id
          order by a.id desc limit 1`

      const lastSubmission = ({ student_id }: ItemHolder) =>
        sql`
          select jsonb_build_object(
            'id', s.id, 'block_id', s.block_id, 'body', s.body, 'status', s.status, 'feedback', s.feedback,
            'reviewed_at', s.reviewed_at, 'created_at', s.created_at, 'media_ids', coalesce((
              select jsonb_agg(sm.media_id order by sm.position) from submission_media sm
              where sm.club_id = s.club_id and sm.submission_id = s.id
            ), '[]')
          )
          from submissions s
          where b.kind = 'assignment' and s.club_id = b.club_id and s.student_id = ${student_id} and s.block_id = b.id
          order by s.id desc limit 1`

      const moduleAndBlocks = (holder: ItemHolder) =>
        sql`
          jsonb_build_object('id', hm.id, 'title', hm.title) as module,
          ${ownPosition(sql, holder, sql`h.id`)} as position, coalesce((
            select jsonb_agg(
              jsonb_build_object(
                'id', b.id, 'kind', b.kind, 'title', b.title, 'body', b.body, 'media_id', b.media_id,
                'questions', b.questions, 'pass_percent', b.pass_percent, 'image_ids', coalesce((
                  select jsonb_agg(i.media_id order by i.media_id) from block_images i
                  where b.body is not null and i.club_id = b.club_id and i.block_id = b.id
                ), '[]'),
                'last_attempt', (${lastAttempt(holder)}), 'last_submission', (${lastSubmission(holder)})
              ) order by b.position, b.id
            )
            from blocks b where b.club_id = h.club_id and b.lesson_id = h.id and b.deleted_at is null
          ), '[]') as blocks`

      const lesson = Effect.fn("ClassroomRepo.lesson")(function*(
        club_id: ClubId,
        student_id: StudentId,
        public_id: string
      ) {
        const asked = yield* askedNow(club_id, student_id)
        const blocks = moduleAndBlocks(asked.holder)
        const lesson = yield* lessonWithCourse(asked, public_id, allLessons(asked.holder), blocks).pipe(decodeLesson)
        return yield* opened(lesson)
      })

      return ClassroomRepo.of({ courses, course, lessonInCourse, lesson })
    })
  )
}
