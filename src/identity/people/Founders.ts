import { Cache, Context, Duration, Effect, Exit, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { lookingUp } from "../../platform/sql/ReadLane.ts"
import { first } from "../../platform/sql/Rows.ts"
import type { ClubId } from "../ids/ClubId.ts"
import { UserId } from "../ids/UserId.ts"

/** The most clubs whose founders a process keeps: those asked for last. */
const mostKept = 10_000

const decode = first(Schema.Struct({ founder_user_id: Schema.NullOr(UserId) }))

/** The account whose clubs share its limits. */
export class Founders extends Context.Service<Founders, {
  /** The account that founded the club, which may not be its owner today; `None` if it is unknown. */
  of(club: ClubId): Effect.Effect<Option.Option<UserId>>
}>()("turma/identity/people/Founders") {
  static readonly layer = Layer.effect(
    Founders,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      // It never changes, so it is asked for once. A look-up that failed is not kept.
      const known = yield* Cache.makeWith(
        (club: ClubId) =>
          sql`select founder_user_id from clubs where id = ${club}`.pipe(
            decode,
            Effect.map((found) => Option.flatMapNullishOr(found, ({ founder_user_id }) => founder_user_id)),
            lookingUp
          ),
        { capacity: mostKept, timeToLive: (exit) => Exit.isSuccess(exit) ? Duration.infinity : Duration.zero }
      )
      return Founders.of({ of: (club) => Cache.get(known, club) })
    })
  )
}
