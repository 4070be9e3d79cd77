import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Duration, Effect, Layer, Option, type Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { ClockGuard } from "../../platform/jobs/ClockGuard.ts"
import { texts } from "../../platform/sql/Arrays.ts"
import { first, rows } from "../../platform/sql/Rows.ts"
import { ClubId, OrganizationId } from "../ids/ClubId.ts"
import { type Holder, holderOf } from "../people/Holder.ts"
import { isOpenLink, type KnownLinks, knownLinks } from "./KnownLinks.ts"
import { hashToken, isToken, makeToken } from "./Token.ts"

/** How long each kind of link lives. */
export const tokenLifetimes = {
  confirm: Duration.hours(24),
  reset: Duration.hours(1),
  access: Duration.minutes(15),
  removal: Duration.hours(24)
} as const

/** How long a used or expired link stays known after its end, so that its page can offer a new one. */
const knownFor = Duration.days(30)

/** A link of somebody with an account: to choose a password, to sign in, or to ask for their removal. */
type HolderPurpose = Exclude<keyof typeof tokenLifetimes, "confirm">

/** A person's input at sign-up; `organization_id` is null for administrators. */
export const PendingSignUp = Schema.Struct({
  id: Schema.String,
  organization_id: Schema.NullOr(OrganizationId),
  email: Schema.String,
  name: Schema.String,
  password_hash: Schema.String,
  registration_code: Schema.NullOr(Schema.String)
})

const OwnerRow = Schema.Struct({ club_id: Schema.NullOr(ClubId), id: Schema.String })

const decodeOwners = rows(OwnerRow)
const decodeSignUp = first(PendingSignUp)

/**
 * One-time links and codes. Each is bound to its purpose and to one kind of account. Redeeming marks it as used in one
 * statement, so of two concurrent uses one succeeds. Unknown, used, expired and for another purpose have the same
 * answer: `None`.
 */
