import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type ClubId, OrganizationId } from "../../identity/ids/ClubId.ts"
import { Locale } from "../../platform/http/Locale.ts"
import { one, rows } from "../../platform/sql/Rows.ts"

/** A member with club administration permission, and the club's part of a mail to them. */
const Administrator = Schema.Struct({
  name: Schema.String,
  email: Schema.String,
  organization_id: OrganizationId,
  club_name: Schema.String,
  /** The club's, as its time zone. */
  locale: Locale,
  time_zone: Schema.String
})
type Administrator = typeof Administrator.Type

const decode = rows(Administrator)
const decodeOwner = one(Administrator)

/** The recipients of mails about a club. */
export class Administrators extends Context.Service<Administrators, {
  /** The owners and admins of the club. */
  of(club: ClubId): Effect.Effect<ReadonlyArray<Administrator>>
  /** The owner of longest standing, given as a contact to people without access. A club always has an owner. */
  owner(club: ClubId): Effect.Effect<Administrator>
}>()("turma/membership/clubs/Administrators") {
  static readonly layer = Layer.effect(
    Administrators,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const of = Effect.fn("Administrators.of")(function*(club: ClubId) {
        return yield* sql`
          select u.name, u.email, c.organization_id, c.name as club_name, c.locale, c.time_zone
          from clubs c
          join members m on m.club_id = c.id and m.role in ('owner', 'admin')
          join users u on u.id = m.user_id
          where c.id = ${club}
          order by m.user_id`.pipe(decode)
      })

      const owner = Effect.fn("Administrators.owner")(function*(club: ClubId) {
        return yield* sql`
          select u.name, u.email, c.organization_id, c.name as club_name, c.locale, c.time_zone
          from clubs c
          join members m on m.club_id = c.id and m.role = 'owner'
          join users u on u.id = m.user_id
          where c.id = ${club}
          order by m.created_at, m.user_id limit 1`.pipe(decodeOwner)
      })

      return Administrators.of({ of, owner })
    })
  )
}
