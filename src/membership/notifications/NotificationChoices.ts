import { Context, DateTime, Effect, Layer, type Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { TokenInvalid } from "../../identity/tokens/TokenPayload.ts"
import { saying } from "../../platform/http/ApiError.ts"
import { one } from "../../platform/sql/Rows.ts"
import { Sealing } from "../../platform/sql/Sealing.ts"
import { dailyTime, soonAfter } from "./DueTimes.ts"
import { type MailFrequency, mostCounted, NotificationSettings, type Unsubscribed } from "./Notification.ts"
import { subscriberOf } from "./UnsubscribeToken.ts"

const linkBroken = {
  en: "The link is not whole: open it again from the mail",
  "pt-BR": "O link está incompleto: abra de novo pelo e-mail."
}

const decodeSettings = one(Schema.Struct(NotificationSettings.fields))

/** How each student wants to be mailed. */
export class NotificationChoices extends Context.Service<NotificationChoices, {
  /** One statement. */
  get(club_id: ClubId, student_id: StudentId): Effect.Effect<NotificationSettings>
  /** A mail that waits leaves by the new choice. Does nothing for a removed student. */
  choose(club_id: ClubId, student_id: StudentId, mail: MailFrequency): Effect.Effect<void>
  /** Chooses `never` for the student of the token in a mail. Does nothing for a removed student. */
  unsubscribe(token: Redacted.Redacted): Effect.Effect<typeof Unsubscribed.Type, TokenInvalid>
}>()("turma/membership/notifications/NotificationChoices") {
  static readonly layer = Layer.effect(
    NotificationChoices,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const keys = (yield* Sealing).signingKeys("unsubscribe")

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

      const unsubscribe = Effect.fn("NotificationChoices.unsubscribe")(function*(token: Redacted.Redacted) {
        const subscriber = subscriberOf(keys, token)
        if (subscriber === undefined) return yield* new TokenInvalid(saying(linkBroken))
        const { organization_id, student_id } = subscriber
        yield* sql`
          with present as materialized (
            select s.club_id, s.id from clubs c join students s on s.club_id = c.id
            where c.organization_id = ${organization_id} and s.id = ${student_id} and s.removed_at is null
            for key share of s
          )
          insert into notification_settings as n (club_id, student_id, mail)
          select club_id, id, 'never' from present
          on conflict (club_id, student_id) do update set mail = excluded.mail, due_at = null`.pipe(Effect.orDie)
        return { mail: "never" as const }
      })

      return NotificationChoices.of({ get, choose, unsubscribe })
    })
  )
}
