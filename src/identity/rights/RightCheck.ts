import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { lookingUp } from "../../platform/sql/ReadLane.ts"
import { first } from "../../platform/sql/Rows.ts"
import { roleOfKey } from "../keys/KeyRight.ts"
import type { MemberIdentity } from "../people/Identity.ts"
import { Role } from "../people/Role.ts"
import { allows, Scope } from "../people/Scope.ts"
import { sessionSettings } from "../sessions/SessionSettings.ts"

const GrantedRight = Schema.Struct({
  /** The role of the key, or null if it has only scopes; for a session the member's. */
  role: Schema.NullOr(Role),
  scopes: Schema.NullOr(Schema.Array(Scope)),
  members_role: Role
})
const decodeGrantedRight = first(GrantedRight)

/** The thing that a stream goes on reading. */
interface Reading {
  /** Who may. */
  readonly roles: ReadonlyArray<Role>
  /** The feature for which a key with scopes must have one. */
  readonly feature: Parameters<typeof allows>[1]
}

/**
 * Checks the right of a request again, for streams and waits that last longer than a request. It is one statement that
 * writes nothing: a client that only listens does not keep a session alive.
 */
export class RightCheck extends Context.Service<RightCheck, {
  /** True if the session or key is still there, and its holder may still read this as a member of the club. */
  holds(member: MemberIdentity, reading: Reading): Effect.Effect<boolean>
}>()("turma/identity/rights/RightCheck") {
  static readonly layer = Layer.effect(
    RightCheck,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const idle = yield* sessionSettings.ADMIN_SESSION_IDLE.read
      const grantedRight = Effect.fnUntraced(function*({ club, credential, user }: MemberIdentity) {
        const at = yield* DateTime.now
        const now = DateTime.toDateUtc(at)
        const idle_since = DateTime.toDateUtc(DateTime.subtractDuration(at, idle))
        return yield* (credential.kind === "session"
          ? sql`
            select m.role, null as scopes, m.role as members_role
            from user_sessions s join members m on m.user_id = s.user_id
            where s.id = ${credential.session.id} and s.user_id = ${user.id} and s.expires_at > ${now}
              and s.last_seen_at > ${idle_since} and m.club_id = ${club.id}`
          : sql`
            select k.role, k.scopes, m.role as members_role
            from club_keys k join members m on m.club_id = k.club_id and m.user_id = k.user_id
            where k.club_id = ${club.id} and k.id = ${credential.key.id}
              and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})`).pipe(
            decodeGrantedRight,
            lookingUp
          )
      })

      const holds = Effect.fn("RightCheck.holds")(function*(member: MemberIdentity, { feature, roles }: Reading) {
        return Option.exists(yield* grantedRight(member), ({ members_role, role, scopes }) => {
          const acts = member.credential.kind === "session" ? members_role : roleOfKey(role, members_role)
          return roles.includes(acts) && (scopes === null || allows(scopes, feature, true))
        })
      })

      return RightCheck.of({ holds })
    })
  )
}
