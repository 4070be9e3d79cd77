import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
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

/** When lessons are opened, and the time zone of their days. */
interface LocalTime {
  readonly now: ItemHolder["now"]
  readonly zone: Fragment
}

/** The `time_zone` of the club as a value, which PostgreSQL reads once in a statement, or as a relation. */
export const clubZone = (sql: SqlClient.SqlClient, club_id: ItemHolder["club_id"]): Fragment =>
  sql`(select zone.time_zone from clubs zone where zone.id = ${club_id})`

const daysOf = (sql: SqlClient.SqlClient, { lesson, module }: LessonRows): Fragment =>
  sql`greatest(${module}.opens_after_days, ${lesson}.opens_after_days)`

const startOfDay = (sql: SqlClient.SqlClient, zone: Fragment, began: Fragment, days: Fragment): Fragment =>
  sql`((${began} at time zone ${zone})::date + ${days})::timestamp at time zone ${zone}`

const dateIsReached = (sql: SqlClient.SqlClient, now: ItemHolder["now"], { lesson, module }: LessonRows): Fragment =>
  sql`coalesce(greatest(${module}.opens_at, ${lesson}.opens_at) <= ${now}, true)`

/** A condition on a lesson: it is open for an access that began at `began`. Costs less than `lockedUntil`. */
export const isOpenSince = (
  sql: SqlClient.SqlClient,
  { now, zone }: LocalTime,
  began: Fragment,
  rows: LessonRows
): Fragment => {
  const days = daysOf(sql, rows)
  return sql`
    ${dateIsReached(sql, now, rows)} and (${days} is null or ${startOfDay(sql, zone, began, days)} <= ${now})`
}

/**
 * When the lesson opens for an access that began at `began`, if that is later than now; null: it is open. The rule of
 * `lessonOpenings` in SQL. The beginning is read only if the lesson or its module opens after days.
 */
export const lockedUntil = (
  sql: SqlClient.SqlClient,
  { now, zone }: LocalTime,
  began: Fragment,
  { lesson, module }: LessonRows
): Fragment => {
  const days = daysOf(sql, { lesson, module })
  return sql`
    nullif(greatest(${now}::timestamptz, ${module}.opens_at, ${lesson}.opens_at, case when ${days} is not null then
      ${startOfDay(sql, zone, began, days)} end), ${now}::timestamptz)`
}

/** When the lesson opens for this student, if that is later than now; null: it is open, or the student has no access. */
export const lockedFor = (
  sql: SqlClient.SqlClient,
  holder: ItemHolder,
  rows: LessonOfCourse
): Fragment =>
  lockedUntil(
    sql,
    { now: holder.now, zone: clubZone(sql, holder.club_id) },
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
  { course, ...rows }: LessonOfCourse
): Fragment => {
  const { club_id, now } = holder
  const days = daysOf(sql, rows)
  const isOpen = (began: Fragment) =>
    sql`
      ${days} is null or (
        select ${startOfDay(sql, sql`zone.time_zone`, began, days)} from clubs zone where zone.id = ${club_id}
      ) <= ${now}`
  return sql`${dateIsReached(sql, now, rows)} and ${hasItemSince(sql, holder, "course", course, isOpen)}`
}

/** A condition on a lesson: it is open for every student of its course. */
export const isOpenForAll = (sql: SqlClient.SqlClient, now: Date, rows: LessonRows): Fragment =>
  sql`${daysOf(sql, rows)} is null and ${dateIsReached(sql, now, rows)}`
