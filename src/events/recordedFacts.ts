import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { OverviewPart } from "../platform/jobs/Overviews.ts"
import { one } from "../platform/sql/Rows.ts"

const decode = one(Schema.Struct({ recorded: Schema.Number }))

/**
 * The number of facts recorded since PostgreSQL began to count, with those of transactions that were rolled back. The
 * difference of two readings is a rate. PostgreSQL counts anyway, so a fact costs nothing more.
 */
export const recordedFacts: Effect.Effect<OverviewPart, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql) => ({
    name: "events",
    read: sql`select pg_stat_get_tuples_inserted('event_outbox'::regclass)::float8 as recorded`.pipe(decode)
  })
)
