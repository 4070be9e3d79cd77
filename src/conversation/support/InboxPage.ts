import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { supportStaff } from "../../identity/authentication/Authentication.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { UserId } from "../../identity/ids/UserId.ts"
import { texts } from "../../platform/sql/Arrays.ts"
import type { StaffWriter } from "../authors/Viewer.ts"
import { ConversationStatus } from "./Conversation.ts"

/** The filters of a page of the inbox, and its largest length. */
export interface InboxPageRequest {
  readonly status?: ConversationStatus | undefined
  readonly unread?: boolean | undefined
  readonly assignee_user_id?: UserId | undefined
  /** Only conversations with an activity below this. */
  readonly before: number
  readonly count: number
}

/** Above every activity. */
export const highestActivity = 2_147_483_647

/** True if this user has a role in the club that looks after students. */
export const isSupportStaff = (sql: SqlClient.SqlClient, club_id: ClubId, user_id: UserId): Fragment =>
  sql`
    (
      select true from members
      where club_id = ${club_id} and user_id = ${user_id} and role = any (${texts(supportStaff)}) limit 1
    ) is true`

/** The activity after which messages are news to this member. A member without an inbox has no news. */
export const inboxBeginning = (sql: SqlClient.SqlClient, { club_id, user_id }: StaffWriter): Fragment =>
  sql`
    coalesce(
      (select i.since from support_inboxes i where i.club_id = ${club_id} and i.user_id = ${user_id}), ${highestActivity}::int
    )`

/**
 * The ids of the conversations of a page. Each index begins with the filters. So the query reads each status by itself,
 * the latest first, and reads no row that it does not need.
 *
 * A member has marks for all conversations with activity since their inbox began, and for no earlier ones. So the query
 * reads the conversations with the right mark and all earlier ones.
 */
export const inboxPageIds = (sql: SqlClient.SqlClient, member: StaffWriter, request: InboxPageRequest): Fragment => {
  const { assignee_user_id, before, count, status, unread } = request
  const { club_id, user_id } = member
  const statuses = status === undefined ? ConversationStatus.literals : [status]
  // A member who has left is no longer the assignee.
  const assigned = (row: Fragment) =>
    assignee_user_id === undefined
      ? sql`true`
      : sql`${row}.assignee_user_id = ${assignee_user_id} and ${isSupportStaff(sql, club_id, assignee_user_id)}`

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
          and m.status = wanted.status and m.activity < ${before}::int and m.activity > ${inboxBeginning(sql, member)}
          and ${assigned(sql`m`)}
        order by m.activity desc limit ${count}
      )`
  const branches = unread === undefined
    ? conversations(sql`true`)
    : unread
    ? marks(true)
    : sql`${marks(false)} union all ${conversations(sql`c.activity <= ${inboxBeginning(sql, member)}`)}`

  return sql`
    select page.id from unnest(${texts(statuses)}) wanted (status) cross join lateral (${branches}) page
    order by page.activity desc limit ${count}`
}
