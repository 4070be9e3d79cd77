import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Duration, Effect, Layer, Option, type Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { audited } from "../../identity/audit/AuditFragment.ts"
import { creates } from "../../identity/audit/NewAuditEntry.ts"
import type { Forbidden } from "../../identity/authentication/Authentication.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { ClubKeyId } from "../../identity/ids/ClubKeyId.ts"
import { keyTokenOf, makeKeyToken } from "../../identity/keys/KeyToken.ts"
import type { MemberIdentity } from "../../identity/people/Identity.ts"
import { hashToken } from "../../identity/tokens/Token.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { afterCursor, type InvalidCursor, type PageAnswer, pageOf, type PageRequest } from "../../platform/http/Page.ts"
import { instant, texts } from "../../platform/sql/Arrays.ts"
import { faultsDie, first, one, rows } from "../../platform/sql/Rows.ts"
import {
  ClubKey,
  type ClubKeyWithToken,
  type CreateClubKey,
  ExpiresInPast,
  KeyEnded,
  keyLimit,
  KeyLimitReached,
  KeyRotationLimitReached,
  overlapLimit,
  type OwnKey,
  type PatchClubKey
} from "./ClubKey.ts"
import { type KeyMaker, lockKeyMaker } from "./KeyMaker.ts"

/** The time that the former token works after a rotation. */
const overlap = Duration.hours(24)

const decodeKeys = rows(ClubKey)
const decodeKey = first(ClubKey)
const decodeLocked = first(Schema.Struct({ prefix: Schema.String, has_ended: Schema.Boolean }))
const decodeInserted = rows(Schema.Struct({ key_id: ClubKeyId }))
const decodeCount = one(Schema.Struct({ count: Schema.Int }))

const inFuture = Effect.fnUntraced(function*(at: DateTime.Utc | null | undefined) {
  if (at && DateTime.isLessThanOrEqualTo(at, yield* DateTime.now)) return yield* new ExpiresInPast()
})

/**
 * The keys of a club. A key never has more right than its member has today. If a former administrator leaves keys
 * behind, they can do less, or nothing, until another administrator takes them over.
 */
