import { Context, Effect, Layer, Option, Redacted } from "effect"
import type { AccountScope } from "../../identity/people/AccountScope.ts"
import type { Holder } from "../../identity/people/Holder.ts"
import { Links } from "../../identity/tokens/Links.ts"
import type { NextPage } from "../../identity/tokens/NextPage.ts"
import { OneTimeTokens, type PendingSignUp } from "../../identity/tokens/OneTimeTokens.ts"
import type { Locale } from "../../platform/http/Locale.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { MailCaps } from "../caps/MailCaps.ts"
import { PublicClubs } from "../clubs/PublicClubs.ts"
import { RegistrationLinks } from "../registration/RegistrationLinks.ts"
import type { Account } from "./Account.ts"
import { AccountsRepo } from "./AccountsRepo.ts"
import type { RequestKind } from "./CredentialRequest.ts"
import { accessCode, accountExists, confirmEmail, passwordChanged, resetPassword } from "./MailTexts.ts"

/** The address of a request, the language, for a sign-up its id, and the page that the link leads to. */
interface AddressRequest {
  readonly email: string
  readonly locale: Locale
  readonly sign_up_id: Option.Option<string>
  readonly next: Option.Option<NextPage>
}

type SignUp = typeof PendingSignUp.Type

const clubName = (name: string | null) => name === null ? {} : { club_name: name }

/**
 * Mails about a student are deleted with the student. Mails for a sign-in go before all others, since a person waits.
 */
const aboutHolder = (holder: Holder) =>
  holder.kind === "student" ? { about: holder.student_id, urgent: true } : { urgent: true }

