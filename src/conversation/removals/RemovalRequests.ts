import { Context, DateTime, Effect, Layer, Option, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { StudentIdentity } from "../../identity/people/Identity.ts"
import { StudentLocks } from "../../identity/students/StudentLocks.ts"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { Links } from "../../identity/tokens/Links.ts"
import { OneTimeTokens } from "../../identity/tokens/OneTimeTokens.ts"
import { TokenInvalid } from "../../identity/tokens/TokenPayload.ts"
import { MailCaps } from "../../membership/caps/MailCaps.ts"
import { Clubs } from "../../membership/clubs/Clubs.ts"
import type { NotFound } from "../../platform/http/errors.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { faultsDie } from "../../platform/sql/Rows.ts"
import { MessageWriter } from "../support/MessageWriter.ts"
import { removalMail, removalWords } from "./RemovalMail.ts"

/** Students who ask the staff to remove them. */
export class RemovalRequests extends Context.Service<RemovalRequests, {
  /** Mails the student a link. Above the cap of such mails nothing is mailed. */
  ask(student: StudentIdentity): Effect.Effect<void, NotFound | StudentRemoved>
  /** Opens a support conversation of the student whose link it is, unless one from an earlier link is not closed. */
  confirm(token: Redacted.Redacted): Effect.Effect<void, TokenInvalid>
}>()("turma/conversation/removals/RemovalRequests") {
  static readonly layer = Layer.effect(
    RemovalRequests,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const students = yield* StudentLocks
      const tokens = yield* OneTimeTokens
      const links = yield* Links
      const clubs = yield* Clubs
      const caps = yield* MailCaps
      const mailer = yield* Mailer
      const writer = yield* MessageWriter

      const ask = Effect.fn("RemovalRequests.ask")(
        function*({ club, student: { email, id, name } }: StudentIdentity) {
          const { organization_id } = club
          yield* students.lock(club.id, id)
          if (!(yield* caps.takeAsked("removal", organization_id, email))) return
          const token = yield* tokens.forHolder("removal", { kind: "student", club_id: club.id, student_id: id })
          const link = links.removal({ kind: "student", organization_id }, token)
          const mail = removalMail(club.locale, { recipient: email, name, club_name: club.name, link })
          yield* mailer.enqueue(mail, { about: id })
        },
        sql.withTransaction,
        faultsDie
      )

      // Redeeming has locked the student, so they are still there.
      const confirm = Effect.fn("RemovalRequests.confirm")(
        function*(token: Redacted.Redacted) {
          const holder = Option.getOrNull(yield* tokens.redeem("removal", "student", token))
          if (holder?.kind !== "student") return yield* new TokenInvalid()
          const { club_id, student_id } = holder
          const { locale } = yield* clubs.get(club_id)
          const now = DateTime.toDateUtc(yield* DateTime.now)
          yield* writer.openRemoval({ role: "student", club_id, student_id, now }, removalWords[locale])
            .pipe(Effect.catchTag(["NotFound", "StudentRemoved"], Effect.die))
        },
        sql.withTransaction,
        faultsDie
      )

      return RemovalRequests.of({ ask, confirm })
    })
  ).pipe(Layer.provide([
    Clubs.layer,
    Links.layer,
    MailCaps.layer,
    MessageWriter.layer,
    OneTimeTokens.layer,
    StudentLocks.layer
  ]))
}
