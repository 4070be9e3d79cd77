import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { supportStaff } from "../../identity/authentication/Authentication.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { UserId } from "../../identity/ids/UserId.ts"
import { texts } from "../../platform/sql/Arrays.ts"
import type { StaffWriter } from "../comments/Viewer.ts"
import { ConversationStatus } from "./Conversation.ts"

/** Which conversations a page of the inbox has, and how many at most. */
export interface Choice {
  readonly status?: ConversationStatus | undefined
  readonly unread?: boolean | undefined
  readonly assignee_user_id?: UserId | undefined
  /** Their activity is below this. */
  readonly before: number
  readonly count: number
}

/** Above every activity. */
export const everything = 2_147_483_647

/** Whether this user has a role in the club that looks after students. */
export const isStaff = (sql: SqlClient.SqlClient, club_id: ClubId, user_id: UserId): Fragment =>
  sql`
    (
      select true from members
      where club_id = ${club_id} and user_id = ${user_id} and role = any (${texts(supportStaff)}) limit 1
    ) is true`

/** The activity after which what happened is news to this member: for nobody who has no inbox yet. */
export const sinceOf = (sql: SqlClient.SqlClient, { club_id, user_id }: StaffWriter): Fragment =>
  sql`
    coalesce(
      (select i.since from support_inboxes i where i.club_id = ${club_id} and i.user_id = ${user_id}), ${everything}::int
    )`

/**
 * The ids of the conversations of a page. Each index begins with what is asked, so each status is read by itself, from
 * the latest on, and no row in vain. A member's marks are all of what came after their inbox began and of nothing
 * before: what is read is the marks that say so, and then everything before.
 */
export const chosenIds = (sql: SqlClient.SqlClient, member: StaffWriter, choice: Choice): Fragment => {
  const { assignee_user_id, before, count, status, unread } = choice
  const { club_id, user_id } = member
  const statuses = status === undefined ? ConversationStatus.literals : [status]
  // Nobody looks after anything who has left.
  const assigned = (row: Fragment) =>
    assignee_user_id === undefined
      ? sql`true`
      : sql`${row}.assignee_user_id = ${assignee_user_id} and ${isStaff(sql, club_id, assignee_user_id)}`

  const conversations = (within: Fragment) =>
    sql`
      (
        select c.id, c.activity from support_conversations c
        where c.club_id = ${club_id} and c.status = wanted.status and c.activity < ${before}::int
          and ${assigned(sql`c`)} and ${within}
        order by c.activity desc limit ${count}
      )`
  const marks = (isUnread: boolean) =>
    sql`
      (
        select m.conversation_id as id, m.activity from support_marks m
        where m.club_id = ${club_id} and m.user_id = ${user_id} and m.is_unread = ${isUnread}
          and m.status = wanted.status and m.activity < ${before}::int and m.activity > ${sinceOf(sql, member)}
          and ${assigned(sql`m`)}
        order by m.activity desc limit ${count}
      )`
  const branches = unread === undefined
    ? conversations(sql`true`)
    : unread
    ? marks(true)
    : sql`${marks(false)} union all ${conversations(sql`c.activity <= ${sinceOf(sql, member)}`)}`

  return sql`
    select page.id from unnest(${texts(statuses)}) wanted (status) cross join lateral (${branches}) page
    order by page.activity desc limit ${count}`
}
