import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { audited } from "../../identity/audit/AuditFragment.ts"
import { AuditRecorder } from "../../identity/audit/AuditRecorder.ts"
import type { Forbidden } from "../../identity/authentication/Authentication.ts"
import { ClubId, OrganizationId } from "../../identity/ids/ClubId.ts"
import { UserId } from "../../identity/ids/UserId.ts"
import { Links } from "../../identity/tokens/Links.ts"
import { hashToken, makeToken } from "../../identity/tokens/Token.ts"
import { sweepOf } from "../../platform/jobs/Sweep.ts"
import { faultsDie, first } from "../../platform/sql/Rows.ts"
import { type KeyLimitReached, KeyRole } from "./ClubKey.ts"
import { ClubKeys } from "./ClubKeys.ts"
import {
  type ApprovedDevice,
  type ApproveDevice,
  AuthorizationPending,
  DeviceCodeInvalid,
  deviceInterval,
  type DeviceKey,
  type DeviceLogin,
  deviceMinutes,
  normalUserCode,
  userCodeLetters
} from "./Device.ts"
import { type KeyMaker, lockKeyMaker } from "./KeyMaker.ts"

const decodeNamed = first(Schema.Struct({ name: Schema.String }))
const decodeApprover = first(Schema.Struct({ club_id: ClubId, user_id: UserId }))
const decodeApproved = first(Schema.Struct({
  name: Schema.String,
  role: KeyRole,
  club_id: ClubId,
  user_id: UserId,
  organization_id: OrganizationId,
  club_name: Schema.String
}))

/** The hash of the typed code. 20⁸ codes are too few for a code that is kept for long; these are kept for minutes. */
const hashOfUserCode = (code: string) => hashToken(Redacted.make(`user code ${normalUserCode(code)}`))

/** Eight letters, each as likely as any other: bytes that would favor the first letters are skipped. */
const makeUserCode = Effect.gen(function*() {
  const random = yield* SecureRandom.SecureRandom
  const fair = 256 - 256 % userCodeLetters.length
  let code = ""
  while (code.length < 8) {
    for (const byte of yield* Effect.orDie(random.randomBytes(16))) {
      if (byte < fair && code.length < 8) code += userCodeLetters.charAt(byte % userCodeLetters.length)
    }
  }
  return `${code.slice(0, 4)}-${code.slice(4)}`
})

/**
 * Terminals that ask for a key while an administrator approves them elsewhere (as in RFC 8628). The key is created when
 * the terminal fetches it, so its token is nowhere before.
 */
