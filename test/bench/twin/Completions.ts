import { randomUUIDv7 } from "node:crypto"
import type { ISql, Sql } from "postgres"
import type { Student } from "./Asks.ts"
import { notFound, studentRemoved } from "./Refusal.ts"

/** Milliseconds from a fact to the assembly of its body. */
const assembleDelay = 2000

interface Place {
  readonly lesson_id: string
  readonly public_id: string
  readonly title: string
  readonly course_id: string
  readonly course_public_id: string
  readonly course_title: string
  readonly completed_at: Date | null
  readonly first_completed_at: Date | null
  /** The moment at which the student finished the course. */
  readonly finished_at: Date | null
  readonly lessons_count: number
  /** Completed lessons of the course, without this one. */
  readonly others_completed: number
  /** The first incomplete lesson of the course, without this one. */
  readonly next_lesson_public_id: string | null
}

const isCompletable = ({ completed_at, finished_at, lessons_count, others_completed }: Place) =>
  completed_at === null || (finished_at === null && others_completed + 1 === lessons_count)

const answerOf = (place: Place, points_awarded: number) => {
  const { lessons_count, others_completed } = place
  const completed_count = others_completed + 1
  return {
    lesson: { id: place.lesson_id, public_id: place.public_id, title: place.title },
    completed: true,
    completed_at: place.completed_at,
    first_completed_at: place.first_completed_at,
    course: {
      id: place.course_id,
      public_id: place.course_public_id,
      title: place.course_title,
      progress: {
        lessons_count,
        completed_count,
        percent: Math.floor(completed_count * 100 / lessons_count),
        next_lesson_public_id: place.next_lesson_public_id,
        completed_at: place.finished_at
      }
    },
    points_awarded
  }
}

const find = async (sql: ISql, { club_id, student_id }: Student, public_id: string): Promise<Place> => {
  const now = new Date()
  const [place] = await sql<Array<Place>>`
    select l.id as lesson_id, l.public_id, l.title, own.completed_at, own.first_completed_at, course.*
    from lessons l
    cross join lateral (
      select from modules m where m.club_id = l.club_id and m.id = l.module_id and m.deleted_at is null offset 0
    ) m
    cross join lateral (
      select c.id as course_id, c.public_id as course_public_id, c.title as course_title, (
          select f.completed_at from course_completions f
          where f.club_id = c.club_id and f.student_id = ${student_id} and f.course_id = c.id
        ) as finished_at, live.*
      from courses c
      cross join lateral (
        select count(*)::int as lessons_count,
          (count(o.completed_at) filter (where o.id <> l.id))::int as others_completed,
          (array_agg(o.public_id order by om.position, om.id, o.position, o.id)
            filter (where o.completed_at is null and o.id <> l.id))[1] as next_lesson_public_id
        from modules om
        cross join lateral (
          select o.id, o.public_id, o.position, (
            select d.completed_at from lesson_completions d
            where d.club_id = o.club_id and d.student_id = ${student_id} and d.lesson_id = o.id
          ) as completed_at
          from lessons o
          where o.club_id = om.club_id and o.module_id = om.id and o.deleted_at is null and o.published_at <= ${now}
          offset 0
        ) o
        where om.club_id = c.club_id and om.course_id = c.id and om.deleted_at is null
      ) live
      where c.club_id = l.club_id and c.id = l.course_id and c.deleted_at is null
        and exists (
          select from enrollments e
          join delivery_items i on i.club_id = e.club_id and i.delivery_id = e.delivery_id
          where e.club_id = ${club_id} and e.student_id = ${student_id} and e.revoked_at is null and e.starts_at <= ${now}
            and (e.expires_at is null or e.expires_at > ${now}) and i.kind = 'course' and i.item_id = c.id
        )
      offset 0
    ) course
    left join lateral (
      select d.completed_at, d.first_completed_at from lesson_completions d
      where d.club_id = l.club_id and d.student_id = ${student_id} and d.lesson_id = l.id offset 0
    ) own on true
    where l.club_id = ${club_id} and l.public_id = ${public_id} and l.deleted_at is null and l.published_at <= ${now}`
  if (place === undefined) throw notFound()
  return place
}

const hold = async (sql: ISql, { club_id, student_id }: Student) => {
  const [student] = await sql<Array<{ readonly removed: boolean }>>`
    select removed_at is not null as removed from students
    where club_id = ${club_id} and id = ${student_id} for no key update`
  if (student === undefined) throw notFound()
  if (student.removed) throw studentRemoved()
}

