import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"

/** A lesson, as columns of a statement. */
interface LessonColumns {
  readonly id: Fragment
  readonly public_id: Fragment
}

/** How the keys of cited lessons are found. */
export interface Citing {
  readonly now: Date | Fragment
  /** A lesson that is live. Most messages cite the one that was asked about, which then need not be looked for. */
  readonly own?: LessonColumns
}

// As a condition, `deleted_at is null` lets PostgreSQL walk through all lessons of a club along the index of their order.
const liveLesson = (sql: SqlClient.SqlClient, now: Citing["now"]): Fragment =>
  sql`(
    select case
      when live.deleted_at is null and live.published_at <= ${now} and (
        select around.deleted_at is null from modules around
        where around.club_id = live.club_id and around.id = live.module_id
      ) then live.public_id end
    from lessons live where live.club_id = m.club_id and live.id = (cited.of ->> 'lesson_id')::uuid
  )`

/**
 * The citations of the row `m` of `messages` as `ClassroomCitation` has them, in their order. They name lessons of the
 * course that the student asked in. So each one that is live has its key, without a look at access.
 * Answers of versions before have no `seconds`.
 */
export const citationsJson = (sql: SqlClient.SqlClient, { now, own }: Citing): Fragment => {
  const found = liveLesson(sql, now)
  const public_id = own === undefined
    ? found
    : sql`case when cited.of ->> 'lesson_id' = ${own.id}::text then ${own.public_id} else ${found} end`
  const complete = own === undefined
    ? sql`m.citations = '[]'`
    : sql`m.citations = '[]' or m.cited_public_id = ${own.public_id}`
  return sql`
    case when ${complete} then m.citations else (
      select jsonb_agg(
        cited.of || jsonb_build_object('seconds', cited.of -> 'seconds', 'lesson_public_id', ${public_id})
      )
      from (select jsonb_array_elements(m.citations) as of) cited
    ) end`
}
