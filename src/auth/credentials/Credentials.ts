import { Context, Effect, Layer, Option, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { RegistrationLinks } from "../../catalog/RegistrationLinks.ts"
import type { TemporarilyUnavailable } from "../../http/errors.ts"
import type { Holder } from "../Identity.ts"
import type { Realm } from "../Realm.ts"
import type { SessionId } from "../sessions/Session.ts"
import { type IssuedSession, SessionStore } from "../sessions/SessionStore.ts"
import { AccountsRepo } from "./AccountsRepo.ts"
import { CodeInvalid, EmailNotVerified, InvalidCredentials, TokenInvalid } from "./Credential.ts"
import { CredentialMails } from "./CredentialMails.ts"
import { type EnteredSignUp, OneTimeTokens } from "./OneTimeTokens.ts"
import { Passwords } from "./Passwords.ts"

/** Turns credentials into sessions and one-time links into what they stand for, for both identities. */
export class Credentials extends Context.Service<Credentials, {
  /** An unknown address costs what a known one does and answers the same. */
  signIn(
    realm: Realm,
    email: string,
    password: Redacted.Redacted
  ): Effect.Effect<IssuedSession, InvalidCredentials | EmailNotVerified | TemporarilyUnavailable>
  /** Uses the link of a sign-up: the account is born with what that sign-up entered. */
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
      const mails = yield* CredentialMails

      const signIn = Effect.fn("Credentials.signIn")(
        function*(realm: Realm, email: string, password: Redacted.Redacted) {
          const candidate = Option.getOrUndefined(yield* accounts.candidate(realm, email))
          const matches = yield* passwords.verify(password, candidate?.password_hash ?? null)
          if (!matches || candidate === undefined) return yield* new InvalidCredentials()
          if (Option.isNone(candidate.holder)) return yield* new EmailNotVerified()
          return yield* sessions.issue(candidate.holder.value)
        }
      )

      const bornInClub = Effect.fnUntraced(function*(signUp: typeof EnteredSignUp.Type) {
        if (signUp.organization_id === null) return yield* accounts.createUser(signUp)
        const door = yield* accounts.door(signUp.organization_id)
        if (Option.isNone(door)) return Option.none()
        const code = signUp.registration_code
        const invited = code !== null && (yield* links.use(door.value.id, code))
        // The club may have closed since the mail was sent.
        if (!invited && !door.value.sign_up_open) return Option.none()
        return yield* accounts.createStudent(door.value.id, signUp)
      })

      const confirm = Effect.fn("Credentials.confirm")(
        function*(kind: Holder["kind"], token: Redacted.Redacted) {
          const signUp = yield* tokens.redeemSignUp(kind, token)
          if (Option.isNone(signUp)) return yield* new TokenInvalid()
          const holder = yield* bornInClub(signUp.value)
          if (Option.isNone(holder)) return yield* new TokenInvalid()
          // Whoever else signed up with this address did not own the mailbox first.
          const { email, organization_id } = signUp.value
          yield* accounts.forgetSignUps(
            organization_id === null ? { kind: "admin" } : { kind: "student", organization_id },
            email
          )
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
          yield* sessions.endAll(holder.value)
          yield* tokens.revoke(holder.value)
          yield* mails.passwordChanged(holder.value)
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

      const applyChange = Effect.fnUntraced(
        function*(holder: Holder, current: SessionId, password_hash: string) {
          yield* accounts.setPassword(holder, password_hash)
          yield* sessions.endOthers(holder, current)
          yield* tokens.revoke(holder)
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
        const account = yield* accounts.byHolder(holder)
        const stored = Option.match(account, { onNone: () => null, onSome: ({ password_hash }) => password_hash })
        if (!(yield* passwords.verify(current.password, stored))) return yield* new InvalidCredentials()
        yield* applyChange(holder, current.session, yield* passwords.hash(password))
      })

      return Credentials.of({ signIn, confirm, exchange, reset, changePassword })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([
      AccountsRepo.layer,
      CredentialMails.layer,
      OneTimeTokens.layer,
      Passwords.layer,
      RegistrationLinks.layer
    ])
  )
}
