import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { accessibleItemIds, type ItemHolder } from "../../membership/access/ItemAccess.ts"
import { Notification } from "../../membership/notifications/Notification.ts"
import { shownNotifications } from "../../membership/notifications/shownNotifications.ts"
import { texts } from "../../platform/sql/Arrays.ts"
import { one } from "../../platform/sql/Rows.ts"
import { lockedFor } from "../content/LessonOpening.ts"
import { ClassroomLives } from "../lives/ClassroomLives.ts"
import { Attachments } from "../media/Attachments.ts"
import { ClassroomRepo } from "./ClassroomRepo.ts"
import { courseResponse, coversOf, lockedCourseResponse } from "./CourseResponse.ts"
import {
  type ClassroomHome,
  DueBlock,
  mostListed,
  mostLocked,
  mostNotifications,
  NewLesson,
  NextLesson
} from "./Home.ts"
import { LockedCourse, OutlineRepo } from "./OutlineRepo.ts"
import { ownPosition } from "./Positions.ts"
import { triedBlocks } from "./TriedBlocks.ts"

const arrayOf = <A, I>(schema: Schema.Codec<A, I>) => Schema.Array(Schema.toCodecJson(schema))

const decodeRead = one(Schema.Struct({
  next_lessons: arrayOf(NextLesson),
  new_lessons: arrayOf(NewLesson),
  due: arrayOf(DueBlock),
  locked: arrayOf(LockedCourse),
  notifications: arrayOf(Notification)
}))

