import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { itemAccess, type ItemHolder } from "../../membership/access/ItemAccess.ts"

/** A lesson and its module, as rows of a statement. */
interface LessonRows {
  readonly module: Fragment
  readonly lesson: Fragment
}

/** The time zone of the club, which PostgreSQL reads once in a statement. */
export const clubZone = (sql: SqlClient.SqlClient, club_id: ClubId): Fragment =>
  sql`(select zone.time_zone from clubs zone where zone.id = ${club_id})`

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
  const days = sql`greatest(${module}.opens_after_days, ${lesson}.opens_after_days)`
  const zone = clubZone(sql, club_id)
  return sql`
    nullif(greatest(${now}::timestamptz, ${module}.opens_at, ${lesson}.opens_at, case when ${days} is not null then
      ((${began} at time zone ${zone})::date + ${days})::timestamp at time zone ${zone} end), ${now}::timestamptz)`
}

/** When the lesson opens for this student, if that is later than now; null: it is open, or the student has no access. */
export const lockedFor = (
  sql: SqlClient.SqlClient,
  holder: ItemHolder,
  rows: LessonRows & { readonly course: Fragment }
): Fragment =>
  lockedUntil(
    sql,
    holder,
    sql`(select access.began from (${itemAccess(sql, holder, "course", rows.course)}) access)`,
    rows
  )

/** A condition on a lesson: it is open for every student of its course. */
export const isOpenForAll = (sql: SqlClient.SqlClient, now: Date, { lesson, module }: LessonRows): Fragment =>
  sql`
    greatest(${module}.opens_after_days, ${lesson}.opens_after_days) is null
    and coalesce(greatest(${module}.opens_at, ${lesson}.opens_at) <= ${now}, true)`
