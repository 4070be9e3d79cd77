import { Duration, Effect, Schema } from "effect"
import { SqlClient, type SqlConnection } from "effect/sql"
import { batchStatement, type IndexStatement, indexStatement, type MigrationFile } from "./MigrationFile.ts"

// Files that do not run in a transaction. Each may stop at any point and begin anew.

const Named = Schema.Array(Schema.Struct({ name: Schema.String }))

type Query = (text: string, params?: ReadonlyArray<unknown>) => ReturnType<SqlConnection.Connection["execute"]>

const namesOf = (rows: unknown) =>
  Effect.map(Effect.orDie(Schema.decodeUnknownEffect(Named)(rows)), (found) => found.map(({ name }) => name))

/**
 * Makes one index, and makes it anew if the server stopped halfway. The invalid rest would cost every write and serve
 * no read.
 */
const createOne = Effect.fnUntraced(function*(query: Query, name: string, statement: string) {
  const invalid = yield* query(
    "select indexrelid from pg_index where indexrelid = to_regclass($1) and not indisvalid",
    [name]
  )
  if (invalid.length > 0) yield* query(`drop index concurrently if exists ${name}`)
  yield* query(statement)
})

/** Partitions that still lack the index. */
const lacking = Effect.fnUntraced(function*(query: Query, { index, table }: IndexStatement) {
  const rows = yield* query(
    `select c.relname as name
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = $1::text::regclass
       and not exists (
         select 1 from pg_inherits a join pg_index x on x.indexrelid = a.inhrelid
         where a.inhparent = $2::text::regclass and x.indrelid = c.oid
       )
     order by 1`,
    [table, index]
  )
  return yield* namesOf(rows)
})

/**
 * The index of a partitioned table. The table itself gets it first, which takes no time, and new partitions have it
 * from then on. Then the partitions follow one after another. It counts once all have it.
 */
const createOnPartitions = Effect.fnUntraced(function*(query: Query, statement: IndexStatement) {
  const { begins, index, rest, table } = statement
  yield* query("set lock_timeout = '1s'")
  yield* query(`${begins} if not exists ${index} on only ${table} ${rest}`)
  for (const partition of yield* lacking(query, statement)) {
    const own = `${index.slice(0, 30)}_${partition.slice(-32)}`
    yield* query("set lock_timeout = 0")
    yield* createOne(query, own, `${begins} concurrently if not exists ${own} on ${partition} ${rest}`)
    yield* query("set lock_timeout = '1s'")
    yield* query(`alter index ${index} attach partition ${own}`)
  }
})

const runIndex = Effect.fnUntraced(function*(query: Query, { script }: MigrationFile, statement: IndexStatement) {
  // It waits for every transaction that was there before, and nobody waits for it meanwhile.
  yield* query("set lock_timeout = 0")
  const partitioned = yield* query("select 1 from pg_class where oid = to_regclass($1) and relkind = 'p'", [
    statement.table
  ])
  if (partitioned.length > 0) return yield* createOnPartitions(query, statement)
  if (statement.does === "drop") return yield* query(batchStatement(script))
  return yield* createOne(query, statement.index, batchStatement(script))
})

/** The longest pause between two batches. A pause is as long as the batch was, so that others get their turn. */
const longestPause = Duration.seconds(1)

/** Milliseconds from which on a pause is worth it. */
const noticeable = 20

const runBatches = Effect.fnUntraced(function*(query: Query, { file, script }: MigrationFile) {
  const statement = batchStatement(script)
  let rows = 0
  for (let batch = 1;; batch++) {
    const [took, changed] = yield* Effect.timed(query(statement))
    if (changed.length === 0) return
    rows += changed.length
    if (batch % 100 === 0) yield* Effect.logInfo(`${file}: ${rows} rows in ${batch} batches so far`)
    if (Duration.toMillis(took) >= noticeable) yield* Effect.sleep(Duration.min(took, longestPause))
  }
})

/** Runs a file that does not run in a transaction, on a connection of its own. */
export const runLong = Effect.fnUntraced(function*(migration: MigrationFile) {
  const sql = yield* SqlClient.SqlClient
  const connection = yield* sql.reserve
  const query: Query = (text, params = []) => connection.executeUnprepared(text, params, undefined)
  const index = migration.running === "alone" ? indexStatement(migration.script) : undefined
  yield* Effect.addFinalizer(() => Effect.ignore(query("reset lock_timeout")))
  if (index === undefined) yield* runBatches(query, migration)
  else yield* runIndex(query, migration, index)
}, Effect.scoped)
