import { Context, type DateTime, Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { Instant } from "../schema/Instant.ts"
import { one } from "./Rows.ts"

const decodeAnswer = one(Schema.Struct({ at: Instant }))

/** The database's clock. It is asked only whether ours is right, or behind: all other times come from `Clock`. */
export interface DatabaseClock {
  ask(sql: SqlClient.SqlClient): Effect.Effect<DateTime.Utc>
  /** True if it is the clock of our own machine, which then cannot contradict us. */
  readonly isOurs: boolean
}

/** A database elsewhere. Unlike its transaction's, this moment is not older than the question. */
export const askedClock: DatabaseClock = {
  ask: (sql) => Effect.map(sql`select clock_timestamp() as at`.pipe(decodeAnswer), ({ at }) => at),
  isOurs: false
}

/** The clock of the database in use. Tests that move time provide one that moves along. */
export const DatabaseTime = Context.Reference<DatabaseClock>("turma/platform/sql/DatabaseTime", {
  defaultValue: () => askedClock
})
