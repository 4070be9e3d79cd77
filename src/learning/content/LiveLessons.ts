import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"

/** The column `live_lessons` of a row of `courses`: how many of its lessons are live then. */
export const liveLessonsOf = (sql: SqlClient.SqlClient, course: Fragment, at: Date): Fragment =>
  sql`(
    select count(*)::int from lessons live
    where live.club_id = ${course}.club_id and live.course_id = ${course}.id and live.deleted_at is null
      and live.published_at is not null and live.published_at <= ${at}
  ) as live_lessons`
