import { Effect, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { one } from "../../src/platform/sql/Rows.ts"

const decodeHidden = one(Schema.Struct({ hidden: Schema.Int }))

/**
 * Vacuums the tables until every page is visible to all, which index-only scans need. An older statement elsewhere
 * holds that up. By default PostgreSQL also leaves a few dead rows, so `index_cleanup` is on.
 */
export const vacuumed = Effect.fnUntraced(function*(...tables: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  for (const table of tables) {
    const hidden = sql`select relpages - relallvisible as hidden from pg_class where oid = ${table}::regclass`.pipe(
      decodeHidden,
      Effect.map((found) => found.hidden)
    )
    yield* sql`vacuum (analyze, index_cleanup on) ${sql(table)}`.pipe(
      Effect.andThen(hidden),
      Effect.repeat({ until: (pages) => pages <= 0, schedule: Schedule.forever })
    )
  }
})
