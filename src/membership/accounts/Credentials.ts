import { Context, DateTime, Effect, Layer, Option, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { AccountScope } from "../../identity/people/AccountScope.ts"
import type { Holder } from "../../identity/people/Holder.ts"
import type { SessionId } from "../../identity/people/Session.ts"
import { type IssuedSession, SessionStore } from "../../identity/sessions/SessionStore.ts"
import { OneTimeTokens, type PendingSignUp } from "../../identity/tokens/OneTimeTokens.ts"
import { TokenInvalid } from "../../identity/tokens/TokenPayload.ts"
import type { TemporarilyUnavailable } from "../../platform/http/errors.ts"
import { currentSpelling } from "../../platform/http/Spelling.ts"
import { faultsDie } from "../../platform/sql/Rows.ts"
import { PublicClubs } from "../clubs/PublicClubs.ts"
import { RegistrationLinks } from "../registration/RegistrationLinks.ts"
import { StudentAccounts } from "../students/StudentAccounts.ts"
import { AccountsRepo, spellingsOf } from "./AccountsRepo.ts"
import { CodeInvalid, EmailNotVerified, InvalidCredentials } from "./Credential.ts"
import { CredentialMails } from "./CredentialMails.ts"
import { Passwords } from "./Passwords.ts"

/** Signs in with passwords and codes, and applies confirmation and reset links, for administrators and students. */
export class Credentials extends Context.Service<Credentials, {
  /** An unknown address has the same cost and answer as a known one: two comparisons, unless the first succeeds. */
  signIn(
    scope: AccountScope,
    email: string,
    password: Redacted.Redacted
  ): Effect.Effect<IssuedSession, InvalidCredentials | EmailNotVerified | TemporarilyUnavailable>
  /**
   * Uses the link of a sign-up: creates the account that it entered. A student without a password gets that of the sign-up;
   * their earlier sessions and links end, as with a reset.
   */
  confirm(kind: Holder["kind"], token: Redacted.Redacted): Effect.Effect<void, TokenInvalid>
  /** The same, and starts a session. */
  confirmAndEnter(kind: Holder["kind"], token: Redacted.Redacted): Effect.Effect<IssuedSession, TokenInvalid>
  /**
   * Exchanges a mailed code for a session; this verifies a student's address. With `email` only the code that was mailed to
   * this address: a code of another stays unused.
   */
  exchange(
    kind: Holder["kind"],
    code: Redacted.Redacted,
    email?: string
  ): Effect.Effect<IssuedSession, CodeInvalid>
  /** Uses a reset link: every session and every open link of the holder ends, and a mail says so. */
  reset(
    kind: Holder["kind"],
    token: Redacted.Redacted,
    password: Redacted.Redacted
  ): Effect.Effect<void, TokenInvalid | TemporarilyUnavailable>
  /** The same, and starts a session. */
  resetAndEnter(
    kind: Holder["kind"],
    token: Redacted.Redacted,
    password: Redacted.Redacted
  ): Effect.Effect<IssuedSession, TokenInvalid | TemporarilyUnavailable>
  /** Every session but the current one ends, and a mail says so. */
  changePassword(
    holder: Holder,
    current: { readonly session: SessionId; readonly password: Redacted.Redacted },
    password: Redacted.Redacted
  ): Effect.Effect<void, InvalidCredentials | TemporarilyUnavailable>
}>()("turma/membership/accounts/Credentials") {
  static readonly layer = Layer.effect(
    Credentials,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const accounts = yield* AccountsRepo
      const sessions = yield* SessionStore
      const tokens = yield* OneTimeTokens
      const passwords = yield* Passwords
      const registrationLinks = yield* RegistrationLinks
      const publicClubs = yield* PublicClubs
      const students = yield* StudentAccounts
      const mails = yield* CredentialMails

      // A reset, or a change of the address, that committed after the hash was read has ended every session and must end
      // this one too.
      const startSession = Effect.fnUntraced(
        function*(holder: Holder, email: string, password_hash: string) {
          if (!(yield* accounts.lockPassword(holder, email, password_hash))) return yield* new InvalidCredentials()
          return yield* sessions.issue(holder)
        },
        sql.withTransaction,
        faultsDie
      )

      const signIn = Effect.fn("Credentials.signIn")(function*(
        scope: AccountScope,
        email: string,
        password: Redacted.Redacted
      ) {
        const { account, pending_hash } = yield* accounts.candidate(scope, email)
        const stored = Option.getOrUndefined(account)
        const matches = yield* passwords.verify(password, stored?.password_hash ?? null)
        if (matches && stored !== undefined) return yield* startSession(stored.holder, email, stored.password_hash)
        // The comparison runs even if the account exists. Otherwise somebody could sign up with an address and then
        // sign in to learn if it had an account.
        if (yield* passwords.verify(password, pending_hash)) return yield* new EmailNotVerified()
        return yield* new InvalidCredentials()
      })

      // Ends every earlier way to sign in but the new password. Codes first: a concurrent exchange waits here or is waited
      // for, so that its session ends too.
      const endOldAccess = Effect.fnUntraced(function*(holder: Holder) {
        yield* tokens.revoke(holder)
        yield* sessions.endAll(holder)
        yield* mails.passwordChanged(holder)
      })

      const createAccount = Effect.fnUntraced(function*(signUp: typeof PendingSignUp.Type) {
        if (signUp.organization_id === null) return yield* accounts.createUser(signUp)
        const club = yield* publicClubs.find(signUp.organization_id)
        if (Option.isNone(club)) return Option.none()
        const code = signUp.registration_code
        const link = code === null
          ? undefined
          : Option.getOrUndefined(yield* registrationLinks.use(club.value.id, code))
        // The club may have closed since the mail was sent.
        if (link === undefined && !club.value.sign_up_open) return Option.none()
        const { name, password_hash } = signUp
        const email = currentSpelling(signUp.email)
        const student = { email, name, password_hash, verified_at: yield* DateTime.now, link }
        const registered = yield* students.register(club.value.id, student)
        if (Option.isNone(registered)) return Option.none()
        const { created, student_id } = registered.value
        const holder: Holder = { kind: "student", club_id: club.value.id, student_id }
        if (!created) yield* endOldAccess(holder)
        return Option.some(holder)
      })

      const applySignUp = Effect.fnUntraced(function*(kind: Holder["kind"], token: Redacted.Redacted) {
        const signUp = yield* tokens.redeemSignUp(kind, token)
        if (Option.isNone(signUp)) return yield* new TokenInvalid()
        // Once the account exists, the links of all other sign-ups with its address fail. Their rows stay until they
        // expire. Otherwise the author of such a sign-up could learn by signing in that the row was deleted.
        const holder = yield* createAccount(signUp.value)
        return Option.isNone(holder) ? yield* new TokenInvalid() : holder.value
      })

      const confirm = Effect.fn("Credentials.confirm")(applySignUp, Effect.asVoid, sql.withTransaction, faultsDie)

      const confirmAndEnter = Effect.fn("Credentials.confirmAndEnter")(
        applySignUp,
        Effect.flatMap(sessions.issue),
        sql.withTransaction,
        faultsDie
      )

      const exchange = Effect.fn("Credentials.exchange")(
        function*(kind: Holder["kind"], code: Redacted.Redacted, email?: string) {
          const emails = email === undefined ? undefined : spellingsOf(email)
          const holder = yield* tokens.redeem("access", kind, code, emails)
          if (Option.isNone(holder)) return yield* new CodeInvalid()
          yield* accounts.verify(holder.value)
          return yield* sessions.issue(holder.value)
        },
        sql.withTransaction,
        faultsDie
      )

      const applyReset = Effect.fnUntraced(function*(
        kind: Holder["kind"],
        token: Redacted.Redacted,
        password_hash: string
      ) {
        const holder = yield* tokens.redeem("reset", kind, token)
        if (Option.isNone(holder)) return yield* new TokenInvalid()
        yield* accounts.setPassword(holder.value, password_hash)
        yield* accounts.verify(holder.value)
        yield* endOldAccess(holder.value)
        return holder.value
      })

      const inTransaction = <A, E>(change: Effect.Effect<A, E>) => faultsDie(sql.withTransaction(change))

      // The new password is hashed first, so no transaction waits for it and a bad link costs the same.
      const reset = Effect.fn("Credentials.reset")(function*(
        kind: Holder["kind"],
        token: Redacted.Redacted,
        password: Redacted.Redacted
      ) {
        yield* inTransaction(applyReset(kind, token, yield* passwords.hash(password)))
      })

      const resetAndEnter = Effect.fn("Credentials.resetAndEnter")(function*(
        kind: Holder["kind"],
        token: Redacted.Redacted,
        password: Redacted.Redacted
      ) {
        const hash = yield* passwords.hash(password)
        return yield* inTransaction(Effect.flatMap(applyReset(kind, token, hash), sessions.issue))
      })

      // The update compares the hash again. After a concurrent reset and change, the later one must not overwrite the
      // other on the strength of a check of the old password.
      const applyChange = Effect.fnUntraced(
        function*(holder: Holder, current: SessionId, from: string, to: string) {
          if (!(yield* accounts.replacePassword(holder, from, to))) return yield* new InvalidCredentials()
          yield* tokens.revoke(holder)
          yield* sessions.endOthers(holder, current)
          yield* mails.passwordChanged(holder)
        },
        sql.withTransaction,
        faultsDie
      )

      const changePassword = Effect.fn("Credentials.changePassword")(function*(
        holder: Holder,
        current: { readonly session: SessionId; readonly password: Redacted.Redacted },
        password: Redacted.Redacted
      ) {
        const account = Option.getOrUndefined(yield* accounts.byHolder(holder))
        const stored = account?.password_hash ?? null
        const matches = yield* passwords.verify(current.password, stored)
        if (!matches || stored === null) return yield* new InvalidCredentials()
        yield* applyChange(holder, current.session, stored, yield* passwords.hash(password))
      })

      return Credentials.of({ signIn, confirm, confirmAndEnter, exchange, reset, resetAndEnter, changePassword })
    })
  ).pipe(Layer.provide([
    AccountsRepo.layer,
    CredentialMails.layer,
    PublicClubs.layer,
    OneTimeTokens.layer,
    Passwords.layer,
    RegistrationLinks.layer,
    StudentAccounts.layer
  ]))
}
