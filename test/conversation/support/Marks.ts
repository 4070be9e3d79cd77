import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Checks a club. Messages have numbers without gaps, and each activity is unique. Every inbox has a mark for each
 * conversation since its beginning. Each mark agrees with its conversation, and counts the student's unread messages.
 */
export const checkMarks = Effect.fnUntraced(function*({ id }: { readonly id: string }) {
  const sql = yield* SqlClient.SqlClient
  const wrong = {
    numbers: sql`
      select 1 from support_conversations c
      where c.club_id = ${id} and (
        select array_agg(t.number order by t.number) from support_messages t
        where t.club_id = c.club_id and t.conversation_id = c.id
      ) is distinct from array(select generate_series(1, c.last_number))`,
    activities: sql`
      select 1 from support_conversations where club_id = ${id} group by activity having count(*) > 1
      union all
      select 1 from support_desks d where d.club_id = ${id}
        and d.activity <> (select count(*) from support_messages t where t.club_id = d.club_id)`,
    missing: sql`
      select 1 from support_inboxes i join support_conversations c on c.club_id = i.club_id and c.activity > i.since
      left join support_marks m on m.club_id = c.club_id and m.conversation_id = c.id and m.user_id = i.user_id
      where i.club_id = ${id} and m.activity is distinct from c.activity`,
    copies: sql`
      select 1 from support_marks m join support_conversations c on c.club_id = m.club_id and c.id = m.conversation_id
      join support_inboxes i on i.club_id = m.club_id and i.user_id = m.user_id and m.activity > i.since
      where m.club_id = ${id}
        and (m.status, m.assignee_user_id) is distinct from (c.status, c.assignee_user_id)`,
    counts: sql`
      select 1 from support_marks m
      join support_inboxes i on i.club_id = m.club_id and i.user_id = m.user_id and m.activity > i.since
      where m.club_id = ${id} and m.unread <> (
        select count(*) from support_messages t
        where t.club_id = m.club_id and t.conversation_id = m.conversation_id and t.student_id is not null
          and t.number > m.read_number
      )`,
    students: sql`
      select 1 from support_conversations c where c.club_id = ${id} and c.student_unread <> (
        select count(*) from support_messages t
        where t.club_id = c.club_id and t.conversation_id = c.id and t.user_id is not null
          and t.number > c.student_read_number
      )`
  }
  for (const [what, rows] of Object.entries(wrong)) assert.isEmpty(yield* rows, what)
})
