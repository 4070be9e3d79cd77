import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ErasureSubject, StudentEraser } from "../../identity/erasure/StudentErasers.ts"

/**
 * Empties and closes a person's conversations, including the staff's messages, and marks all of them as read. Counts
 * `support_conversations` and `support_messages`.
 */
export const supportEraser: Effect.Effect<StudentEraser, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql) => ({
    erase: Effect.fn("SupportEraser.erase")(function*({ club_id, student_id }: ErasureSubject) {
      const conversations = yield* sql`
        update support_conversations
        set subject = '', status = 'closed', student_unread = 0, student_read_number = last_number
        where club_id = ${club_id} and student_id = ${student_id} returning 1`
      const theirs = sql`
        any (array(select id from support_conversations where club_id = ${club_id} and student_id = ${student_id}))`
      const messages = yield* sql`
        update support_messages set body = '' where club_id = ${club_id} and conversation_id = ${theirs} returning 1`
      yield* sql`
        update support_marks m set unread = 0, status = 'closed', read_number = (
          select c.last_number from support_conversations c where c.club_id = m.club_id and c.id = m.conversation_id
        )
        where m.club_id = ${club_id} and m.conversation_id = ${theirs}`
      return { support_conversations: conversations.length, support_messages: messages.length }
    }, Effect.orDie)
  })
)
