import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { hasItem } from "../../membership/access/ItemAccess.ts"
import { seesPost } from "../community/SeenPosts.ts"
import type { Viewer } from "./Viewer.ts"

// The rules of Visibility.ts for conditions in SQL. Each fragment takes the alias of a comment's row. What is asked of one
// row of another kind is one search each: as `exists` the planner might read the whole table instead, once.

const isHeldBack = (sql: SqlClient.SqlClient, viewer: Viewer, row: Fragment): Fragment =>
  viewer.onlooker === "staff"
    ? sql`false`
    : sql`((${row}.pending or ${row}.spam) and ${row}.student_id is distinct from ${viewer.student_id})`

/** Whether a reply is shown below a first comment that is not held back. */
export const showsReply = (sql: SqlClient.SqlClient, viewer: Viewer, reply: Fragment): Fragment =>
  viewer.onlooker === "staff"
    ? sql`true`
    : sql`(${reply}.deleted_at is null and not ${isHeldBack(sql, viewer, reply)})`

/** Whether this viewer is shown any reply below a first comment. */
export const hasShownReplies = (sql: SqlClient.SqlClient, viewer: Viewer, first: Fragment): Fragment =>
  sql`
    (
      select true from comments below
      where below.club_id = ${first}.club_id and below.parent_id = ${first}.id
        and ${showsReply(sql, viewer, sql`below`)}
      limit 1
    ) is true`

/** Whether a first comment is shown. */
export const showsFirst = (sql: SqlClient.SqlClient, viewer: Viewer, first: Fragment): Fragment =>
  viewer.onlooker === "staff"
    ? sql`true`
    : sql`
      (not ${isHeldBack(sql, viewer, first)}
        and (${first}.deleted_at is null or ${hasShownReplies(sql, viewer, first)}))`

/** Whether a comment of either kind is shown. */
export const showsComment = (sql: SqlClient.SqlClient, viewer: Viewer, row: Fragment): Fragment =>
  viewer.onlooker === "staff"
    ? sql`true`
    : sql`
      case when ${row}.parent_id is null then ${showsFirst(sql, viewer, row)}
        else ${showsReply(sql, viewer, row)} and (
          select true from comments above
          where above.club_id = ${row}.club_id and above.id = ${row}.parent_id
            and not ${isHeldBack(sql, viewer, sql`above`)}
          limit 1
        ) is true
      end`

// Of a lesson that was deleted, or whose course or module was, nobody sees comments; students see those of lessons that
// are live and that they have.
const seesLesson = (sql: SqlClient.SqlClient, viewer: Viewer, lesson: Fragment): Fragment =>
  sql`
    (
      select true from lessons l
      join modules m on m.club_id = l.club_id and m.id = l.module_id and m.deleted_at is null
      join courses k on k.club_id = l.club_id and k.id = l.course_id and k.deleted_at is null
      where l.club_id = ${viewer.club_id} and l.id = ${lesson} and l.deleted_at is null
        and ${
    viewer.onlooker === "staff"
      ? sql`true`
      : sql`l.published_at <= ${viewer.now} and ${hasItem(sql, viewer, "course", sql`l.course_id`)}`
  }
      limit 1
    ) is true`

/** Whether the viewer sees where a comment is: its lesson or its post. */
export const seesPlace = (sql: SqlClient.SqlClient, viewer: Viewer, row: Fragment): Fragment =>
  sql`
    case when ${row}.lesson_id is not null then ${seesLesson(sql, viewer, sql`${row}.lesson_id`)}
      else ${viewer.onlooker === "staff" ? sql`true` : seesPost(sql, viewer, sql`${row}.post_id`)} end`

const onPost = (sql: SqlClient.SqlClient, { club_id }: Viewer, post: Fragment): Fragment =>
  sql`from comments said where said.club_id = ${club_id} and said.post_id = ${post}`

// As the index of the few says it that may not be shown.
const isOdd = (sql: SqlClient.SqlClient, row: Fragment): Fragment =>
  sql`(${row}.pending or ${row}.spam or ${row}.deleted_at is not null)`

/**
 * How many comments on a post the viewer is shown, replies included: an expression. All of them, which the index counts
 * alone, without the odd ones that are not shown and the usual replies below first comments that are held back.
 */
export const commentsOn = (sql: SqlClient.SqlClient, viewer: Viewer, post: Fragment): Fragment => {
  const all = sql`(select count(*)::int ${onPost(sql, viewer, post)})`
  if (viewer.onlooker === "staff") return all
  const odd = sql`${onPost(sql, viewer, post)} and ${isOdd(sql, sql`said`)}`
  return sql`(
    ${all} - (select count(*)::int ${odd} and not ${showsComment(sql, viewer, sql`said`)})
    - coalesce((
      select sum(replies.count)::int from (
        select (
          select count(*) from comments below
          where below.club_id = said.club_id and below.parent_id = said.id and not ${isOdd(sql, sql`below`)}
        ) as count
        ${odd} and said.parent_id is null and ${isHeldBack(sql, viewer, sql`said`)}
      ) replies
    ), 0)
  )`
}
