import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { one } from "../../platform/sql/Rows.ts"
import { dailyTime, soonAfter } from "./DueTimes.ts"
import { type MailFrequency, mostCounted, NotificationSettings } from "./Notification.ts"

const decodeSettings = one(Schema.Struct(NotificationSettings.fields))

/** How each student wants to be mailed. */
export class NotificationChoices extends Context.Service<NotificationChoices, {
  /** One statement. */
  get(club_id: ClubId, student_id: StudentId): Effect.Effect<NotificationSettings>
  /** A mail that waits leaves by the new choice. Does nothing for a removed student. */
  choose(club_id: ClubId, student_id: StudentId, mail: MailFrequency): Effect.Effect<void>
}>()("turma/membership/notifications/NotificationChoices") {
  static readonly layer = Layer.effect(
    NotificationChoices,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const get = Effect.fn("NotificationChoices.get")(function*(club_id: ClubId, student_id: StudentId) {
        return yield* sql`
          select
            coalesce((
              select mail from notification_settings where club_id = ${club_id} and student_id = ${student_id}
            ), 'daily') as mail,
            (
              select count(*)::int from (
                select from notifications where club_id = ${club_id} and student_id = ${student_id} and read_at is null
                limit ${mostCounted}
              ) unread
            ) as unread_count`.pipe(decodeSettings)
      })

      // The lock orders this with removals, which delete the row.
      const choose = Effect.fn("NotificationChoices.choose")(function*(
        club_id: ClubId,
        student_id: StudentId,
        mail: MailFrequency
      ) {
        const now = yield* DateTime.now
        const at = DateTime.toDateUtc(now)
        const next = mail === "at_once" ? sql`${soonAfter(now)}::timestamptz` : dailyTime(sql, sql`c`, at)
        yield* sql`
          with present as materialized (
            select s.club_id, s.id from students s
            where s.club_id = ${club_id} and s.id = ${student_id} and s.removed_at is null for key share
          )
          insert into notification_settings as n (club_id, student_id, mail)
          select club_id, id, ${mail} from present
          on conflict (club_id, student_id) do update set mail = excluded.mail, due_at = case
            when n.due_at is not null and excluded.mail <> 'never' then (
              select ${next} from clubs c where c.id = ${club_id}
            )
          end
          where n.mail <> excluded.mail`
      }, Effect.orDie)

      return NotificationChoices.of({ get, choose })
    })
  )
}
