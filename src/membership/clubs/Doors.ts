import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClubId, type OrganizationId } from "../../identity/ids/ClubId.ts"
import { Locale } from "../../platform/http/Locale.ts"

/** A club as those who are not in it yet meet it. */
export const Door = Schema.Struct({
  id: ClubId,
  name: Schema.String,
  locale: Locale,
  sign_up_open: Schema.Boolean
})
export type Door = typeof Door.Type

const decodeDoors = Schema.decodeUnknownEffect(Schema.Array(Door))

/** Clubs, for those who want to enter one. */
export class Doors extends Context.Service<Doors, {
  /** None if no club has this public id. */
  find(organization_id: OrganizationId): Effect.Effect<Option.Option<Door>>
}>()("turma/clubs/Doors") {
  static readonly layer = Layer.effect(
    Doors,
    Effect.map(SqlClient.SqlClient, (sql) =>
      Doors.of({
        find: Effect.fn("Doors.find")(function*(organization_id: OrganizationId) {
          const rows = yield* sql`
            select id, name, locale, sign_up_open from clubs where organization_id = ${organization_id}
          `.pipe(Effect.flatMap(decodeDoors))
          return Option.fromNullishOr(rows[0])
        }, Effect.orDie)
      }))
  )
}
