import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { UserId } from "./User.ts"

/** What an administrator may change of their own account. */
export class Users extends Context.Service<Users, {
  rename(id: UserId, name: string): Effect.Effect<void>
}>()("turma/auth/Users") {
  static readonly layer = Layer.effect(
    Users,
    Effect.map(SqlClient.SqlClient, (sql) =>
      Users.of({
        rename: Effect.fn("Users.rename")(
          (id: UserId, name: string) => sql`update users set name = ${name} where id = ${id}`,
          Effect.orDie
        )
      }))
  )
}