/** Decides which mail an address gets, if any, and enqueues it. Runs in the worker, in the caller's transaction. */
export class CredentialMails extends Context.Service<CredentialMails, {
  send(kind: RequestKind, scope: AccountScope, request: AddressRequest): Effect.Effect<void>
  /**
   * Mails the holder that their password was changed, unless the cap of such mails is used up. Call it late in a
   * transaction.
   */
  passwordChanged(holder: Holder): Effect.Effect<void>
}>()("turma/membership/accounts/CredentialMails") {
  static readonly layer = Layer.effect(
    CredentialMails,
    Effect.gen(function*() {
      const accounts = yield* AccountsRepo
      const tokens = yield* OneTimeTokens
      const registrationLinks = yield* RegistrationLinks
      const links = yield* Links
      const publicClubs = yield* PublicClubs
      const mailer = yield* Mailer
      const caps = yield* MailCaps

      // Counted over all clubs, since a stranger may name an address in each of them.
      const sendConfirmation = Effect.fnUntraced(function*(
        scope: AccountScope,
        signUp: SignUp,
        { locale, next }: Pick<AddressRequest, "locale" | "next">,
        club: string | null
      ) {
        if (!(yield* caps.takeAsked("sign_up", "", signUp.email))) return
        const link = links.confirm(scope, yield* tokens.forSignUp(signUp.id), next)
        const { email, name } = signUp
        const mail = confirmEmail(locale, { recipient: email, name, link, ...clubName(club) })
        yield* mailer.enqueue(mail, { about: signUp.id, urgent: true })
      })

      const mayMail = (kind: "account_exists" | "password_changed", scope: AccountScope, email: string) =>
        caps.takeAsked(kind, scope.kind === "admin" ? "" : scope.organization_id, email)

      const mailAccountExists = Effect.fnUntraced(function*(
        scope: AccountScope,
        { club_name, email, holder, locale }: Account
      ) {
        if (!(yield* mayMail("account_exists", scope, email))) return
        const mail = accountExists(locale, {
          recipient: email,
          sign_in_link: links.signIn(scope),
          forgot_link: links.forgot(scope),
          ...clubName(club_name)
        })
        yield* mailer.enqueue(mail, aboutHolder(holder))
      })

      // In a closed club only sign-ups with a registration code get a mail.
      const confirmIfOpen = Effect.fnUntraced(function*(scope: AccountScope, signUp: SignUp, request: AddressRequest) {
        if (scope.kind === "admin") return yield* sendConfirmation(scope, signUp, request, null)
        const club = yield* publicClubs.find(scope.organization_id)
        if (Option.isNone(club)) return
        const code = signUp.registration_code
        const open = club.value.sign_up_open ||
          (code !== null && (yield* registrationLinks.usable(club.value.id, code)))
        const { locale, name } = club.value
        if (open) yield* sendConfirmation(scope, signUp, { locale, next: request.next }, name)
      })

      /** The account of this address if it has a password. A sign-up cannot change such an account. */
      const accountWithPassword = (scope: AccountScope, email: string) =>
        Effect.map(accounts.byEmail(scope, email), Option.filter(({ password_hash }) => password_hash !== null))

      const signUp = Effect.fnUntraced(function*(scope: AccountScope, request: AddressRequest) {
        const account = yield* accountWithPassword(scope, request.email)
        if (Option.isSome(account)) return yield* mailAccountExists(scope, account.value)
        if (Option.isNone(request.sign_up_id)) return
        const pending = yield* accounts.signUp(request.sign_up_id.value)
        if (Option.isSome(pending)) yield* confirmIfOpen(scope, pending.value, request)
      })

      // With several pending sign-ups it is unknown whose link is requested, and the wrong one would apply somebody else's
      // password. Signing up again sends a link of one's own.
      const resend = Effect.fnUntraced(function*(scope: AccountScope, request: AddressRequest) {
        const [pending, ...others] = yield* accounts.pendingSignUps(scope, request.email)
        if (pending === undefined) return
        const account = yield* accountWithPassword(scope, request.email)
        if (Option.isSome(account)) return yield* mailAccountExists(scope, account.value)
        if (others.length === 0) yield* confirmIfOpen(scope, pending, request)
      })

      const forgot = Effect.fnUntraced(function*(
        scope: AccountScope,
        { holder, ...account }: Account,
        next: Option.Option<NextPage>
      ) {
        const link = links.reset(scope, yield* tokens.forHolder("reset", holder), next)
        const { club_name, email, locale, name } = account
        const mail = resetPassword(locale, { recipient: email, name, link, ...clubName(club_name) })
        yield* mailer.enqueue(mail, aboutHolder(holder))
      })

      const access = Effect.fnUntraced(function*(
        scope: AccountScope,
        { holder, ...account }: Account,
        next: Option.Option<NextPage>
      ) {
        const secret = yield* tokens.forHolder("access", holder)
        const { club_name, email, locale, name } = account
        const mail = accessCode(locale, {
          recipient: email,
          name,
          code: Redacted.value(secret),
          link: links.access(scope, secret, next),
          ...clubName(club_name)
        })
        yield* mailer.enqueue(mail, aboutHolder(holder))
      })

      const send = Effect.fn("CredentialMails.send")(function*(
        kind: RequestKind,
        scope: AccountScope,
        request: AddressRequest
      ) {
        if (kind === "sign_up") return yield* signUp(scope, request)
        if (kind === "resend") return yield* resend(scope, request)
        const account = yield* accounts.byEmail(scope, request.email)
        if (Option.isNone(account)) return
        yield* kind === "forgot"
          ? forgot(scope, account.value, request.next)
          : access(scope, account.value, request.next)
      })

      // Somebody whose account has another person's address could change the password again and again to mail that person.
      // The cap counts this kind of mail in this scope alone, so no other mail can use it up and hide a change.
      const changed = Effect.fn("CredentialMails.passwordChanged")(function*(holder: Holder) {
        const account = yield* accounts.byHolder(holder)
        if (Option.isNone(account)) return
        const { club_name, email, locale, name, scope } = account.value
        if (!(yield* mayMail("password_changed", scope, email))) return
        const mail = passwordChanged(locale, {
          recipient: email,
          name,
          forgot_link: links.forgot(scope),
          ...clubName(club_name)
        })
        yield* mailer.enqueue(mail, aboutHolder(holder))
      })

      return CredentialMails.of({ send, passwordChanged: changed })
    })
  ).pipe(Layer.provide([
    AccountsRepo.layer,
    PublicClubs.layer,
    Links.layer,
    MailCaps.layer,
    OneTimeTokens.layer,
    RegistrationLinks.layer
  ]))
}
