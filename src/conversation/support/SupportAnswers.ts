import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type ClubId, OrganizationId } from "../../identity/ids/ClubId.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import type { UserId } from "../../identity/ids/UserId.ts"
import { Links } from "../../identity/tokens/Links.ts"
import { MailCaps } from "../../membership/caps/MailCaps.ts"
import { Notifications } from "../../membership/notifications/Notifications.ts"
import { Locale } from "../../platform/http/Locale.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { one } from "../../platform/sql/Rows.ts"
import type { ConversationId } from "./Conversation.ts"
import { supportAnswerMail } from "./SupportAnswerMail.ts"

/** A message of the staff. */
interface Answer {
  readonly club_id: ClubId
  readonly conversation_id: ConversationId
  readonly user_id: UserId
  readonly body: string
}

const Asked = Schema.Struct({
  student_id: StudentId,
  subject: Schema.String,
  email: Schema.String,
  name: Schema.String,
  club_name: Schema.String,
  locale: Locale,
  organization_id: OrganizationId,
  author_name: Schema.String,
  answered: Schema.String
})
type Asked = typeof Asked.Type

const decodeAsked = one(Asked)

/** Lets a student know of an answer of the staff: by a notification, and by a mail at once. */
export class SupportAnswers extends Context.Service<SupportAnswers, {
  /**
   * In the transaction that writes the answer, late in it. Beyond the caps of the address or the club the answer is in the
   * next digest instead.
   */
  tell(answer: Answer): Effect.Effect<void>
}>()("turma/conversation/support/SupportAnswers") {
  static readonly layer = Layer.effect(
    SupportAnswers,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const caps = yield* MailCaps
      const links = yield* Links
      const mailer = yield* Mailer
      const notifications = yield* Notifications

      const askedIn = Effect.fnUntraced(function*({ club_id, conversation_id, user_id }: Answer) {
        return yield* sql`
          select c.student_id, c.subject, s.email, s.name, club.name as club_name, club.locale, club.organization_id,
            (select u.name from users u where u.id = ${user_id}) as author_name, (
              select t.body from support_messages t
              where t.club_id = c.club_id and t.conversation_id = c.id and t.user_id is null
              order by t.number desc limit 1
            ) as answered
          from support_conversations c
          join students s on s.club_id = c.club_id and s.id = c.student_id
          join clubs club on club.id = c.club_id
          where c.club_id = ${club_id} and c.id = ${conversation_id}`.pipe(decodeAsked)
      })

      const mail = (answer: Answer, asked: Asked) => {
        const { author_name, club_name, email, locale, name, organization_id, student_id, subject } = asked
        const written = supportAnswerMail(locale, {
          recipient: email,
          name,
          club_name,
          author_name,
          subject,
          body: answer.body,
          answered: asked.answered,
          link: links.classroom(organization_id, `support/${answer.conversation_id}`)
        })
        return caps.take(answer.club_id, "support_answer", [email]).pipe(
          Effect.andThen(mailer.enqueue(written, { about: student_id })),
          Effect.as(true),
          Effect.catchTag("MailCapReached", () => Effect.succeed(false))
        )
      }

      // Late in the transaction: others that mail the address wait for its end.
      const tell = Effect.fn("SupportAnswers.tell")(function*(answer: Answer) {
        const asked = yield* askedIn(answer)
        const mailed = yield* mail(answer, asked)
        yield* notifications.add(answer.club_id, [{
          student_id: asked.student_id,
          kind: "support_answer",
          actor: { user_id: answer.user_id },
          title: asked.subject,
          text: answer.body,
          target: { conversation_id: answer.conversation_id },
          mailed
        }])
      }, Effect.orDie)

      return SupportAnswers.of({ tell })
    })
  ).pipe(Layer.provide([Links.layer, MailCaps.layer, Notifications.layer]))
}
