import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Duration, Effect, Exit, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { AccountScope } from "../../identity/people/AccountScope.ts"
import type { NextPage } from "../../identity/tokens/NextPage.ts"
import { tokenLifetimes } from "../../identity/tokens/OneTimeTokens.ts"
import type { TemporarilyUnavailable } from "../../platform/http/errors.ts"
import type { Locale } from "../../platform/http/Locale.ts"
import { announcementOf } from "../../platform/jobs/Announcement.ts"
import { backOff } from "../../platform/jobs/BackOff.ts"
import { InstantOrNull } from "../../platform/schema/Instant.ts"
import { texts } from "../../platform/sql/Arrays.ts"
import { one, rows } from "../../platform/sql/Rows.ts"
import { MailCaps } from "../caps/MailCaps.ts"
import { spellingsOf } from "./AccountsRepo.ts"
import { CredentialMails } from "./CredentialMails.ts"
import { type AddressRequestKind, type RequestKind, RequestRow, type SignUpEntry } from "./CredentialRequest.ts"
import { Passwords } from "./Passwords.ts"
import { waitingRequests } from "./WaitingRequests.ts"

const decodeRequests = rows(RequestRow)
const Oldest = Schema.Struct({ due_at: InstantOrNull })
const decodeOldest = one(Oldest)

/**
 * The wait of a request after a failure, at most an hour. The request of a sign-up is deleted with the sign-up when it
 * expires.
 */
const delayAfter = backOff({ first: "10 seconds", longest: "1 hour" })

/**
 * Requests that are answered by mail. Accepting one does the same work for every address, and the worker looks up the
 * account later. So the answer and its time do not reveal if an address has an account.
 */
