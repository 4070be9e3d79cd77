import { Context, Effect, Layer, Option, Redacted } from "effect"
import type { Holder } from "../../identity/people/Holder.ts"
import type { Realm } from "../../identity/people/Realm.ts"
import { Links } from "../../identity/tokens/Links.ts"
import { type EnteredSignUp, OneTimeTokens } from "../../identity/tokens/OneTimeTokens.ts"
import type { Locale } from "../../platform/http/Locale.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { MailCaps } from "../caps/MailCaps.ts"
import { Doors } from "../clubs/Doors.ts"
import { RegistrationLinks } from "../registration/RegistrationLinks.ts"
import type { Account } from "./Account.ts"
import { AccountsRepo } from "./AccountsRepo.ts"
import type { RequestKind } from "./CredentialRequest.ts"
import { accessCode, accountExists, confirmEmail, passwordChanged, resetPassword } from "./Mails.ts"

/** What was asked: about which address, in which language, and for a sign-up which one. */
interface Asked {
  readonly email: string
  readonly locale: Locale
  readonly sign_up_id: Option.Option<string>
}

type SignUp = typeof EnteredSignUp.Type

const clubName = (name: string | null) => name === null ? {} : { club_name: name }

/** Students can be removed, and their mails with them. Whoever waits to get in goes ahead of all other mails. */
const aboutHolder = (holder: Holder) =>
  holder.kind === "student" ? { about: holder.student_id, urgent: true } : { urgent: true }

/** Decides which mail an address gets, if any, and writes it down. Runs in the worker, in the caller's transaction. */
export class CredentialMails extends Context.Service<CredentialMails, {
  send(kind: RequestKind, realm: Realm, asked: Asked): Effect.Effect<void>
  /**
   * Tells the holder that their password was changed, unless ten mails told so within the hour. To be asked late in a
   * transaction.
   */
  passwordChanged(holder: Holder): Effect.Effect<void>
}>()("turma/auth/CredentialMails") {
  static readonly layerNoDeps = Layer.effect(
    CredentialMails,
    Effect.gen(function*() {
      const accounts = yield* AccountsRepo
      const tokens = yield* OneTimeTokens
      const registrations = yield* RegistrationLinks
      const links = yield* Links
      const doors = yield* Doors
      const mailer = yield* Mailer
      const caps = yield* MailCaps

      const sendConfirmation = Effect.fnUntraced(
        function*(realm: Realm, signUp: SignUp, locale: Locale, club: string | null) {
          const link = links.confirm(realm, yield* tokens.forSignUp(signUp.id))
          const { email, name } = signUp
          const mail = confirmEmail(locale, { recipient: email, name, link, ...clubName(club) })
          yield* mailer.enqueue(mail, { about: signUp.id, urgent: true })
        }
      )

      const mayBeTold = (kind: "account_exists" | "password_changed", realm: Realm, email: string) =>
        caps.takeAsked(kind, realm.kind === "admin" ? "" : realm.organization_id, email)

      const alreadyThere = Effect.fnUntraced(function*(realm: Realm, { club_name, email, holder, locale }: Account) {
        if (!(yield* mayBeTold("account_exists", realm, email))) return
        const mail = accountExists(locale, {
          recipient: email,
          sign_in_link: links.signIn(realm),
          forgot_link: links.forgot(realm),
          ...clubName(club_name)
        })
        yield* mailer.enqueue(mail, aboutHolder(holder))
      })

      // A closed club lets in who has a registration code, and says nothing to anybody else.
      const admit = Effect.fnUntraced(function*(realm: Realm, signUp: SignUp, locale: Locale) {
        if (realm.kind === "admin") return yield* sendConfirmation(realm, signUp, locale, null)
        const door = yield* doors.find(realm.organization_id)
        if (Option.isNone(door)) return
        const code = signUp.registration_code
        const open = door.value.sign_up_open || (code !== null && (yield* registrations.usable(door.value.id, code)))
        if (open) yield* sendConfirmation(realm, signUp, door.value.locale, door.value.name)
      })

      /** The account that a sign-up with this address cannot touch. */
      const settled = (realm: Realm, email: string) =>
        Effect.map(accounts.byEmail(realm, email), Option.filter(({ password_hash }) => password_hash !== null))

      const signUp = Effect.fnUntraced(function*(realm: Realm, asked: Asked) {
        const account = yield* settled(realm, asked.email)
        if (Option.isSome(account)) return yield* alreadyThere(realm, account.value)
        if (Option.isNone(asked.sign_up_id)) return
        const entered = yield* accounts.signUp(asked.sign_up_id.value)
        if (Option.isSome(entered)) yield* admit(realm, entered.value, asked.locale)
      })

      // With several sign-ups pending nobody can tell whose link is asked for, and the wrong one would apply
      // somebody else's password; signing up again sends a link of one's own.
      const resend = Effect.fnUntraced(function*(realm: Realm, asked: Asked) {
        const [entered, ...others] = yield* accounts.pendingSignUps(realm, asked.email)
        if (entered === undefined) return
        const account = yield* settled(realm, asked.email)
        if (Option.isSome(account)) return yield* alreadyThere(realm, account.value)
        if (others.length === 0) yield* admit(realm, entered, asked.locale)
      })

      const forgot = Effect.fnUntraced(function*(realm: Realm, { holder, ...account }: Account) {
        const link = links.reset(realm, yield* tokens.forHolder("reset", holder))
        const { club_name, email, locale, name } = account
        const mail = resetPassword(locale, { recipient: email, name, link, ...clubName(club_name) })
        yield* mailer.enqueue(mail, aboutHolder(holder))
      })

      const access = Effect.fnUntraced(function*(realm: Realm, { holder, ...account }: Account) {
        const secret = yield* tokens.forHolder("access", holder)
        const { club_name, email, locale, name } = account
        const mail = accessCode(locale, {
          recipient: email,
          name,
          code: Redacted.value(secret),
          link: links.access(realm, secret),
          ...clubName(club_name)
        })
        yield* mailer.enqueue(mail, aboutHolder(holder))
      })

      const send = Effect.fn("CredentialMails.send")(function*(
        kind: RequestKind,
        realm: Realm,
        asked: Asked
      ) {
        if (kind === "sign_up") return yield* signUp(realm, asked)
        if (kind === "resend") return yield* resend(realm, asked)
        const account = yield* accounts.byEmail(realm, asked.email)
        if (Option.isNone(account)) return
        yield* kind === "forgot" ? forgot(realm, account.value) : access(realm, account.value)
      })

      // A password can be changed all the time, by who has had somebody else's address written to their account. What is
      // left out has just been told as often as that, of this account and no other: no mail elsewhere keeps a change secret.
      const changed = Effect.fn("CredentialMails.passwordChanged")(function*(holder: Holder) {
        const account = yield* accounts.byHolder(holder)
        if (Option.isNone(account)) return
        const { club_name, email, locale, name, realm } = account.value
        if (!(yield* mayBeTold("password_changed", realm, email))) return
        const mail = passwordChanged(locale, {
          recipient: email,
          name,
          forgot_link: links.forgot(realm),
          ...clubName(club_name)
        })
        yield* mailer.enqueue(mail, aboutHolder(holder))
      })

      return CredentialMails.of({ send, passwordChanged: changed })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([
      AccountsRepo.layer,
      Doors.layer,
      Links.layer,
      MailCaps.layer,
      OneTimeTokens.layer,
      RegistrationLinks.layer
    ])
  )
}
