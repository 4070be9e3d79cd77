import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { lockedFor } from "../../learning/content/LessonOpening.ts"
import { hasItem } from "../../membership/access/ItemAccess.ts"
import type { ViewerInSql } from "../authors/Viewer.ts"
import { seesPost } from "../community/PostVisibility.ts"

// Nobody sees comments on a lesson that is deleted, or whose course or module is. Students see those on live and open
// lessons of courses that they have.
const seesLesson = (sql: SqlClient.SqlClient, viewer: ViewerInSql, lesson: Fragment): Fragment => {
  const mayRead = viewer.role === "staff"
    ? sql`true`
    : sql`
      l.published_at <= ${viewer.now} and ${hasItem(sql, viewer, "course", sql`l.course_id`)}
      and ${lockedFor(sql, viewer, { module: sql`m`, lesson: sql`l`, course: sql`l.course_id` })} is null`
  return sql`
    (
      select true from lessons l
      join modules m on m.club_id = l.club_id and m.id = l.module_id and m.deleted_at is null
      join courses k on k.club_id = l.club_id and k.id = l.course_id and k.deleted_at is null
      where l.club_id = ${viewer.club_id} and l.id = ${lesson} and l.deleted_at is null and ${mayRead}
      limit 1
    ) is true`
}

/** True if the viewer sees the lesson or the post of a comment. */
export const seesPlace = (sql: SqlClient.SqlClient, viewer: ViewerInSql, row: Fragment): Fragment =>
  sql`
    case when ${row}.lesson_id is not null then ${seesLesson(sql, viewer, sql`${row}.lesson_id`)}
      else ${viewer.role === "staff" ? sql`true` : seesPost(sql, viewer, sql`${row}.post_id`)} end`
