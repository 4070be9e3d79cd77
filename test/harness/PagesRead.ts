import { Effect, Schema } from "effect"
import { SqlClient, Statement } from "effect/sql"

/** What statements looked at: pages fetched from tables and from indexes, and rows read from tables. */
export interface Touched {
  readonly tablePages: number
  readonly indexPages: number
  readonly rows: number
}

const decodeCounts = Schema.decodeUnknownEffect(Schema.Tuple([
  Schema.Struct({ tablePages: Schema.Int, indexPages: Schema.Int, rows: Schema.Int })
]))

// Of this transaction alone, and what EXPLAIN (ANALYZE, BUFFERS) calls shared hit and read. What an index finds is counted
// on the index, what a scan reads on the table.
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

/** Rolls back what ran before it. */
class Seen extends Schema.TaggedError<Seen>()("Seen", {
  tablePages: Schema.Int,
  indexPages: Schema.Int,
  rows: Schema.Int
}) {}

/**
 * What the statements of this work touch that match: each runs once more before it runs, in a transaction that is rolled
 * back, so that it can be looked at alone.
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
