import { Context, DateTime, Effect, Layer, Option, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { Holder } from "../../identity/people/Holder.ts"
import type { Realm } from "../../identity/people/Realm.ts"
import type { SessionId } from "../../identity/people/Session.ts"
import { type IssuedSession, SessionStore } from "../../identity/sessions/SessionStore.ts"
import { type EnteredSignUp, OneTimeTokens } from "../../identity/tokens/OneTimeTokens.ts"
import { TokenInvalid } from "../../identity/tokens/TokenPayload.ts"
import type { TemporarilyUnavailable } from "../../platform/http/errors.ts"
import { Doors } from "../clubs/Doors.ts"
import { RegistrationLinks } from "../registration/RegistrationLinks.ts"
import { Students } from "../students/Students.ts"
import { AccountsRepo } from "./AccountsRepo.ts"
import { CodeInvalid, EmailNotVerified, InvalidCredentials } from "./Credential.ts"
import { CredentialMails } from "./CredentialMails.ts"
import { Passwords } from "./Passwords.ts"

/** Turns credentials into sessions and one-time links into what they stand for, for both identities. */
export class Credentials extends Context.Service<Credentials, {
  /** An unknown address costs what a known one does and answers the same: two comparisons, unless the first succeeds. */
  signIn(
    realm: Realm,
    email: string,
    password: Redacted.Redacted
  ): Effect.Effect<IssuedSession, InvalidCredentials | EmailNotVerified | TemporarilyUnavailable>
  /**
   * Uses the link of a sign-up: the account is born with what that sign-up entered. A student who had no password gets
   * that one, which ends what let them in so far, as a reset does.
   */
  confirm(kind: Holder["kind"], token: Redacted.Redacted): Effect.Effect<void, TokenInvalid>
  /** Uses a code from a mail for a session; it proves a student's mailbox. */
  exchange(kind: Holder["kind"], code: Redacted.Redacted): Effect.Effect<IssuedSession, CodeInvalid>
  /** Uses a reset link: every session and every open link of the holder ends, and a mail says so. */
  reset(
    kind: Holder["kind"],
    token: Redacted.Redacted,
    password: Redacted.Redacted
  ): Effect.Effect<void, TokenInvalid | TemporarilyUnavailable>
  /** Every session but the current one ends, and a mail says so. */
  changePassword(
    holder: Holder,
    current: { readonly session: SessionId; readonly password: Redacted.Redacted },
    password: Redacted.Redacted
  ): Effect.Effect<void, InvalidCredentials | TemporarilyUnavailable>
}>()("turma/auth/Credentials") {
  static readonly layerNoDeps = Layer.effect(
    Credentials,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const accounts = yield* AccountsRepo
      const sessions = yield* SessionStore
      const tokens = yield* OneTimeTokens
      const passwords = yield* Passwords
      const links = yield* RegistrationLinks
      const doors = yield* Doors
      const students = yield* Students
      const mails = yield* CredentialMails

      // A reset, or a change of the address, that committed since the hash was read has ended every session and must not
      // miss this one.
      const enter = Effect.fnUntraced(
        function*(holder: Holder, email: string, password_hash: string) {
          if (!(yield* accounts.lockPassword(holder, email, password_hash))) return yield* new InvalidCredentials()
          return yield* sessions.issue(holder)
        },
        sql.withTransaction,
        Effect.catchTag("SqlError", Effect.die)
      )

      const signIn = Effect.fn("Credentials.signIn")(
        function*(realm: Realm, email: string, password: Redacted.Redacted) {
          const { account, pending_hash } = yield* accounts.candidate(realm, email)
          const stored = Option.getOrUndefined(account)
          const matches = yield* passwords.verify(password, stored?.password_hash ?? null)
          if (matches && stored !== undefined) return yield* enter(stored.holder, email, stored.password_hash)
          // Compared where there is an account too: who signs up with an address and then signs in would otherwise be
          // told whether it had one.
          if (yield* passwords.verify(password, pending_hash)) return yield* new EmailNotVerified()
          return yield* new InvalidCredentials()
        }
      )

      // Of what let in until now nothing is left but the new password. Codes first: whoever is using one waits here or is
      // waited for, and their session ends too.
      const supersede = Effect.fnUntraced(function*(holder: Holder) {
        yield* tokens.revoke(holder)
        yield* sessions.endAll(holder)
        yield* mails.passwordChanged(holder)
      })

      const isBorn = Effect.fnUntraced(function*(signUp: typeof EnteredSignUp.Type) {
        if (signUp.organization_id === null) return yield* accounts.createUser(signUp)
        const door = yield* doors.find(signUp.organization_id)
        if (Option.isNone(door)) return false
        const code = signUp.registration_code
        const link = code === null ? undefined : Option.getOrUndefined(yield* links.use(door.value.id, code))
        // The club may have closed since the mail was sent.
        if (link === undefined && !door.value.sign_up_open) return false
        const { email, name, password_hash } = signUp
        const student = { email, name, password_hash, verified_at: yield* DateTime.now, link }
        const registered = yield* students.register(door.value.id, student)
        if (Option.isNone(registered)) return false
        const { born, student_id } = registered.value
        if (!born) yield* supersede({ kind: "student", club_id: door.value.id, student_id })
        return true
      })

      const confirm = Effect.fn("Credentials.confirm")(
        function*(kind: Holder["kind"], token: Redacted.Redacted) {
          const signUp = yield* tokens.redeemSignUp(kind, token)
          if (Option.isNone(signUp)) return yield* new TokenInvalid()
          // With the account born, the links of all other sign-ups with its address are worthless. Their rows stay until
          // they expire: whoever made one would see by signing in that it is gone.
          if (!(yield* isBorn(signUp.value))) return yield* new TokenInvalid()
        },
        sql.withTransaction,
        Effect.catchTag("SqlError", Effect.die)
      )

      const exchange = Effect.fn("Credentials.exchange")(
        function*(kind: Holder["kind"], code: Redacted.Redacted) {
          const holder = yield* tokens.redeem("access", kind, code)
          if (Option.isNone(holder)) return yield* new CodeInvalid()
          yield* accounts.verify(holder.value)
          return yield* sessions.issue(holder.value)
        },
        sql.withTransaction,
        Effect.catchTag("SqlError", Effect.die)
      )

      const applyReset = Effect.fnUntraced(
        function*(kind: Holder["kind"], token: Redacted.Redacted, password_hash: string) {
          const holder = yield* tokens.redeem("reset", kind, token)
          if (Option.isNone(holder)) return yield* new TokenInvalid()
          yield* accounts.setPassword(holder.value, password_hash)
          yield* accounts.verify(holder.value)
          yield* supersede(holder.value)
        },
        sql.withTransaction,
        Effect.catchTag("SqlError", Effect.die)
      )

      // The new password is hashed first, so no transaction waits for it and a bad link costs the same.
      const reset = Effect.fn("Credentials.reset")(
        function*(kind: Holder["kind"], token: Redacted.Redacted, password: Redacted.Redacted) {
          yield* applyReset(kind, token, yield* passwords.hash(password))
        }
      )

      // Compared again by the update: of a reset and a change at once the later must not win with a password that was
      // checked before the other.
      const applyChange = Effect.fnUntraced(
        function*(holder: Holder, current: SessionId, from: string, to: string) {
          if (!(yield* accounts.replacePassword(holder, from, to))) return yield* new InvalidCredentials()
          yield* tokens.revoke(holder)
          yield* sessions.endOthers(holder, current)
          yield* mails.passwordChanged(holder)
        },
        sql.withTransaction,
        Effect.catchTag("SqlError", Effect.die)
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

      return Credentials.of({ signIn, confirm, exchange, reset, changePassword })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([
      AccountsRepo.layer,
      CredentialMails.layer,
      Doors.layer,
      OneTimeTokens.layer,
      Passwords.layer,
      RegistrationLinks.layer,
      Students.layer
    ])
  )
}
