import { Effect, Option, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { administration, Forbidden } from "../../identity/authentication/Authentication.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { UserId } from "../../identity/ids/UserId.ts"
import { Role } from "../../identity/people/Role.ts"
import { first } from "../../platform/sql/Rows.ts"

/** Whom a key is to act for, and where. */
export interface KeyMaker {
  readonly club: { readonly id: ClubId }
  readonly user: { readonly id: UserId }
}

const decodeRole = first(Schema.Struct({ role: Role }))

/**
 * Keeps a member in their role until the transaction ends; fails where they may make no key any more, since their session
 * was looked at before. Comes before any lock of a key or of a terminal: whoever removes a member has the member first and
 * their keys after them, and two who lock in different orders wait for each other.
 */
export const lockKeyMaker = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function*({ club, user }: KeyMaker) {
    const member = yield* sql`
      select role from members where club_id = ${club.id} and user_id = ${user.id} for share
    `.pipe(decodeRole)
    if (!Option.exists(member, ({ role }) => administration.includes(role))) return yield* new Forbidden()
  })
