import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ErasureSubject, StudentEraser } from "../../identity/erasure/StudentErasers.ts"

/**
 * Deletes a person's notifications and settings, and the notifications of others that hold the person's words. Counts
 * `notifications`.
 */
export const notificationsEraser: Effect.Effect<StudentEraser, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql) => ({
    // The settings go first: from then on no worker writes the person a mail.
    erase: Effect.fn("NotificationsEraser.erase")(function*({ club_id, student_id }: ErasureSubject) {
      yield* sql`delete from notification_settings where club_id = ${club_id} and student_id = ${student_id}`
      const deleted = yield* sql`
        delete from notifications n using (
          select student_id, id from notifications where club_id = ${club_id}
            and (student_id = ${student_id} or actor_student_id = ${student_id} or titled_by = ${student_id})
          order by student_id, id for update
        ) known
        where n.club_id = ${club_id} and n.student_id = known.student_id and n.id = known.id returning 1`
      return { notifications: deleted.length }
    }, Effect.orDie)
  })
)
