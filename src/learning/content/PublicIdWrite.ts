import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { PublicIdTaken } from "./PublicId.ts"

/** Runs a statement that writes a public id. The constraint of the id is the only one that it can violate. */
export const orPublicIdTaken = <A, R>(statement: Effect.Effect<A, SqlError.SqlError, R>) =>
  Effect.catchReason(
    statement,
    "SqlError",
    "UniqueViolation",
    () => Effect.fail(new PublicIdTaken()),
    (_, fault) => Effect.die(fault)
  )
