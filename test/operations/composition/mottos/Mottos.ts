import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../../src/identity/ids/ClubId.ts"
import type { ClubOpening } from "../../../../src/membership/clubs/ClubOpenings.ts"
import { provideShared } from "../../../../src/platform/provideShared.ts"
import { one } from "../../../../src/platform/sql/Rows.ts"
import { Motto } from "./Api.ts"

const decodeMotto = one(Motto)

/** The mottos of clubs. */
export class Mottos extends Context.Service<Mottos, {
  get(club_id: ClubId): Effect.Effect<typeof Motto.Type>
  put(club_id: ClubId, motto: typeof Motto.Type): Effect.Effect<typeof Motto.Type>
}>()("test/Mottos") {
  static readonly layer = Layer.effect(
    Mottos,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const get = Effect.fn("Mottos.get")((club_id: ClubId) =>
        sql`select text from mottos where club_id = ${club_id}`.pipe(decodeMotto)
      )

      const put = Effect.fn("Mottos.put")((club_id: ClubId, { text }: typeof Motto.Type) =>
        sql`
          insert into mottos (club_id, text) values (${club_id}, ${text})
          on conflict (club_id) do update set text = excluded.text returning text`.pipe(decodeMotto)
      )

      return Mottos.of({ get, put })
    })
  )
}

/** A new club's motto is its name. */
export const mottoOpening = Effect.map(
  Mottos,
  ({ put }): ClubOpening => ({ id, name }) => Effect.asVoid(put(id, { text: name }))
).pipe(provideShared(Mottos.layer))
