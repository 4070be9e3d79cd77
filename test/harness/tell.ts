import { PgConnection } from "@effect/sql-pg"
import { Effect, type Redacted } from "effect"

/** Runs one statement on a new connection, as an operator does. */
export const tell = (url: Redacted.Redacted, statement: string) =>
  Effect.scoped(Effect.flatMap(PgConnection.make({ url }), (connection) => connection.query(statement)))
