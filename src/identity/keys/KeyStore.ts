import { Context, DateTime, Duration, Effect, Layer, Option, type Redacted, Schema } from "effect"
import { IpNetwork, NetAddress } from "effect/net"
import { SqlClient } from "effect/sql"
import { Locale } from "../../platform/http/Locale.ts"
import { InstantOrNull } from "../../platform/schema/Instant.ts"
import { OnBehalfOf } from "../../platform/sql/Connections.ts"
import { lookingUp } from "../../platform/sql/ReadLane.ts"
import { first } from "../../platform/sql/Rows.ts"
import { ClubId, OrganizationId } from "../ids/ClubId.ts"
import { ClubKeyId } from "../ids/ClubKeyId.ts"
import { UserId } from "../ids/UserId.ts"
import { dayZoneOf } from "../people/DayZone.ts"
import type { MemberIdentity } from "../people/Identity.ts"
import { Role } from "../people/Role.ts"
import { Scope } from "../people/Scope.ts"
import { hashToken } from "../tokens/Token.ts"
import { roleOfKey } from "./KeyRight.ts"
import { isKeyToken } from "./KeyToken.ts"

/** The last use is written at most this often, so that most requests write nothing. */
const touchEvery = Duration.minutes(10)

const KeyRow = Schema.Struct({
  id: ClubKeyId,
  role: Schema.NullOr(Role),
  scopes: Schema.NullOr(Schema.Array(Scope)),
  allowed_networks: Schema.Array(Schema.IpNetworkFromString),
  last_used_at: InstantOrNull,
  user_id: UserId,
  name: Schema.String,
  email: Schema.String,
  makers_role: Role,
  club_id: ClubId,
  organization_id: OrganizationId,
  club_name: Schema.String,
  locale: Locale,
  time_zone: Schema.String,
  day_zone: Schema.String
})

const decodeKey = first(KeyRow)

const identityOf = (row: typeof KeyRow.Type): MemberIdentity => ({
  _tag: "Member",
  credential: { kind: "key", key: { id: row.id, scopes: row.scopes } },
  user: { id: row.user_id, name: row.name, email: row.email, verified: true },
  club: {
    id: row.club_id,
    organization_id: row.organization_id,
    name: row.club_name,
    locale: row.locale,
    time_zone: row.time_zone,
    day_zone: row.day_zone
  },
  role: roleOfKey(row.role, row.makers_role)
})

const letsIn = ({ allowed_networks }: typeof KeyRow.Type, address: Option.Option<NetAddress.IpAddress>) =>
  allowed_networks.length === 0 ||
  Option.exists(address, (from) => allowed_networks.some((network) => IpNetwork.contains(network, from)))

/**
 * Finds a club's key by its token on every request, so that revoking one takes effect at once, everywhere. Only the
 * SHA-256 of a token is stored.
 */
export class KeyStore extends Context.Service<KeyStore, {
  /**
   * The member that the key with this token acts for, in one statement. Nobody if the key is unknown, revoked, expired
   * or was replaced more than a day ago. Nobody too if its maker has left the club, or if the address is outside of its
   * networks.
   */
  find(
    token: Redacted.Redacted,
    address: Option.Option<NetAddress.IpAddress>
  ): Effect.Effect<Option.Option<MemberIdentity>>
}>()("turma/identity/keys/KeyStore") {
  static readonly layer = Layer.effect(
    KeyStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const findRow = (hash: Uint8Array, now: Date) =>
        sql`
          select k.id, k.role, k.scopes, k.allowed_networks, k.last_used_at,
            u.id as user_id, u.name, u.email, m.role as makers_role,
            c.id as club_id, c.organization_id, c.name as club_name, c.locale, c.time_zone,
            ${dayZoneOf(sql, sql`c`, now)} as day_zone
          from club_key_tokens t
          join club_keys k on k.club_id = t.club_id and k.id = t.key_id
          join members m on m.club_id = k.club_id and m.user_id = k.user_id
          join users u on u.id = k.user_id
          join clubs c on c.id = k.club_id
          where t.token_hash = ${hash} and (t.ends_at is null or t.ends_at > ${now})
            and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})
        `.pipe(decodeKey, lookingUp)

      const touch = Effect.fnUntraced(function*(
        { club_id, id, last_used_at }: typeof KeyRow.Type,
        now: DateTime.Utc,
        address: string | null
      ) {
        const isDue = last_used_at === null ||
          DateTime.isGreaterThanOrEqualTo(now, DateTime.addDuration(last_used_at, touchEvery))
        if (!isDue) return
        yield* sql`
          update club_keys set last_used_at = ${DateTime.toDateUtc(now)}, last_used_address = ${address}
          where club_id = ${club_id} and id = ${id}
            and last_used_at is not distinct from ${last_used_at === null ? null : DateTime.toDateUtc(last_used_at)}
        `.pipe(Effect.provideService(OnBehalfOf, club_id))
      })

      // Runs on every request of a key: no span beside the statement's.
      const find = Effect.fnUntraced(function*(
        token: Redacted.Redacted,
        address: Option.Option<NetAddress.IpAddress>
      ) {
        if (!isKeyToken(token)) return Option.none()
        const now = yield* DateTime.now
        const found = Option.filter(
          yield* findRow(hashToken(token), DateTime.toDateUtc(now)),
          (row) => letsIn(row, address)
        )
        if (Option.isNone(found)) return Option.none()
        yield* touch(found.value, now, Option.getOrNull(Option.map(address, NetAddress.formatIp)))
        return Option.some(identityOf(found.value))
      }, Effect.orDie)

      return KeyStore.of({ find })
    })
  )
}
