import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { hasLesson } from "../../learning/content/AccessibleLessons.ts"
import type { ViewerInSql } from "../authors/Viewer.ts"
import { seesPost } from "../community/PostVisibility.ts"

// Nobody sees comments on a lesson that is deleted, or whose course or module is.
const seesLesson = (sql: SqlClient.SqlClient, viewer: ViewerInSql, lesson: Fragment): Fragment =>
  viewer.role === "student" ? hasLesson(sql, viewer, lesson) : sql`
    (
      select true from lessons l
      join modules m on m.club_id = l.club_id and m.id = l.module_id and m.deleted_at is null
      join courses k on k.club_id = l.club_id and k.id = l.course_id and k.deleted_at is null
      where l.club_id = ${viewer.club_id} and l.id = ${lesson} and l.deleted_at is null
      limit 1
    ) is true`

/** True if the viewer sees the lesson or the post of a comment. */
export const seesPlace = (sql: SqlClient.SqlClient, viewer: ViewerInSql, row: Fragment): Fragment =>
  sql`
    case when ${row}.lesson_id is not null then ${seesLesson(sql, viewer, sql`${row}.lesson_id`)}
      else ${viewer.role === "staff" ? sql`true` : seesPost(sql, viewer, sql`${row}.post_id`)} end`