export class ClubKeys extends Context.Service<ClubKeys, {
  /** Oldest first; those that have ended for 91 days. */
  list(club_id: ClubId, page: PageRequest): Effect.Effect<PageAnswer<ClubKey>, InvalidCursor>
  /** As it is listed. */
  get(club_id: ClubId, id: ClubKeyId): Effect.Effect<ClubKey, NotFound>
  /** The key that sends the request. */
  own(member: MemberIdentity): Effect.Effect<OwnKey>
  /** Answers its token, which is never shown again. The limit is soft: keys created at the same moment may pass it. */
  create(
    actor: KeyMaker,
    key: typeof CreateClubKey.Type
  ): Effect.Effect<ClubKeyWithToken, ExpiresInPast | Forbidden | KeyLimitReached>
  /** Changes the sent fields of name, networks and end, from the key's next request on. */
  patch(
    club_id: ClubId,
    id: ClubKeyId,
    patch: typeof PatchClubKey.Type
  ): Effect.Effect<ClubKey, ExpiresInPast | KeyEnded | NotFound>
  /** Answers a new token, which is never shown again. The one before works for 24 hours more. */
  rotate(
    club_id: ClubId,
    id: ClubKeyId
  ): Effect.Effect<ClubKeyWithToken, KeyEnded | KeyRotationLimitReached | NotFound>
  /** From now on the key acts for the caller. */
  adopt(actor: KeyMaker, id: ClubKeyId): Effect.Effect<ClubKey, Forbidden | KeyEnded | NotFound>
  /** Ends the key at once and for good. Revoking again changes nothing. */
  revoke(club_id: ClubId, id: ClubKeyId): Effect.Effect<void, NotFound>
  /** The same with the key that asks. */
  revokeOwn(member: MemberIdentity): Effect.Effect<void>
}>()("turma/membership/keys/ClubKeys") {
  static readonly layer = Layer.effect(
    ClubKeys,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const now = Effect.map(DateTime.now, DateTime.toDateUtc)
      const lockMaker = lockKeyMaker(sql)

      const keys = (at: Date) =>
        sql`
          select k.id, k.name, k.prefix, k.role, k.scopes, k.allowed_networks, k.created_at, k.expires_at, k.revoked_at,
            k.last_used_at, k.last_used_address,
            case
              when k.revoked_at is not null then 'revoked'
              when k.expires_at <= ${at} then 'expired'
              when k.user_id is null then 'unowned'
              else 'active'
            end as status,
            case when u.id is not null then jsonb_build_object('id', u.id, 'name', u.name) end as holder,
            (
              select max(t.ends_at) from club_key_tokens t
              where t.club_id = k.club_id and t.key_id = k.id and t.ends_at > ${at}
            ) as previous_token_ends_at
          from club_keys k left join users u on u.id = k.user_id
        `

      const list = Effect.fn("ClubKeys.list")(function*(club_id: ClubId, { cursor, limit }: PageRequest) {
        const after = Option.match(yield* afterCursor(cursor), {
          onNone: () => sql`true`,
          onSome: (id) => sql`k.id > ${id}::uuid`
        })
        const found = yield* sql`
          ${keys(yield* now)} where k.club_id = ${club_id} and ${after} order by k.id limit ${limit + 1}
        `.pipe(decodeKeys)
        return pageOf(found, limit)
      })

      const find = Effect.fnUntraced(function*(club_id: ClubId, id: ClubKeyId) {
        const found = yield* sql`${keys(yield* now)} where k.club_id = ${club_id} and k.id = ${id}`.pipe(decodeKey)
        return Option.isSome(found) ? found.value : yield* new NotFound()
      })

      const get = Effect.fn("ClubKeys.get")(find)

      const own = Effect.fn("ClubKeys.own")(
        function*({ club, credential, role }: MemberIdentity) {
          if (credential.kind !== "key") return yield* Effect.die(new Error("Only a key is asked what key it is"))
          const key = yield* find(club.id, credential.key.id)
          return { ...key, organization_id: club.organization_id, club_name: club.name, acts_as: role }
        },
        Effect.orDie
      )

      const withToken = (club_id: ClubId, id: ClubKeyId, token: Redacted.Redacted) =>
        Effect.map(Effect.orDie(find(club_id, id)), (key) => ({ ...key, token }))

      const create = Effect.fn("ClubKeys.create")(
        function*(maker: KeyMaker, key: typeof CreateClubKey.Type) {
          yield* inFuture(key.expires_at)
          yield* lockMaker(maker)
          const { club, user } = maker
          const id = ClubKeyId.make(yield* Effect.orDie(random.uuidV7()))
          yield* creates(id)
          const { prefix, token } = yield* Effect.provideService(makeKeyToken, SecureRandom.SecureRandom, random)
          const at = yield* now
          const inserted = yield* audited((audit) =>
            sql`
              with ${audit.before} made as (
                insert into club_keys (
                  club_id, id, prefix, name, role, scopes, allowed_networks, user_id, created_at, expires_at
                )
                select ${club.id}::uuid, ${id}::uuid, ${prefix}::text, ${key.name}::text, ${key.role ?? null}::text,
                  ${key.scopes === undefined ? null : texts(key.scopes)},
                  ${texts(key.allowed_networks ?? [])}, ${user.id}::uuid,
                  ${at}::timestamptz, ${instant(key.expires_at)}::timestamptz
                where (
                  select count(*) from club_keys k
                  where k.club_id = ${club.id} and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${at})
                ) < ${keyLimit}
                returning club_id, id
              )
              insert into club_key_tokens (token_hash, club_id, key_id)
              select ${hashToken(token)}::bytea, club_id, id from made
              returning key_id
          `
          ).pipe(decodeInserted)
          if (inserted.length === 0) return yield* new KeyLimitReached()
          return yield* withToken(club.id, id, token)
        },
        sql.withTransaction,
        faultsDie
      )

      /** Locks a key that works, or would if it had a holder. */
      const lock = Effect.fnUntraced(function*(club_id: ClubId, id: ClubKeyId) {
        const at = yield* now
        const locked = yield* sql`
          select prefix, revoked_at is not null or coalesce(expires_at <= ${at}, false) as has_ended
          from club_keys where club_id = ${club_id} and id = ${id} for no key update
        `.pipe(decodeLocked)
        if (Option.isNone(locked)) return yield* new NotFound()
        return locked.value.has_ended ? yield* new KeyEnded() : locked.value
      })

      const patch = Effect.fn("ClubKeys.patch")(
        function*(club_id: ClubId, id: ClubKeyId, { allowed_networks, expires_at, name }: typeof PatchClubKey.Type) {
          yield* inFuture(expires_at)
          yield* lock(club_id, id)
          const changes = {
            ...(name === undefined ? {} : { name }),
            ...(expires_at === undefined ? {} : { expires_at: instant(expires_at) }),
            ...(allowed_networks === undefined
              ? {}
              : { allowed_networks: texts(allowed_networks) })
          }
          if (Object.keys(changes).length > 0) {
            yield* audited((audit) =>
              sql`${audit.with} update club_keys set ${sql.update(changes)} where club_id = ${club_id} and id = ${id}`
            )
          }
          return yield* find(club_id, id)
        },
        sql.withTransaction,
        faultsDie
      )

      const rotate = Effect.fn("ClubKeys.rotate")(
        function*(club_id: ClubId, id: ClubKeyId) {
          const { prefix } = yield* lock(club_id, id)
          const at = yield* DateTime.now
          const own = sql`club_id = ${club_id} and key_id = ${id}`
          const { count } = yield* sql`
            select count(*)::int as count from club_key_tokens where ${own} and ends_at > ${DateTime.toDateUtc(at)}
          `.pipe(decodeCount)
          if (count >= overlapLimit) return yield* new KeyRotationLimitReached()
          yield* sql`
            update club_key_tokens set ends_at = ${DateTime.toDateUtc(DateTime.addDuration(at, overlap))}
            where ${own} and ends_at is null
          `
          const { token } = yield* Effect.provideService(keyTokenOf(prefix), SecureRandom.SecureRandom, random)
          yield* audited((audit) =>
            sql`${audit.with} insert into club_key_tokens
              ${sql.insert({ token_hash: hashToken(token), club_id, key_id: id })}`
          )
          return yield* withToken(club_id, id, token)
        },
        sql.withTransaction,
        faultsDie
      )

      const adopt = Effect.fn("ClubKeys.adopt")(
        function*(actor: KeyMaker, id: ClubKeyId) {
          yield* lockMaker(actor)
          const { club, user } = actor
          yield* lock(club.id, id)
          yield* audited((audit) =>
            sql`${audit.with} update club_keys set user_id = ${user.id} where club_id = ${club.id} and id = ${id}`
          )
          return yield* find(club.id, id)
        },
        sql.withTransaction,
        faultsDie
      )

      const revoke = Effect.fn("ClubKeys.revoke")(
        function*(club_id: ClubId, id: ClubKeyId) {
          const at = yield* now
          const revoked = yield* audited((audit) =>
            sql`
              ${audit.with}
              update club_keys set revoked_at = coalesce(revoked_at, ${at})
              where club_id = ${club_id} and id = ${id} returning id
          `
          )
          if (revoked.length === 0) return yield* new NotFound()
        },
        faultsDie
      )

      const revokeOwn = ({ club, credential }: MemberIdentity) =>
        credential.kind === "key"
          ? Effect.orDie(revoke(club.id, credential.key.id))
          : Effect.die(new Error("Only a key revokes itself"))

      return ClubKeys.of({ list, get, own, create, patch, rotate, adopt, revoke, revokeOwn })
    })
  ).pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}
