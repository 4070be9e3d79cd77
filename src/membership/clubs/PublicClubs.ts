import { Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClubId, type OrganizationId } from "../../identity/ids/ClubId.ts"
import { Locale } from "../../platform/http/Locale.ts"
import { first } from "../../platform/sql/Rows.ts"

/** The fields of a club that people outside may know. */
const PublicClub = Schema.Struct({
  id: ClubId,
  name: Schema.String,
  locale: Locale,
  sign_up_open: Schema.Boolean
})
type PublicClub = typeof PublicClub.Type

const decodeClub = first(PublicClub)

/** Looks up clubs for people who are not in them yet. */
export class PublicClubs extends Context.Service<PublicClubs, {
  /** Empty if no club has this public id. */
  find(organization_id: OrganizationId): Effect.Effect<Option.Option<PublicClub>>
}>()("turma/membership/clubs/PublicClubs") {
  static readonly layer = Layer.effect(
    PublicClubs,
    Effect.map(SqlClient.SqlClient, (sql) =>
      PublicClubs.of({
        find: Effect.fn("PublicClubs.find")(function*(organization_id: OrganizationId) {
          return yield* sql`
            select id, name, locale, sign_up_open from clubs where organization_id = ${organization_id}
          `.pipe(decodeClub)
        })
      }))
  )
}
