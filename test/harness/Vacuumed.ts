import { Effect, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { one } from "../../src/platform/sql/Rows.ts"

const decodeHidden = one(Schema.Struct({ hidden: Schema.Int }))

/**
 * Counts and cleans the tables until every page of theirs is known to be visible to all, so that an index alone answers. A
 * statement elsewhere that began before the rows were written holds that up, and unless it is told not to PostgreSQL leaves
 * a few dead rows.
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
