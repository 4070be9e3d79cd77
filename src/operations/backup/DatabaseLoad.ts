import { Effect, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { createHash } from "node:crypto"
import { texts } from "../../platform/sql/Arrays.ts"
import { firstLine, migrateAs } from "../../platform/sql/Migrations.ts"
import { one } from "../../platform/sql/Rows.ts"
import { decodeUtf8 } from "../../platform/text/Utf8.ts"
import { failed, refuse } from "./archive/BackupError.ts"
import {
  type Query,
  quoted,
  readGenerated,
  readPartitions,
  readReferences,
  readSequences,
  readTables
} from "./DatabaseCatalog.ts"
import type { Header, Manifest } from "./Manifest.ts"

const Rows = Schema.fromJsonString(Schema.Array(Schema.String))
const decodeLoaded = one(Schema.Struct({ loaded: Schema.Int }))

const sqlFailed = (doing: string) => ({ reason }: SqlError.SqlError) => failed(doing)(firstLine(reason))

const preparing = sqlFailed("The database cannot be prepared")

type PreparingQuery = Query<ReturnType<typeof preparing>>

/** Bounds as PostgreSQL writes those of our partitions; in any others it would evaluate whatever stands there. */
const isRange = (bounds: string) => /^FOR VALUES FROM \('[0-9a-f-]{36}'\) TO \('[0-9a-f-]{36}'\)$/.test(bounds)

const runAll = (query: PreparingQuery, statements: ReadonlyArray<string>) =>
  Effect.forEach(statements, query, { discard: true })

/** Makes the schema of the backup's migrations, with its partitions and without foreign keys, triggers or rows. */
const prepare = Effect.fnUntraced(function*(header: Header, query: PreparingQuery) {
  if ((yield* readTables(query)).length > 0) {
    return yield* refuse("the database has tables already: a backup is restored into an empty one")
  }
  yield* migrateAs(header.migrations).pipe(
    Effect.catchTag("SqlError", (error) => Effect.fail(preparing(error))),
    Effect.catchTag("MigrationError", ({ message }) => Effect.fail(refuse(`the backup does not fit: ${message}`)))
  )
  const tables = yield* readTables(query)
  if (JSON.stringify(tables) !== JSON.stringify(header.tables)) {
    return yield* refuse("the backup has other tables than this version of Turma")
  }
  const odd = header.partitions.find(({ bounds, name, parent }) =>
    !isRange(bounds) || !name.startsWith(`${parent}_`) || !tables.some((table) => table.name === parent)
  )
  if (odd !== undefined) return yield* refuse(`the backup has a partition that is none of Turma's: ${odd.name}`)
  const there = new Set((yield* readPartitions(query)).map(({ name }) => name))
  yield* runAll(
    query,
    header.partitions.filter(({ name }) => !there.has(name)).map(({ bounds, name, parent }) =>
      `create table ${quoted(name)} partition of ${quoted(parent)} ${bounds}`
    )
  )
  const references = yield* readReferences(query)
  yield* runAll(query, references.map(({ name, table_name }) => `alter table ${table_name} drop constraint ${name}`))
  yield* runAll(query, tables.map(({ name }) => `alter table ${quoted(name)} disable trigger user`))
  // Migrations write rows, too.
  yield* query(`truncate ${tables.map(({ name }) => quoted(name)).join(", ")}`)
  return { tables, references }
})

/** The statement that takes rows of a table, written as text, by the table's name. */
const insertsOf = Effect.fnUntraced(function*(tables: Header["tables"], query: PreparingQuery) {
  const computed = Map.groupBy(yield* readGenerated(query), ({ table_name }) => table_name)
  return new Map(tables.map(({ columns, name }) => {
    const own = new Set(computed.get(name)?.map(({ column_name }) => column_name))
    const list = columns.filter((column) => !own.has(column)).map(quoted).join(", ")
    const insert = `insert into ${quoted(name)} (${list}) overriding system value select ${list} from unnest`
    return [
      name,
      `with i as (${insert}($1::text[]::${quoted(name)}[]) returning 1) select count(*)::int as loaded from i`
    ]
  }))
})

/**
 * An empty database during a load, in the caller's transaction. Foreign keys and triggers are dropped until all rows
 * are there. Then the keys are checked as a whole; the effects of past triggers are among the rows.
 */
export const openLoad = Effect.fnUntraced(function*(header: Header) {
  const sql = yield* SqlClient.SqlClient
  const query: PreparingQuery = (text) => Effect.mapError(sql.unsafe(text), preparing)
  const { references, tables } = yield* prepare(header, query)
  const inserts = yield* insertsOf(tables, query)
  const loaded = new Map(tables.map(({ name }) => [name, { rows: 0, hash: createHash("sha256") }]))

  /** Takes one of a table's files. */
  const load = Effect.fnUntraced(function*(name: string, bytes: Uint8Array) {
    const [insert, tally] = [inserts.get(name), loaded.get(name)]
    if (insert === undefined || tally === undefined) return yield* refuse(`the backup has rows of no table: ${name}`)
    const rows = yield* Effect.mapError(
      Effect.flatMap(decodeUtf8(bytes), Schema.decodeUnknownEffect(Rows)),
      () => refuse(`the rows of ${name} are damaged`)
    )
    const result = yield* sql.unsafe(insert, [texts(rows)]).pipe(
      Effect.mapError(sqlFailed(`The rows of ${name} do not fit`)),
      decodeLoaded
    )
    tally.rows += result.loaded
    tally.hash.update(bytes)
    return tally.rows
  })

  /** Makes a working database of the rows, if they match the manifest. */
  const finish = Effect.fnUntraced(function*({ sequences, tables: dumped }: Manifest) {
    const wanted = new Map(dumped.map(({ name, rows, sha256 }) => [name, `${rows} ${sha256}`]))
    for (const [name, { hash, rows }] of loaded) {
      if (wanted.get(name) !== `${rows} ${hash.digest("hex")}`) {
        return yield* refuse(`the rows of ${name} are not whole`)
      }
    }
    const ours = new Set((yield* readSequences(query)).map(({ name }) => name))
    const odd = sequences.find(({ name }) => !ours.has(name))
    if (odd !== undefined) return yield* refuse(`the backup has a sequence that is none of Turma's: ${odd.name}`)
    yield* runAll(query, tables.map(({ name }) => `alter table ${quoted(name)} enable trigger user`))
    yield* runAll(
      query,
      references.map(({ definition, name, table_name }) =>
        `alter table ${table_name} add constraint ${name} ${definition}`
      )
    )
    yield* Effect.forEach(
      sequences,
      ({ is_called, last_value, name }) =>
        sql`select setval(${quoted(name)}::text::regclass, ${last_value}::text::bigint, ${is_called})`,
      { discard: true }
    ).pipe(Effect.mapError(preparing))
  })
  return { load, finish }
})