export class DeviceLogins extends Context.Service<DeviceLogins, {
  /** The codes of a terminal that calls itself so. They work for ten minutes; only their hashes are kept. */
  begin(name: string): Effect.Effect<typeof DeviceLogin.Type>
  /** Lets the terminal with this code in, with a key of the administrator's club. A code works once. */
  approve(
    actor: KeyMaker,
    device: typeof ApproveDevice.Type
  ): Effect.Effect<typeof ApprovedDevice.Type, DeviceCodeInvalid | Forbidden>
  /**
   * The key, once. `AuthorizationPending`: nobody has approved the terminal yet. `DeviceCodeInvalid`: also if the
   * member who approved it may no longer create keys.
   */
  redeem(
    device_code: Redacted.Redacted
  ): Effect.Effect<typeof DeviceKey.Type, AuthorizationPending | DeviceCodeInvalid | KeyLimitReached>
}>()("turma/membership/keys/DeviceLogins") {
  static readonly layer = Layer.effect(
    DeviceLogins,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const keys = yield* ClubKeys
      const links = yield* Links
      const auditRecorder = yield* AuditRecorder
      const now = Effect.map(DateTime.now, DateTime.toDateUtc)
      const lockMaker = lockKeyMaker(sql)
      const withRandom = Effect.provideService(SecureRandom.SecureRandom, random)

      const begin = Effect.fn("DeviceLogins.begin")(
        function*(name: string) {
          const device_code = yield* makeToken
          const user_code = yield* makeUserCode
          const expires_at = DateTime.addDuration(yield* DateTime.now, Duration.minutes(deviceMinutes))
          const row = {
            device_hash: hashToken(device_code),
            user_hash: hashOfUserCode(user_code),
            name,
            expires_at: DateTime.toDateUtc(expires_at)
          }
          yield* sql`
            insert into device_logins ${sql.insert(row)}`
          return {
            device_code,
            user_code,
            verification_url: links.terminal(Option.none()),
            verification_url_complete: links.terminal(Option.some(user_code)),
            expires_at,
            interval_seconds: deviceInterval
          }
        },
        withRandom,
        faultsDie
      )

      const approve = Effect.fn("DeviceLogins.approve")(
        function*(actor: KeyMaker, { role, user_code }: typeof ApproveDevice.Type) {
          yield* lockMaker(actor)
          const { club, user } = actor
          const at = yield* now
          const approved = yield* audited((audit) =>
            sql`
              ${audit.with}
              update device_logins set club_id = ${club.id}, user_id = ${user.id}, role = ${role}
              where user_hash = ${hashOfUserCode(user_code)} and club_id is null and expires_at > ${at}
              returning name
          `
          ).pipe(decodeNamed)
          return Option.isSome(approved) ? approved.value : yield* new DeviceCodeInvalid()
        },
        sql.withTransaction,
        faultsDie
      )

      const refuse = Effect.fnUntraced(function*(hash: Uint8Array) {
        const waiting = yield* sql`
          select name from device_logins
          where device_hash = ${hash} and expires_at > ${yield* now}
        `.pipe(decodeNamed)
        return yield* Option.isSome(waiting) ? new AuthorizationPending() : new DeviceCodeInvalid()
      })

      /**
       * Locks the member who approved the terminal, then deletes and returns its row. Of concurrent calls one gets it.
       */
      const take = Effect.fnUntraced(function*(hash: Uint8Array) {
        const approver = yield* sql`
          select club_id, user_id from device_logins
          where device_hash = ${hash} and expires_at > ${yield* now} and club_id is not null
        `.pipe(decodeApprover)
        if (Option.isNone(approver)) return yield* refuse(hash)
        const { club_id, user_id } = approver.value
        yield* lockMaker({ club: { id: club_id }, user: { id: user_id } })
        const taken = yield* sql`
          delete from device_logins d using clubs c where d.device_hash = ${hash} and c.id = d.club_id
          returning d.name, d.role, d.club_id, d.user_id, c.organization_id, c.name as club_name
        `.pipe(decodeApproved)
        return Option.isSome(taken) ? taken.value : yield* new DeviceCodeInvalid()
      })

      const redeem = Effect.fn("DeviceLogins.redeem")(
        function*(device_code: Redacted.Redacted) {
          const { club_id, club_name, name, organization_id, role, user_id } = yield* take(hashToken(device_code))
          const maker = { club: { id: club_id }, user: { id: user_id } }
          const key = yield* keys.create(maker, { name, role })
            .pipe(auditRecorder.along({ club_id, user_id, key_id: null }, "devices.redeem"))
          return { ...key, organization_id, club_name }
        },
        Effect.catchTags({
          ExpiresInPast: Effect.die,
          Forbidden: () => Effect.fail(new DeviceCodeInvalid())
        }),
        sql.withTransaction,
        faultsDie
      )

      return DeviceLogins.of({ begin, approve, redeem })
    })
  ).pipe(Layer.provide([ClubKeys.layer, AuditRecorder.layer, Links.layer, NodeCrypto.layerSecureRandom]))
}

/** Deletes codes that nobody has entered or fetched in time. */
export const sweepDeviceLogins = sweepOf(
  "DeviceLogins.sweepDeviceLogins",
  "terminals that waited",
  (sql, at) => sql`delete from device_logins where expires_at <= ${DateTime.toDateUtc(at)}`
)
