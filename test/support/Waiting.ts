import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Ends when so many statements of this database wait for a lock that another transaction holds. */
export const untilBlocked = Effect.fnUntraced(function*(count = 1) {
  const sql = yield* SqlClient.SqlClient
  // In a transaction it has a connection of its own, and each asks anew.
  const blocked = sql.withTransaction(sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  while ((yield* blocked).length < count) yield* Effect.yieldNow
})
