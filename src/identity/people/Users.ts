import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { UserId } from "../ids/UserId.ts"

/** Changes that administrators may make to their own account. */
export class Users extends Context.Service<Users, {
  rename(id: UserId, name: string): Effect.Effect<void>
  /** Counts one more club that the account founds, in the caller's transaction; false if it has founded `limit`. */
  countFoundedClub(id: UserId, limit: number): Effect.Effect<boolean>
}>()("turma/identity/people/Users") {
  static readonly layer = Layer.effect(
    Users,
    Effect.map(SqlClient.SqlClient, (sql) =>
      Users.of({
        rename: Effect.fn("Users.rename")(
          (id: UserId, name: string) => sql`update users set name = ${name} where id = ${id}`,
          Effect.orDie
        ),
        countFoundedClub: Effect.fn("Users.countFoundedClub")(function*(id: UserId, limit: number) {
          const counted = yield* sql`
            update users set clubs_founded = clubs_founded + 1 where id = ${id} and clubs_founded < ${limit} returning 1`
          return counted.length > 0
        }, Effect.orDie)
      }))
  )
}