/** The home page of a student. */
export class Homes extends Context.Service<Homes, {
  /** Three statements, and one more for the covers of courses. */
  read(club_id: ClubId, student_id: StudentId): Effect.Effect<ClassroomHome>
}>()("turma/learning/classroom/Homes") {
  static readonly layer = Layer.effect(
    Homes,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* ClassroomRepo
      const outlines = yield* OutlineRepo
      const attachments = yield* Attachments
      const lives = yield* ClassroomLives

      const nextLessons = (holder: ItemHolder, public_ids: ReadonlyArray<string>) =>
        sql`
          select jsonb_agg(jsonb_build_object(
            'public_id', l.public_id, 'title', l.title, 'module_title', l.module_title, 'position',
            ${ownPosition(sql, holder, sql`l.id`)}
          ))
          from unnest(${texts(public_ids)}) as next (public_id) cross join lateral (
            select l.id, l.public_id, l.title, (
              select m.title from modules m where m.club_id = l.club_id and m.id = l.module_id
            ) as module_title
            from lessons l where l.club_id = ${holder.club_id} and l.public_id = next.public_id offset 0
          ) l`

      const isOpen = (holder: ItemHolder) =>
        sql`${lockedFor(sql, holder, { module: sql`m`, lesson: sql`l`, course: sql`l.course_id` })} is null`

      // Each course gives its newest ones from an index.
      const newLessons = (holder: ItemHolder) => {
        const { club_id, now, student_id } = holder
        return sql`
          select jsonb_agg(jsonb_build_object(
            'public_id', l.public_id, 'title', l.title, 'published_at', l.published_at,
            'course', jsonb_build_object('public_id', l.course_public_id, 'title', l.course_title)
          ) order by l.published_at desc, l.id desc)
          from (
            select l.*, c.public_id as course_public_id, c.title as course_title
            from held join courses c on c.club_id = ${club_id} and c.id = held.course_id and c.deleted_at is null
            cross join lateral (
              select l.id, l.public_id, l.title, l.published_at from lessons l
              where l.club_id = ${club_id} and l.course_id = c.id and l.deleted_at is null
                and l.published_at > (select at from last_seen) and l.published_at <= ${now}
                and exists (
                  select from modules m
                  where m.club_id = l.club_id and m.id = l.module_id and m.deleted_at is null and ${isOpen(holder)}
                )
                and not exists (
                  select from lesson_completions d
                  where d.club_id = l.club_id and d.student_id = ${student_id} and d.lesson_id = l.id
                    and d.completed_at is not null
                )
              order by l.published_at desc, l.id desc limit ${mostListed}
            ) l
            order by l.published_at desc, l.id desc limit ${mostListed}
          ) l`
      }

      const dueBlocks = (holder: ItemHolder) => {
        const { club_id, now } = holder
        return sql`
          select jsonb_agg(jsonb_build_object(
            'kind', b.kind, 'block_id', b.id, 'title', b.title,
            'lesson', jsonb_build_object('public_id', b.lesson_public_id, 'title', b.lesson_title)
          ) order by b.at desc, b.id desc)
          from (
            select b.*, tried.at
            from (${triedBlocks(sql, holder)}) tried
            cross join lateral (
              select b.id, b.kind, b.title, l.public_id as lesson_public_id, l.title as lesson_title
              from blocks b
              join lessons l on l.club_id = b.club_id and l.id = b.lesson_id
              join modules m on m.club_id = l.club_id and m.id = l.module_id
              join courses c on c.club_id = l.club_id and c.id = l.course_id
              where b.club_id = ${club_id} and b.id = tried.block_id and b.deleted_at is null
                and l.deleted_at is null and l.published_at <= ${now} and m.deleted_at is null
                and c.deleted_at is null and c.id in (select course_id from held) and ${isOpen(holder)}
              offset 0
            ) b
            order by tried.at desc, b.id desc limit ${mostListed}
          ) b`
      }

      const lockedCourses = (holder: ItemHolder) =>
        sql`select jsonb_agg(to_jsonb(course)) from (${outlines.locked(holder, mostLocked)}) course`

      const unread = ({ club_id, student_id }: ItemHolder) =>
        sql`
          select jsonb_agg(to_jsonb(unread) order by unread.id desc)
          from (
            ${shownNotifications(sql)}
            where n.club_id = ${club_id} and n.student_id = ${student_id} and n.read_at is null
            order by n.id desc limit ${mostNotifications}
          ) unread`

      const readMore = Effect.fnUntraced(function*(holder: ItemHolder, public_ids: ReadonlyArray<string>) {
        const { club_id, student_id } = holder
        return yield* sql`
          with held as materialized (select unnest(${accessibleItemIds(sql, holder, "course")}) as course_id),
          last_seen as materialized (
            select greatest((
              select max(completed_at) from lesson_completions
              where club_id = ${club_id} and student_id = ${student_id}
            ), (
              select max(updated_at) from lesson_positions where club_id = ${club_id} and student_id = ${student_id}
            )) as at
          )
          select coalesce((${nextLessons(holder, public_ids)}), '[]') as next_lessons,
            coalesce((${newLessons(holder)}), '[]') as new_lessons,
            coalesce((${dueBlocks(holder)}), '[]') as due, coalesce((${lockedCourses(holder)}), '[]') as locked,
            coalesce((${unread(holder)}), '[]') as notifications`.pipe(decodeRead)
      })

      const read = Effect.fn("Homes.read")(function*(club_id: ClubId, student_id: StudentId) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const [courses, next_live] = yield* Effect.all([
          repo.courses(club_id, student_id),
          lives.next(club_id, student_id)
        ], { concurrency: "unbounded" })
        const public_ids = courses.flatMap(({ next_lesson_public_id }) => next_lesson_public_id ?? [])
        const more = yield* readMore({ club_id, student_id, now }, public_ids)
        const { due, locked, new_lessons, next_lessons, notifications } = more
        const covers = yield* attachments.shown(club_id, [...coversOf(courses), ...coversOf(locked)])
        const next = new Map(next_lessons.map((lesson) => [lesson.public_id, lesson]))
        return {
          courses: courses.map((course) => ({
            ...courseResponse(course, covers),
            next_lesson: next.get(course.next_lesson_public_id ?? "") ?? null
          })),
          locked_courses: locked.map((course) => lockedCourseResponse(course, covers)),
          new_lessons,
          due,
          next_live,
          notifications
        }
      })

      return Homes.of({ read })
    })
  ).pipe(Layer.provide([ClassroomLives.layer, ClassroomRepo.layer, OutlineRepo.layer]))
}
