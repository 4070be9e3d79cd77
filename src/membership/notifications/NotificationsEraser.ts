import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ErasureSubject, StudentEraser } from "../../identity/erasure/StudentErasers.ts"

/** Deletes a person's settings of notifications. It goes first: from then on no worker writes the person a mail. */
export const notificationSettingsEraser: Effect.Effect<StudentEraser, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql) => ({
    erase: Effect.fn("NotificationSettingsEraser.erase")(function*({ club_id, student_id }: ErasureSubject) {
      yield* sql`delete from notification_settings where club_id = ${club_id} and student_id = ${student_id}`
      return {}
    }, Effect.orDie)
  })
)

/**
 * Deletes a person's notifications, and those of others that hold the person's words. Counts `notifications`. It goes
 * last, because others lock a text and its mentions before the notifications of it.
 */
export const notificationsEraser: Effect.Effect<StudentEraser, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql) => ({
    turn: "last" as const,
    erase: Effect.fn("NotificationsEraser.erase")(function*({ club_id, student_id }: ErasureSubject) {
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
