import { Effect, Option, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { administration, Forbidden } from "../../identity/authentication/Authentication.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { UserId } from "../../identity/ids/UserId.ts"
import { Role } from "../../identity/people/Role.ts"
import { first } from "../../platform/sql/Rows.ts"

/** The member that a key acts for, and the club. */
export interface KeyMaker {
  readonly club: { readonly id: ClubId }
  readonly user: { readonly id: UserId }
}

const decodeRole = first(Schema.Struct({ role: Role }))

/**
 * Keeps a member in their role until the transaction ends. Fails if they may no longer create a key, since the check of
 * their session was earlier. Call it before any lock of a key or of a terminal. A removal of a member locks the member
 * before their keys, and two transactions with different orders would deadlock.
 */
export const lockKeyMaker = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function*({ club, user }: KeyMaker) {
    const member = yield* sql`
      select role from members where club_id = ${club.id} and user_id = ${user.id} for share
    `.pipe(decodeRole)
    if (!Option.exists(member, ({ role }) => administration.includes(role))) return yield* new Forbidden()
  })
