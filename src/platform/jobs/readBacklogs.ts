import { type DateTime, Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { rows } from "../sql/Rows.ts"
import { backlogOf, BacklogRow, countOf } from "./BacklogRow.ts"
import type { Backlog } from "./WorkQueue.ts"

/** The work that waits in a queue, and since when. */
export type NamedBacklog = ReturnType<typeof backlogOf> & { readonly name: string }

const decode = rows(Schema.Struct({ name: Schema.String, ...BacklogRow.fields }))

/** Reads what waits in each of these. The one statement counts at most some thousands of rows of an index of each. */
export const readBacklogs = (
  sql: SqlClient.SqlClient,
  queues: ReadonlyArray<Backlog>,
  now: DateTime.Utc
): Effect.Effect<ReadonlyArray<NamedBacklog>> => {
  const counts = queues.map(({ name, nextDue, oldest = nextDue, waiting }) =>
    sql`(${name}, ${countOf(sql, waiting(sql))}, ${oldest(sql)})`
  )
  return sql`select name, depth, oldest from (values ${sql.csv(counts)}) as queues (name, depth, oldest)`.pipe(
    decode,
    Effect.map((found) => found.map(({ name, ...row }) => ({ name, ...backlogOf(row, now) })))
  )
}
