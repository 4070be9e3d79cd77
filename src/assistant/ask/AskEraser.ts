import { DateTime, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ErasureSubject, StudentEraser } from "../../identity/erasure/StudentErasers.ts"
import { sweepOf } from "../../platform/jobs/Sweep.ts"

/** Deletes a student's questions and their answers. Counts `ask_conversations` and `ask_messages`. */
export const askEraser: Effect.Effect<StudentEraser, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql) => ({
    erase: Effect.fn("AskEraser.erase")(function*({ club_id, student_id }: ErasureSubject) {
      const theirs = sql`club_id = ${club_id} and student_id = ${student_id}`
      const messages = yield* sql`delete from messages where ${theirs} returning 1`
      const conversations = yield* sql`delete from conversations where ${theirs} returning 1`
      yield* sql`delete from assistant_days where ${theirs}`
      return { ask_messages: messages.length, ask_conversations: conversations.length }
    }, Effect.orDie)
  })
)

/** The time that a day's count of questions is kept: longer than a unit of that day can come back. */
const retention = Duration.days(7)

/** Deletes the counts of questions of past days. */
export const sweepAssistantDays = sweepOf("AskEraser.sweepAssistantDays", "counts of questions", (sql, at) => {
  const oldest = DateTime.formatIsoDateUtc(DateTime.subtractDuration(at, retention))
  return sql`delete from assistant_days where day < ${oldest}::date`
})