interface Deed {
  readonly type: string
  readonly action: string
  readonly origin_id: string
  readonly subject: object
}

/** The deeds to report and to pay: the lesson on its first completion, and the course if this lesson finishes it. */
const deedsOf = ({ course_id, first_completed_at, lesson_id }: Place, finishes: boolean, completed_at: Date) => {
  const lesson: Deed = {
    type: "lesson.completed",
    action: "lesson_completed",
    origin_id: lesson_id,
    subject: { lesson_id, completed_at }
  }
  const course: Deed = {
    type: "course.completed",
    action: "course_completed",
    origin_id: course_id,
    subject: { course_id, completed_at }
  }
  return [...first_completed_at === null ? [lesson] : [], ...finishes ? [course] : []]
}

// Neither action has a daily cap.
const pay = (sql: ISql, { club_id, student_id }: Student, deeds: ReadonlyArray<Deed>, now: Date) =>
  sql<Array<{ readonly points: number }>>`
    insert into point_entries (club_id, id, student_id, action, origin_id, points, created_at)
    select g.club_id, deed.id, ${student_id}::uuid, r.action, deed.origin_id, r.points, ${now}::timestamptz
    from unnest(
      ${deeds.map(() => randomUUIDv7())}::uuid[], ${deeds.map(({ action }) => action)}::text[],
      ${deeds.map(({ origin_id }) => origin_id)}::uuid[]
    ) as deed (id, action, origin_id)
    join gamification g on g.club_id = ${club_id} and g.enabled
    join gamification_rules r on r.club_id = g.club_id and r.action = deed.action and r.points > 0
    on conflict on constraint point_entries_origin_key do nothing
    returning points`

const tell = (sql: ISql, { club_id, student_id }: Student, deeds: ReadonlyArray<Deed>, now: Date) =>
  sql`
    insert into event_outbox (club_id, id, type, student_id, subject, occurred_at, due_at)
    select ${club_id}::uuid, id, type, ${student_id}::uuid, subject::jsonb, ${now}::timestamptz,
      ${new Date(now.getTime() + assembleDelay)}::timestamptz
    from unnest(
      ${deeds.map(() => randomUUIDv7())}::uuid[], ${deeds.map(({ type }) => type)}::text[],
      ${deeds.map(({ subject }) => JSON.stringify(subject))}::text[]
    ) as fact (id, type, subject)`

const finish = (sql: ISql, { club_id, student_id }: Student, { course_id }: Place, now: Date) =>
  sql`
    insert into course_completions (club_id, student_id, course_id, completed_at)
    values (${club_id}, ${student_id}, ${course_id}, ${now})`

const note = (sql: ISql, { club_id, student_id }: Student, { lesson_id }: Place, now: Date) =>
  sql`
    insert into lesson_completions (club_id, student_id, lesson_id, first_completed_at, completed_at)
    values (${club_id}, ${student_id}, ${lesson_id}, ${now}, ${now})
    on conflict (club_id, student_id, lesson_id) do update set completed_at = excluded.completed_at
    where lesson_completions.completed_at is null`

/** Answers a completed lesson after one read. Otherwise it takes the student's lock and sends all writes at once. */
export const makeCompletions = (sql: Sql) => ({
  complete: async (student: Student, public_id: string) => {
    const seen = await find(sql, student, public_id)
    if (!isCompletable(seen)) return answerOf(seen, 0)
    return sql.begin(async (transaction) => {
      await hold(transaction, student)
      const place = await find(transaction, student, public_id)
      const now = new Date()
      const finishes = place.finished_at === null && place.others_completed + 1 === place.lessons_count
      const deeds = deedsOf(place, finishes, now)
      const [paid] = await Promise.all([
        pay(transaction, student, deeds, now),
        note(transaction, student, place, now),
        tell(transaction, student, deeds, now),
        ...finishes ? [finish(transaction, student, place, now)] : []
      ])
      const after = {
        ...place,
        completed_at: place.completed_at ?? now,
        first_completed_at: place.first_completed_at ?? now,
        finished_at: finishes ? now : place.finished_at
      }
      return answerOf(after, paid.reduce((sum, { points }) => sum + points, 0))
    })
  }
})
