import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { hasItemSince, itemAccess, type ItemHolder } from "../../membership/access/ItemAccess.ts"

/** A lesson and its module, as rows of a statement. */
interface LessonRows {
  readonly module: Fragment
  readonly lesson: Fragment
}

/** The course of a lesson beside them. */
interface LessonOfCourse extends LessonRows {
  readonly course: Fragment
}

/** The time zone of the club, which PostgreSQL reads once in a statement. */
export const clubZone = (sql: SqlClient.SqlClient, club_id: ClubId): Fragment =>
  sql`(select zone.time_zone from clubs zone where zone.id = ${club_id})`

const daysOf = (sql: SqlClient.SqlClient, { lesson, module }: LessonRows): Fragment =>
  sql`greatest(${module}.opens_after_days, ${lesson}.opens_after_days)`

const startOfDay = (sql: SqlClient.SqlClient, club_id: ClubId, began: Fragment, days: Fragment): Fragment => {
  const zone = clubZone(sql, club_id)
  return sql`((${began} at time zone ${zone})::date + ${days})::timestamp at time zone ${zone}`
}

/**
 * When the lesson opens for an access that began at `began`, if that is later than now; null: it is open. The rule of
 * `lessonOpenings` in SQL. The beginning is read only if the lesson or its module opens after days.
 */
export const lockedUntil = (
  sql: SqlClient.SqlClient,
  { club_id, now }: Pick<ItemHolder, "club_id" | "now">,
  began: Fragment,
  { lesson, module }: LessonRows
): Fragment => {
  const days = daysOf(sql, { lesson, module })
  return sql`
    nullif(greatest(${now}::timestamptz, ${module}.opens_at, ${lesson}.opens_at, case when ${days} is not null then
      ${startOfDay(sql, club_id, began, days)} end), ${now}::timestamptz)`
}

/** When the lesson opens for this student, if that is later than now; null: it is open, or the student has no access. */
export const lockedFor = (
  sql: SqlClient.SqlClient,
  holder: ItemHolder,
  rows: LessonOfCourse
): Fragment =>
  lockedUntil(
    sql,
    holder,
    sql`(select access.began from (${itemAccess(sql, holder, "course", rows.course)}) access)`,
    rows
  )

/**
 * A condition on a lesson: the student has its course now, and one of the accesses opens the lesson. It costs
 * PostgreSQL half of what `hasItem` and `lockedFor` take.
 */
export const hasOpenLesson = (
  sql: SqlClient.SqlClient,
  holder: ItemHolder,
  { course, lesson, module }: LessonOfCourse
): Fragment => {
  const { club_id, now } = holder
  const days = daysOf(sql, { lesson, module })
  const isOpen = (began: Fragment) => sql`${days} is null or ${startOfDay(sql, club_id, began, days)} <= ${now}`
  return sql`
    coalesce(greatest(${module}.opens_at, ${lesson}.opens_at) <= ${now}, true)
    and ${hasItemSince(sql, holder, "course", course, isOpen)}`
}

/** A condition on a lesson: it is open for every student of its course. */
export const isOpenForAll = (sql: SqlClient.SqlClient, now: Date, { lesson, module }: LessonRows): Fragment =>
  sql`
    greatest(${module}.opens_after_days, ${lesson}.opens_after_days) is null
    and coalesce(greatest(${module}.opens_at, ${lesson}.opens_at) <= ${now}, true)`