export class CredentialRequests extends Context.Service<CredentialRequests, {
  /** `next`: the page of ours that the link of the mail leads to. */
  signUp(
    scope: AccountScope,
    entry: SignUpEntry,
    locale: Locale,
    next?: Option.Option<NextPage>
  ): Effect.Effect<void, TemporarilyUnavailable>
  ask(
    kind: AddressRequestKind,
    scope: AccountScope,
    email: string,
    locale: Locale,
    next?: Option.Option<NextPage>
  ): Effect.Effect<void>
  /** Answers the oldest due request, and says whether there was one. */
  readonly workOne: Effect.Effect<boolean>
  /** For readiness: the wait of the oldest due request, in seconds; 0 without one. */
  readonly oldestDueSeconds: Effect.Effect<number>
}>()("turma/membership/accounts/CredentialRequests") {
  static readonly layer = Layer.effect(
    CredentialRequests,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const passwords = yield* Passwords
      const mails = yield* CredentialMails
      const caps = yield* MailCaps
      const announce = yield* announcementOf(waitingRequests)

      const newRequest = Effect.fnUntraced(function*(
        kind: RequestKind,
        scope: AccountScope,
        email: string,
        locale: Locale
      ) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        return {
          id: yield* random.uuidV7(),
          kind,
          organization_id: scope.kind === "admin" ? null : scope.organization_id,
          email,
          locale,
          due_at: now,
          created_at: now
        }
      })

      const signUp = Effect.fn("CredentialRequests.signUp")(function*(
        scope: AccountScope,
        entry: SignUpEntry,
        locale: Locale,
        next: Option.Option<NextPage> = Option.none()
      ) {
        const password_hash = yield* passwords.hash(entry.password)
        const request = yield* Effect.orDie(newRequest("sign_up", scope, entry.email, locale))
        const now = yield* DateTime.now
        const sign_up_id = yield* Effect.orDie(random.uuidV7())
        const pending = {
          id: sign_up_id,
          organization_id: request.organization_id,
          email: entry.email,
          name: entry.name,
          password_hash,
          registration_code: entry.registration_code ?? null,
          created_at: DateTime.toDateUtc(now),
          expires_at: DateTime.toDateUtc(DateTime.addDuration(now, tokenLifetimes.confirm))
        }
        yield* Effect.orDie(sql`
          with sign_up as (insert into sign_ups ${sql.insert(pending)})
          insert into credential_requests ${sql.insert({ ...request, sign_up_id, next: Option.getOrNull(next) })}
        `)
        yield* sql.afterCommit(announce)
      })

      // A link that is sent again works as long as the first. The sign-up is prolonged here, with the same work for every
      // address, and not in the worker, which knows whether it has an account.
      const resend = (request: Effect.Success<ReturnType<typeof newRequest>>) => {
        const expires_at = Duration.toMillis(tokenLifetimes.confirm) + request.created_at.getTime()
        return sql`
          with prolonged as (
            update sign_ups set expires_at = ${DateTime.toDateUtc(DateTime.makeUnsafe(expires_at))}
            where email = any(
            ${texts(spellingsOf(request.email))}) and organization_id is not distinct from ${request.organization_id}
              and expires_at > ${request.created_at}
          )
          insert into credential_requests ${sql.insert(request)}
        `
      }

      const ask = Effect.fn("CredentialRequests.ask")(
        function*(
          kind: AddressRequestKind,
          scope: AccountScope,
          email: string,
          locale: Locale,
          next: Option.Option<NextPage> = Option.none()
        ) {
          const request = { ...(yield* newRequest(kind, scope, email, locale)), next: Option.getOrNull(next) }
          yield* kind === "resend" ? resend(request) : sql`insert into credential_requests ${sql.insert(request)}`
          yield* sql.afterCommit(announce)
        },
        Effect.orDie
      )

      const answer = ({ email, kind, locale, next, organization_id, sign_up_id }: typeof RequestRow.Type) => {
        const scope: AccountScope = organization_id === null ? { kind: "admin" } : { kind: "student", organization_id }
        return mails.send(kind, scope, {
          email,
          locale,
          sign_up_id: Option.fromNullishOr(sign_up_id),
          next: Option.fromNullishOr(next)
        })
      }

      // The worker checks the cap, because there it changes no answer. It drops requests beyond the cap: the mails
      // before them say the same and still work. A sign-up's mail has a cap of its own, since each link applies its own
      // person's entries.
      const mayMail = ({ email, kind, organization_id }: typeof RequestRow.Type) =>
        kind === "sign_up" ? Effect.succeed(true) : caps.takeAsked(kind, organization_id ?? "", email)

      // The answer runs in a savepoint, so that after a failure the request can be postponed.
      const workOne = Effect.gen(function*() {
        const now = yield* DateTime.now
        const [request] = yield* sql`
          select id, kind, organization_id, email, locale, sign_up_id, next, failures
          from credential_requests
          where due_at <= ${DateTime.toDateUtc(now)}
          order by due_at limit 1 for update skip locked
        `.pipe(decodeRequests)
        if (request === undefined) return false
        const outcome = yield* Effect.exit(sql.withTransaction(Effect.when(answer(request), mayMail(request))))
        if (Exit.isSuccess(outcome)) {
          yield* sql`delete from credential_requests where id = ${request.id}`
          return true
        }
        yield* Effect.logError("A credential request failed and is postponed", outcome.cause)
        const due_at = DateTime.toDateUtc(DateTime.addDuration(now, delayAfter(request.failures + 1)))
        yield* sql`
          update credential_requests set failures = failures + 1, due_at = ${due_at} where id = ${request.id}
        `
        return true
      }).pipe(sql.withTransaction, Effect.orDie, Effect.withSpan("CredentialRequests.workOne"))

      const oldestDueSeconds = Effect.gen(function*() {
        const now = yield* DateTime.now
        const { due_at } = yield* sql`
          select min(due_at) as due_at from credential_requests where due_at <= ${DateTime.toDateUtc(now)}
        `.pipe(decodeOldest)
        return due_at === null ? 0 : Duration.toSeconds(DateTime.distance(due_at, now))
      }).pipe(Effect.withSpan("CredentialRequests.oldestDueSeconds"))

      return CredentialRequests.of({ signUp, ask, workOne, oldestDueSeconds })
    })
  ).pipe(Layer.provide([CredentialMails.layer, MailCaps.layer, Passwords.layer, NodeCrypto.layerSecureRandom]))
}
