import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Duration, Effect, Exit, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { Realm } from "../../identity/people/Realm.ts"
import { tokenLifetimes } from "../../identity/tokens/OneTimeTokens.ts"
import type { TemporarilyUnavailable } from "../../platform/http/errors.ts"
import type { Locale } from "../../platform/http/Locale.ts"
import { MailCaps } from "../caps/MailCaps.ts"
import { CredentialMails } from "./CredentialMails.ts"
import { type AskedKind, type Entered, type RequestKind, RequestRow } from "./CredentialRequest.ts"
import { Passwords } from "./Passwords.ts"

const decodeRequests = Schema.decodeUnknownEffect(Schema.Array(RequestRow))
const Oldest = Schema.Struct({ due_at: Schema.NullOr(Schema.DateTimeUtcFromDate) })
const decodeOldest = Schema.decodeUnknownEffect(Schema.Tuple([Oldest]))

/** A fault of ours postpones a request, at most to once an hour. A sign-up's is deleted with the sign-up, once that expired. */
const postponedBy = (failures: number) =>
  Duration.min(Duration.seconds(10 * 2 ** Math.min(failures, 10)), Duration.hours(1))

/**
 * Requests that are answered by e-mail. Taking one does the same work whatever
 * the address is: all look-ups happen later, when it is worked off.
 */
export class CredentialRequests extends Context.Service<CredentialRequests, {
  signUp(
    realm: Realm,
    entered: Entered,
    locale: Locale
  ): Effect.Effect<void, TemporarilyUnavailable>
  ask(kind: AskedKind, realm: Realm, email: string, locale: Locale): Effect.Effect<void>
  /** Works off the oldest due request, if there is one, and says whether there was. */
  readonly workOne: Effect.Effect<boolean>
  /** Readiness: for how many seconds the oldest due request has waited for a worker; 0 if none does. */
  readonly oldestDueSeconds: Effect.Effect<number>
}>()("turma/auth/CredentialRequests") {
  static readonly layerNoDeps = Layer.effect(
    CredentialRequests,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const passwords = yield* Passwords
      const mails = yield* CredentialMails
      const caps = yield* MailCaps

      const row = Effect.fnUntraced(function*(kind: RequestKind, realm: Realm, email: string, locale: Locale) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        return {
          id: yield* random.uuidV7(),
          kind,
          organization_id: realm.kind === "admin" ? null : realm.organization_id,
          email,
          locale,
          due_at: now,
          created_at: now
        }
      })

      const signUp = Effect.fn("CredentialRequests.signUp")(function*(
        realm: Realm,
        entered: Entered,
        locale: Locale
      ) {
        const password_hash = yield* passwords.hash(entered.password)
        const request = yield* Effect.orDie(row("sign_up", realm, entered.email, locale))
        const now = yield* DateTime.now
        const sign_up_id = yield* Effect.orDie(random.uuidV7())
        const pending = {
          id: sign_up_id,
          organization_id: request.organization_id,
          email: entered.email,
          name: entered.name,
          password_hash,
          registration_code: entered.registration_code ?? null,
          created_at: DateTime.toDateUtc(now),
          expires_at: DateTime.toDateUtc(DateTime.addDuration(now, tokenLifetimes.confirm))
        }
        yield* Effect.orDie(sql`
          with entered as (insert into sign_ups ${sql.insert(pending)})
          insert into credential_requests ${sql.insert({ ...request, sign_up_id })}
        `)
      })

      // A link sent again works as long as the first. Its sign-up is prolonged here, whatever the address is, and not
      // by the worker, who knows.
      const resend = (request: Effect.Success<ReturnType<typeof row>>) => {
        const expires_at = Duration.toMillis(tokenLifetimes.confirm) + request.created_at.getTime()
        return sql`
          with prolonged as (
            update sign_ups set expires_at = ${DateTime.toDateUtc(DateTime.makeUnsafe(expires_at))}
            where email = ${request.email} and organization_id is not distinct from ${request.organization_id}
              and expires_at > ${request.created_at}
          )
          insert into credential_requests ${sql.insert(request)}
        `
      }

      const ask = Effect.fn("CredentialRequests.ask")(
        function*(kind: AskedKind, realm: Realm, email: string, locale: Locale) {
          const request = yield* row(kind, realm, email, locale)
          yield* kind === "resend" ? resend(request) : sql`insert into credential_requests ${sql.insert(request)}`
        },
        Effect.orDie
      )

      const answer = ({ email, kind, locale, organization_id, sign_up_id }: typeof RequestRow.Type) => {
        const realm: Realm = organization_id === null ? { kind: "admin" } : { kind: "student", organization_id }
        return mails.send(kind, realm, { email, locale, sign_up_id: Option.fromNullishOr(sign_up_id) })
      }

      // Here, where it changes no answer: whoever asks for one address again and again fills nobody's mailbox. What is asked
      // beyond the cap is dropped: the mails before it say the same and still work. A sign-up's link is the only one that
      // applies what its person entered, so strangers must not be able to use it up.
      const mayMail = ({ email, kind, organization_id }: typeof RequestRow.Type) =>
        kind === "sign_up" ? Effect.succeed(true) : caps.takeAsked(kind, organization_id ?? "", email)

      // The answer runs in a savepoint, so that a fault leaves the request to be postponed.
      const workOne = Effect.gen(function*() {
        const now = yield* DateTime.now
        const [request] = yield* sql`
          select id, kind, organization_id, email, locale, sign_up_id, failures from credential_requests
          where due_at <= ${DateTime.toDateUtc(now)}
          order by due_at limit 1 for update skip locked
        `.pipe(Effect.flatMap(decodeRequests))
        if (request === undefined) return false
        const outcome = yield* Effect.exit(
          sql.withTransaction(Effect.when(answer(request), mayMail(request)))
        )
        if (Exit.isSuccess(outcome)) {
          yield* sql`delete from credential_requests where id = ${request.id}`
          return true
        }
        yield* Effect.logError("A credential request failed and is postponed", outcome.cause)
        const due_at = DateTime.toDateUtc(DateTime.addDuration(now, postponedBy(request.failures)))
        yield* sql`
          update credential_requests set failures = failures + 1, due_at = ${due_at} where id = ${request.id}
        `
        return true
      }).pipe(sql.withTransaction, Effect.orDie, Effect.withSpan("CredentialRequests.workOne"))

      const oldestDueSeconds = Effect.gen(function*() {
        const now = yield* DateTime.now
        const [{ due_at }] = yield* sql`
          select min(due_at) as due_at from credential_requests where due_at <= ${DateTime.toDateUtc(now)}
        `.pipe(Effect.flatMap(decodeOldest))
        return due_at === null ? 0 : Duration.toSeconds(DateTime.distance(due_at, now))
      }).pipe(Effect.orDie, Effect.withSpan("CredentialRequests.oldestDueSeconds"))

      return CredentialRequests.of({ signUp, ask, workOne, oldestDueSeconds })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([CredentialMails.layer, MailCaps.layer, Passwords.layer, NodeCrypto.layerSecureRandom])
  )
}
