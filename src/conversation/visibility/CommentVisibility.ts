import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import type { Viewer, ViewerInSql } from "../authors/Viewer.ts"

// The rules of Visibility.ts as conditions in SQL. Each takes the alias of a comment's row. A related row is looked up
// by one search: with `exists` the planner might read the whole table instead, once.

const isHiddenByModeration = (sql: SqlClient.SqlClient, viewer: ViewerInSql, row: Fragment): Fragment =>
  viewer.role === "staff"
    ? sql`false`
    : sql`((${row}.pending or ${row}.spam) and ${row}.student_id is distinct from ${viewer.student_id})`

/** True if a reply is visible below a first comment that is not held back. */
export const replyIsVisible = (sql: SqlClient.SqlClient, viewer: ViewerInSql, reply: Fragment): Fragment =>
  viewer.role === "staff"
    ? sql`true`
    : sql`(${reply}.deleted_at is null and not ${isHiddenByModeration(sql, viewer, reply)})`

/** True if the viewer sees any reply below a first comment. */
export const hasVisibleReplies = (sql: SqlClient.SqlClient, viewer: ViewerInSql, first: Fragment): Fragment =>
  sql`
    (
      select true from comments below
      where below.club_id = ${first}.club_id and below.parent_id = ${first}.id
        and ${replyIsVisible(sql, viewer, sql`below`)}
      limit 1
    ) is true`

/** True if a first comment is visible. */
export const firstCommentIsVisible = (sql: SqlClient.SqlClient, viewer: ViewerInSql, first: Fragment): Fragment =>
  viewer.role === "staff"
    ? sql`true`
    : sql`
      (not ${isHiddenByModeration(sql, viewer, first)}
        and (${first}.deleted_at is null or ${hasVisibleReplies(sql, viewer, first)}))`

/** True if a comment is visible, be it a first comment or a reply. */
export const commentIsVisible = (sql: SqlClient.SqlClient, viewer: ViewerInSql, row: Fragment): Fragment =>
  viewer.role === "staff"
    ? sql`true`
    : sql`
      case when ${row}.parent_id is null then ${firstCommentIsVisible(sql, viewer, row)}
        else ${replyIsVisible(sql, viewer, row)} and (
          select true from comments above
          where above.club_id = ${row}.club_id and above.id = ${row}.parent_id
            and not ${isHiddenByModeration(sql, viewer, sql`above`)}
          limit 1
        ) is true
      end`

const onPost = (sql: SqlClient.SqlClient, { club_id }: Viewer, post: Fragment): Fragment =>
  sql`from comments said where said.club_id = ${club_id} and said.post_id = ${post}`

// Written as the partial index has it: the few comments that may not be visible.
const mayBeInvisible = (sql: SqlClient.SqlClient, row: Fragment): Fragment =>
  sql`(${row}.pending or ${row}.spam or ${row}.deleted_at is not null)`

/**
 * The number of comments on a post that the viewer sees, replies included: an expression. Counts all comments in the
 * index. Then it subtracts the few invisible ones, and the other replies below first comments that are held back.
 */
export const visibleCommentsOn = (sql: SqlClient.SqlClient, viewer: Viewer, post: Fragment): Fragment => {
  const all = sql`(select count(*)::int ${onPost(sql, viewer, post)})`
  if (viewer.role === "staff") return all
  const odd = sql`${onPost(sql, viewer, post)} and ${mayBeInvisible(sql, sql`said`)}`
  return sql`(
    ${all} - (select count(*)::int ${odd} and not ${commentIsVisible(sql, viewer, sql`said`)})
    - coalesce((
      select sum(replies.count)::int from (
        select (
          select count(*) from comments below
          where below.club_id = said.club_id and below.parent_id = said.id and not ${mayBeInvisible(sql, sql`below`)}
        ) as count
        ${odd} and said.parent_id is null and ${isHiddenByModeration(sql, viewer, sql`said`)}
      ) replies
    ), 0)
  )`
}
