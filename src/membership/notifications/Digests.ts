import { Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClubId, OrganizationId } from "../../identity/ids/ClubId.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { Links } from "../../identity/tokens/Links.ts"
import { Locale } from "../../platform/http/Locale.ts"
import { batchWorker } from "../../platform/jobs/BatchWorker.ts"
import { untilDue } from "../../platform/jobs/UntilDue.ts"
import type { WorkQueue } from "../../platform/jobs/WorkQueue.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { Sealing } from "../../platform/sql/Sealing.ts"
import { MailCaps } from "../caps/MailCaps.ts"
import { digestMail, mostShown } from "./DigestMail.ts"
import { dailyTime } from "./DueTimes.ts"
import { MailFrequency, Notification } from "./Notification.ts"
import { shownNotifications } from "./shownNotifications.ts"
import { makeUnsubscribeToken } from "./UnsubscribeToken.ts"

/** The age up to which a notification is mailed. */
const mailedUpTo = Duration.days(7)

/** How long a student's mail waits after a failure. */
const pause = Duration.minutes(10)

const Due = Schema.Struct({
  club_id: ClubId,
  student_id: StudentId,
  mail: MailFrequency,
  email: Schema.String,
  name: Schema.String,
  club_name: Schema.String,
  locale: Locale,
  organization_id: OrganizationId
})
type Due = typeof Due.Type

const decodeDue = rows(Due)
const decodeNotifications = rows(Notification)

/** Students with unread notifications that no mail had. */
export const waitingDigests: WorkQueue = {
  name: "notification_mails",
  waiting: (sql) => sql`from notification_settings where due_at is not null`,
  nextDue: (sql) => sql`(select min(due_at) from notification_settings where due_at is not null)`
}

/** Writes the mails about notifications, one student at a time. */
export class Digests extends Context.Service<Digests, {
  /**
   * Writes the mail of the student who has waited for longest, and says whether there was one. The mail and the mark that
   * it was written commit together. Beyond the caps the mail waits for an hour or a day with room.
   */
  readonly workOne: Effect.Effect<boolean>
}>()("turma/membership/notifications/Digests") {
  static readonly layer = Layer.effect(
    Digests,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const caps = yield* MailCaps
      const links = yield* Links
      const mailer = yield* Mailer
      const keys = (yield* Sealing).signingKeys("unsubscribe")

      const claim = Effect.fnUntraced(function*(at: Date) {
        return yield* sql`
          select s.club_id, s.student_id, s.mail, p.email, p.name, c.name as club_name, c.locale, c.organization_id
          from notification_settings s
          join students p on p.club_id = s.club_id and p.id = s.student_id
          join clubs c on c.id = s.club_id
          where s.due_at <= ${at} order by s.due_at limit 1 for update of s skip locked`.pipe(decodeDue)
      })

      const unread = Effect.fnUntraced(function*({ club_id, student_id }: Due, now: DateTime.Utc) {
        const oldest = DateTime.toDateUtc(DateTime.subtractDuration(now, mailedUpTo))
        return yield* sql`
          ${shownNotifications(sql)}
          where n.club_id = ${club_id} and n.student_id = ${student_id} and n.read_at is null and n.mailed_at is null
            and n.created_at > ${oldest}
          order by n.id desc limit ${mostShown + 1}`.pipe(decodeNotifications)
      })

      const mailOf = (due: Due, notifications: ReadonlyArray<Notification>) => {
        const token = makeUnsubscribeToken(keys, due)
        return digestMail(due.locale, {
          recipient: due.email,
          name: due.name,
          club_name: due.club_name,
          notifications,
          notifications_link: links.classroom(due.organization_id, "notifications"),
          unsubscribe_link: links.unsubscribe(due.organization_id, token),
          one_click_link: links.oneClick(token)
        })
      }

      const marked = ({ club_id, student_id }: Due, now: DateTime.Utc) =>
        sql`
          update notifications n set mailed_at = ${DateTime.toDateUtc(now)}
          from (
            select id from notifications
            where club_id = ${club_id} and student_id = ${student_id} and read_at is null and mailed_at is null
            order by id for no key update
          ) waiting
          where n.club_id = ${club_id} and n.student_id = ${student_id} and n.id = waiting.id`

      const setDue = ({ club_id, student_id }: Due, due_at: Date | null) =>
        sql`
          update notification_settings set due_at = ${due_at}
          where club_id = ${club_id} and student_id = ${student_id}`

      const write = Effect.fnUntraced(function*(due: Due, now: DateTime.Utc) {
        const notifications = yield* unread(due, now)
        yield* setDue(due, null)
        if (notifications.length === 0) return
        yield* marked(due, now)
        yield* mailer.enqueue(mailOf(due, notifications), { about: due.student_id })
        yield* caps.take(due.club_id, "notifications", [due.email])
      }, sql.withTransaction)

      const waitUntil = ({ club_id, mail, student_id }: Due, until: DateTime.Utc) => {
        const at = DateTime.toDateUtc(until)
        const next = mail === "daily" ? dailyTime(sql, sql`c`, at) : sql`${at}::timestamptz`
        return sql`
          update notification_settings s set due_at = ${next} from clubs c
          where c.id = ${club_id} and s.club_id = ${club_id} and s.student_id = ${student_id}`
      }

      // The mail is written in a savepoint, so that after a failure it can wait.
      const workOne = Effect.gen(function*() {
        const now = yield* DateTime.now
        const [due] = yield* claim(DateTime.toDateUtc(now))
        if (due === undefined) return false
        yield* write(due, now).pipe(
          Effect.catchTag("MailCapReached", ({ until }) => waitUntil(due, until)),
          Effect.catchCause((cause) =>
            Effect.andThen(
              Effect.logError("A mail about notifications is written later", cause),
              setDue(due, DateTime.toDateUtc(DateTime.addDuration(now, pause)))
            )
          )
        )
        return true
      }).pipe(sql.withTransaction, Effect.orDie, Effect.withSpan("Digests.workOne"))

      return Digests.of({ workOne })
    })
  ).pipe(Layer.provide([Links.layer, MailCaps.layer]))
}

/** Writes the mails that are due, for as long as the layer lives, in any number of processes. */
export const DigestWorkerLayer = Layer.effectDiscard(Effect.gen(function*() {
  const digests = yield* Digests
  yield* batchWorker({
    tick: Effect.map(digests.workOne, (worked) => worked ? 1 : 0),
    full: 1,
    idle: yield* untilDue(waitingDigests, { pollEvery: "1 second" }),
    shutdownGrace: "10 seconds",
    onFailure: "Mails about notifications were not written",
    onCutOff: "A mail about notifications is written later"
  })
})).pipe(Layer.provide(Digests.layer))
