import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../src/identity/ids/ClubId.ts"
import type { UserId } from "../../../src/identity/ids/UserId.ts"
import { vacuumed } from "../../harness/Vacuumed.ts"

/** Many conversations of a club. Conditions on their number `n` say which are unread, closed and assigned. */
export interface Crowd {
  readonly club_id: ClubId
  readonly student_id: string
  readonly assignee: UserId
  readonly size: number
  /** Members with a mark for every conversation. The inboxes of all other staff begin afterwards. */
  readonly members: ReadonlyArray<UserId>
  /** The unread ones, as a condition on the number `n` of a conversation, 1 to `size`. */
  readonly unread: string
  readonly status: string
  readonly assigned: string
}

/** Makes conversations with one message each, and with the same rows that messages leave. */
export const fillCrowd = Effect.fn("fillCrowd")(function*(crowd: Crowd) {
  const { assigned, assignee, club_id, members, size, status, student_id, unread } = crowd
  const sql = yield* SqlClient.SqlClient
  const at = DateTime.toDateUtc(yield* DateTime.now)
  const id = sql`('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`
  const looksAfter = sql`case when ${sql.literal(assigned)} then ${assignee}::uuid end`
  yield* sql`insert into support_desks (club_id, activity) values (${club_id}, ${size})`
  yield* sql`
    insert into support_conversations (club_id, id, student_id, subject, status, assignee_user_id, activity, last_number,
      student_unread, student_read_number, created_at, last_message_at)
    select ${club_id}::uuid, ${id}, ${student_id}::uuid, 'Boleto', ${
    sql.literal(status)
  }, ${looksAfter}, n, 1, 0, 1, ${at}, ${at}
    from generate_series(1, ${size}::int) n`
  yield* sql`
    insert into support_messages (club_id, conversation_id, number, id, student_id, body, created_at)
    select club_id, id, 1, id, student_id, 'Não chegou', ${at} from support_conversations where club_id = ${club_id}`
  for (const user_id of members) {
    yield* sql`insert into support_inboxes (club_id, user_id, since) values (${club_id}, ${user_id}, 0)`
    yield* sql`
      insert into support_marks
        (club_id, conversation_id, user_id, activity, status, assignee_user_id, unread, read_number)
      select c.club_id, c.id, ${user_id}::uuid, n, c.status, c.assignee_user_id,
        case when ${sql.literal(unread)} then 1 else 0 end, case when ${sql.literal(unread)} then 0 else 1 end
      from support_conversations c cross join lateral (select c.activity as n) numbered
      where c.club_id = ${club_id}`
  }
  yield* vacuumed("support_conversations", "support_messages", "support_marks")
})

/** Crowds that are hard for some query: its conversations are rare, and among the oldest. */
export const hardCrowds = {
  "nearly all read": {
    unread: "n <= 40",
    status: "case when n <= 60 then 'closed' else 'open' end",
    assigned: "n <= 50"
  },
  "nearly all unread": {
    unread: "n > 40",
    status: "case when n <= 60 then 'closed' else 'open' end",
    assigned: "n <= 50"
  },
  "half of each": {
    unread: "n % 2 = 0",
    status: "(array['open', 'pending', 'closed'])[1 + n % 3]",
    assigned: "n % 10 = 0"
  }
} as const
