import { Effect, Schema } from "effect"
import { SqlClient, Statement } from "effect/sql"

/** The pages that statements fetched from tables and from indexes, and the rows they read from tables. */
export interface Touched {
  readonly tablePages: number
  readonly indexPages: number
  readonly rows: number
}

const decodeCounts = Schema.decodeUnknownEffect(Schema.Tuple([
  Schema.Struct({ tablePages: Schema.Int, indexPages: Schema.Int, rows: Schema.Int })
]))

// Counts of this transaction only: the shared hits and reads of EXPLAIN (ANALYZE, BUFFERS). Rows found by an index
// count on the index, rows read by a scan on the table.
const counts = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql`
    select coalesce(sum(pg_stat_get_xact_blocks_fetched(oid)) filter (where relkind <> 'i'), 0)::int as "tablePages",
      coalesce(sum(pg_stat_get_xact_blocks_fetched(oid)) filter (where relkind = 'i'), 0)::int as "indexPages",
      coalesce(sum(
        pg_stat_get_xact_tuples_fetched(oid) + case when relkind = 'i' then 0 else pg_stat_get_xact_tuples_returned(oid) end
      ), 0)::int as rows
    from pg_class where relkind in ('r', 'i', 't') and relnamespace in ('public'::regnamespace, 'pg_toast'::regnamespace)`
  return (yield* decodeCounts(found))[0]
})

/** An error that rolls the transaction back and carries the counts. */
class Seen extends Schema.TaggedError<Seen>()("Seen", {
  tablePages: Schema.Int,
  indexPages: Schema.Int,
  rows: Schema.Int
}) {}

/**
 * The pages and rows that matching statements of this work touch. Each such statement first runs alone, in a
 * transaction that is rolled back, so the counts belong to it.
 */
export const touchedBy = Effect.fnUntraced(function*<A, E, R>(work: Effect.Effect<A, E, R>, matching: RegExp) {
  const sql = yield* SqlClient.SqlClient
  const all: Array<Touched> = []
  const look: Statement.Transformer = Effect.fnUntraced(function*(statement) {
    const [text, params] = statement.compile()
    if (!matching.test(text)) return statement
    const seen = yield* sql.withTransaction(Effect.gen(function*() {
      const before = yield* counts
      yield* sql.unsafe(text, params)
      const after = yield* counts
      return yield* new Seen({
        tablePages: after.tablePages - before.tablePages,
        indexPages: after.indexPages - before.indexPages,
        rows: after.rows - before.rows
      })
    })).pipe(
      Effect.provideService(Statement.CurrentTransformer, undefined),
      Effect.provideService(SqlClient.SqlClient, sql),
      Effect.catchTag("Seen", Effect.succeed),
      Effect.orDie
    )
    all.push(seen)
    return statement
  })
  const answer = yield* Effect.provideService(work, Statement.CurrentTransformer, look)
  const sum = (field: keyof Touched) => all.reduce((total, one) => total + one[field], 0)
  return [answer, { tablePages: sum("tablePages"), indexPages: sum("indexPages"), rows: sum("rows") }] as const
})