export class OneTimeTokens extends Context.Service<OneTimeTokens, {
  /** A link that confirms this sign-up. Expires with the sign-up. */
  forSignUp(sign_up_id: string): Effect.Effect<Redacted.Redacted>
  /** `lifetime` is the purpose's own by default. */
  forHolder(
    purpose: HolderPurpose,
    holder: Holder,
    lifetime?: Duration.Duration
  ): Effect.Effect<Redacted.Redacted>
  /**
   * The row of a used sign-up stays until it expires, without its hash, so that its use changes no answer to anybody
   * else.
   */
  redeemSignUp(
    kind: Holder["kind"],
    token: Redacted.Redacted
  ): Effect.Effect<Option.Option<typeof PendingSignUp.Type>>
  /** With `emails` only if the account has one of these addresses; else it stays as it is. */
  redeem(
    purpose: HolderPurpose,
    kind: Holder["kind"],
    token: Redacted.Redacted,
    emails?: ReadonlyArray<string>
  ): Effect.Effect<Option.Option<Holder>>
  /**
   * The account of a link among these accounts, without using it. Also of a link that was used or has expired, for 30
   * days. The sender of the token got the mail, so this tells nobody else about the account.
   */
  look: KnownLinks["look"]
  /** The same for the link of a sign-up, whose row is deleted when it expires. */
  lookAtSignUp: KnownLinks["lookAtSignUp"]
  /** Deletes every link of the holder. */
  revoke(holder: Holder): Effect.Effect<void>
  /** Deletes sign-ups that have expired, and links 30 days after that. */
  readonly sweep: Effect.Effect<void>
}>()("turma/identity/tokens/OneTimeTokens") {
  static readonly layer = Layer.effect(
    OneTimeTokens,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const guard = yield* ClockGuard

      const isOpen = (now: Date) => isOpenLink(sql, now)
      const { look, lookAtSignUp } = knownLinks(sql)

      // The version before knows no `used_at`: for it, a used link has expired.
      const usedAt = (now: Date) => sql`used_at = ${now}, expires_at = ${now}`

      const forHolder = Effect.fn("OneTimeTokens.forHolder")(
        function*(
          purpose: HolderPurpose,
          { kind: _kind, ...target }: Holder,
          lifetime: Duration.Duration = tokenLifetimes[purpose]
        ) {
          const token = yield* makeToken
          const expires_at = DateTime.addDuration(yield* DateTime.now, lifetime)
          const row = { ...target, purpose, token_hash: hashToken(token), expires_at: DateTime.toDateUtc(expires_at) }
          yield* sql`insert into one_time_tokens ${sql.insert(row)}`
          return token
        },
        Effect.provideService(SecureRandom.SecureRandom, random),
        Effect.orDie
      )

      const forSignUp = Effect.fn("OneTimeTokens.forSignUp")(
        function*(sign_up_id: string) {
          const token = yield* makeToken
          yield* sql`
            insert into one_time_tokens (token_hash, purpose, sign_up_id, expires_at)
            select ${hashToken(token)}, 'confirm', id, expires_at from sign_ups where id = ${sign_up_id}
          `
          return token
        },
        Effect.provideService(SecureRandom.SecureRandom, random),
        Effect.orDie
      )

      const redeemSignUp = Effect.fn("OneTimeTokens.redeemSignUp")(function*(
        kind: Holder["kind"],
        token: Redacted.Redacted
      ) {
        if (!isToken(token)) return Option.none()
        const now = DateTime.toDateUtc(yield* DateTime.now)
        return yield* sql`
          with redeemed as (
            update one_time_tokens t set ${usedAt(now)} from sign_ups s
            where t.token_hash = ${hashToken(token)} and t.purpose = 'confirm' and ${isOpen(now)}
              and s.id = t.sign_up_id and (s.organization_id is null) = ${kind === "admin"}
              and s.password_hash is not null
            returning s.id, s.organization_id, s.email, s.name, s.password_hash, s.registration_code
          ), used as (
            update sign_ups set password_hash = null from redeemed where sign_ups.id = redeemed.id
          )
          select * from redeemed
        `.pipe(decodeSignUp)
      })

      const redeem = Effect.fn("OneTimeTokens.redeem")(function*(
        purpose: HolderPurpose,
        kind: Holder["kind"],
        token: Redacted.Redacted,
        emails?: ReadonlyArray<string>
      ) {
        if (!isToken(token)) return Option.none()
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const hasAddress = emails === undefined ? sql`true` : sql`o.email = any(${texts(emails)})`
        const hash = hashToken(token)
        const account = kind === "admin"
          ? sql`
            select o.id from users o join one_time_tokens t on t.user_id = o.id
            where t.token_hash = ${hash} and ${hasAddress} for no key update of o`
          : sql`
            select o.id from students o join one_time_tokens t on t.club_id = o.club_id and t.student_id = o.id
            where t.token_hash = ${hash} and o.removed_at is null and ${hasAddress} for no key update of o`
        // The account is locked before the link, as in everything that changes a password, so that no two deadlock.
        const rows = yield* sql`
          with owner as materialized (${account})
          update one_time_tokens t set ${usedAt(now)}
          where token_hash = ${hash} and purpose = ${purpose} and ${isOpen(now)}
            and ${sql(kind === "admin" ? "user_id" : "student_id")} = (select id from owner)
          returning club_id, coalesce(user_id, student_id) as id
        `.pipe(decodeOwners)
        return Option.map(Option.fromNullishOr(rows[0]), ({ club_id, id }) => holderOf(club_id, id))
      })

      const revoke = Effect.fn("OneTimeTokens.revoke")(function*(holder: Holder) {
        yield* holder.kind === "admin"
          ? sql`delete from one_time_tokens where user_id = ${holder.user_id}`
          : sql`
            delete from one_time_tokens
            where club_id = ${holder.club_id} and student_id = ${holder.student_id}
          `
      }, Effect.orDie)

      const sweepUntil = Effect.fnUntraced(function*(at: DateTime.Utc) {
        const forgotten = DateTime.toDateUtc(DateTime.subtractDuration(at, knownFor))
        yield* sql`delete from one_time_tokens where expires_at <= ${forgotten}`
        yield* sql`delete from sign_ups where expires_at <= ${DateTime.toDateUtc(at)}`
      })

      const sweep = guard.sweep("links and sign-ups", sweepUntil).pipe(
        Effect.asVoid,
        Effect.orDie,
        Effect.withSpan("OneTimeTokens.sweep")
      )

      return OneTimeTokens.of({ forSignUp, forHolder, redeemSignUp, redeem, look, lookAtSignUp, revoke, sweep })
    })
  ).pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}
