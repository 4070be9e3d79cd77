import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const decodeStatements = Schema
  .decodeUnknownEffect(Schema.Array(Schema.Struct({ query: Schema.String, most: Schema.Finite })))

/** Forgets the times of all statements so far. */
export const forgetStatements = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => Effect.orDie(sql`select pg_stat_statements_reset()`)
)

/** The slowest statement since the last reset: its beginning, its end and its milliseconds. */
export const slowest = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [one] = yield* sql`
    select regexp_replace(left(query, 60) || ' … ' || right(query, 100), '\\s+', ' ', 'g') as query, max_exec_time as most
    from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database()) and query !~ 'pg_stat'
    order by max_exec_time desc limit 1`.pipe(Effect.flatMap(decodeStatements))
  return one ?? { query: "", most: 0 }
}).pipe(Effect.orDie)
