import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { OverviewPart } from "../platform/jobs/Overviews.ts"
import { one } from "../platform/sql/Rows.ts"

const decode = one(Schema.Struct({ recorded: Schema.Number }))

/**
 * How many facts were recorded for as long as PostgreSQL has counted, those of transactions that were undone too: of two
 * readings the difference is a rate. It counts anyway, so no fact costs more for being counted.
 */
export const recordedFacts: Effect.Effect<OverviewPart, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql) => ({
    name: "events",
    read: sql`select pg_stat_get_tuples_inserted('event_outbox'::regclass)::float8 as recorded`.pipe(decode)
  })
)
