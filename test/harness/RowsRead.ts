import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const Counts = Schema.Array(Schema.Struct({ table: Schema.String, read: Schema.NumberFromString }))

// These counters of the transaction include earlier reads that are not reported yet. So callers compare two readings.
const counts = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select relname as "table", (seq_tup_read + coalesce(idx_tup_fetch, 0))::text as read
    from pg_stat_xact_user_tables
  `.pipe(Effect.flatMap(Schema.decodeUnknownEffect(Counts)))
  return new Map(rows.map(({ read, table }) => [table, read]))
})

/** The tables from which this work read more rows than `much`, by scans or by indexes. It runs in one transaction. */
export const readingMuch = Effect.fnUntraced(function*<A, E, R>(work: Effect.Effect<A, E, R>, much: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(Effect.gen(function*() {
    const before = yield* counts
    yield* work
    const after = yield* counts
    return [...after].filter(([table, read]) => read - (before.get(table) ?? 0) > much).map(([table]) => table)
  }))
})
