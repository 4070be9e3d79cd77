import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../../src/identity/ids/ClubId.ts"
import type { ClubOpening } from "../../../../src/membership/clubs/ClubOpenings.ts"
import { Motto } from "./Api.ts"

const decode = Schema.decodeUnknownEffect(Schema.Tuple([Motto]))

/** The mottos of clubs. */
export class Mottos extends Context.Service<Mottos, {
  get(club_id: ClubId): Effect.Effect<typeof Motto.Type>
  put(club_id: ClubId, motto: typeof Motto.Type): Effect.Effect<typeof Motto.Type>
}>()("test/Mottos") {
  static readonly layer = Layer.effect(
    Mottos,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const get = Effect.fn("Mottos.get")(function*(club_id: ClubId) {
        const [motto] = yield* decode(yield* sql`select text from mottos where club_id = ${club_id}`)
        return motto
      }, Effect.orDie)

      const put = Effect.fn("Mottos.put")(function*(club_id: ClubId, { text }: typeof Motto.Type) {
        const [motto] = yield* decode(
          yield* sql`
          insert into mottos (club_id, text) values (${club_id}, ${text})
          on conflict (club_id) do update set text = excluded.text returning text`
        )
        return motto
      }, Effect.orDie)

      return Mottos.of({ get, put })
    })
  )
}

/** A club starts with its name for a motto. */
export const mottoOpening = Effect.map(
  Mottos,
  ({ put }): ClubOpening => ({ id, name }) => Effect.asVoid(put(id, { text: name }))
).pipe(Effect.provide(Mottos.layer))
