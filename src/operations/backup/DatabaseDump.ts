import { PgConnection } from "@effect/sql-pg"
import { Effect, type Redacted, Schema } from "effect"
import type { SqlError } from "effect/sql"
import { createHash } from "node:crypto"
import { closeLostConnections } from "../../platform/sql/LostConnections.ts"
import { firstLine } from "../../platform/sql/Migrations.ts"
import type { ArchiveWriter } from "./archive/ArchiveWriter.ts"
import { type BackupError, failed, refuse } from "./archive/BackupError.ts"
import { quoted, readPartitions, readSequences, readTables } from "./DatabaseCatalog.ts"
import { databasePrefix, type Header, type Manifest } from "./Manifest.ts"
import type { Progress } from "./Progress.ts"

/** Bytes of rows that are read at once, beside one that is larger. */
const batch = 1024 * 1024

const mostRows = 5000

/** How often tables may change while we ask to keep them: each time, a migration of another process came between. */
const tries = 5

/**
 * Settings of a session that must stay open while it waits for a disk, however long a statement takes. It still notices
 * if the machine at the other end is down.
 */
export const patient = {
  applicationName: "turma backup",
  keepAlive: "30 seconds",
  startupParameters: {
    lock_timeout: "60s",
    statement_timeout: "0",
    idle_in_transaction_session_timeout: "0",
    timezone: "UTC",
    datestyle: "ISO",
    intervalstyle: "postgres",
    bytea_output: "hex"
  },
  maxMessageSize: 1024 * 1024 * 1024,
  prepare: false
} as const

const Migrations = Schema.Array(Schema.Struct({ id: Schema.Int, name: Schema.String, checksum: Schema.String }))
const additionsTable = "schema_additions"
const migrationsQuery = (hasAdditions: boolean) =>
  ["schema_migrations", ...hasAdditions ? [additionsTable] : []]
    .map((table) => `select id, name, checksum from ${table}`)
    .join(" union all ") + " order by id"
const Size = Schema.Tuple([Schema.Struct({ rows: Schema.Int, widest: Schema.Int })])
const Lines = Schema.Array(Schema.Struct({ line: Schema.String }))
const Version = Schema.Tuple([Schema.Struct({ version: Schema.String })])
const Position = Schema.Tuple([Schema.Struct({ last_value: Schema.String, is_called: Schema.Boolean })])

const sqlFailed = ({ reason }: SqlError.SqlError) => failed("The database cannot be read")(firstLine(reason))

/** The facts about the database once its tables are locked. */
type DatabaseState = Pick<Header, "migrations" | "partitions" | "postgresql" | "tables">

/**
 * A session that lives as long as the scope. A fault is one line. If the server at the address does not know the
 * session any longer, as after a failover, its statements fail.
 */
export const openSession = Effect.fnUntraced(function*(url: Redacted.Redacted) {
  const connection = yield* Effect.mapError(PgConnection.make({ url, ...patient }), sqlFailed)
  yield* Effect.forkScoped(closeLostConnections({ url, inUse: () => [connection] }))
  const query = (text: string) =>
    Effect.map(Effect.mapError(connection.query(text), sqlFailed), ({ rows }): ReadonlyArray<object> => rows)
  const ask = <A>(row: Schema.Codec<A, unknown>, text: string) =>
    Effect.flatMap(query(text), (rows) => Effect.orDie(Schema.decodeUnknownEffect(row)(rows)))
  return { query, ask }
})

/** A session that sees the database as it was at one moment, for as long as the scope lives. */
export const openSnapshot = Effect.fnUntraced(function*(url: Redacted.Redacted) {
  const { ask, query } = yield* openSession(url)

  // Tables are locked before the snapshot: a transaction that changes one has finished, or waits until the table is
  // read.
  const lockTables = Effect.gen(function*() {
    const before = yield* readTables(query)
    if (!before.some(({ name }) => name === "schema_migrations")) {
      return yield* refuse("there is no database of Turma to back up")
    }
    yield* query("begin isolation level repeatable read read only")
    yield* query(`lock table ${before.map(({ name }) => quoted(name)).join(", ")} in access share mode`)
    const tables = yield* readTables(query)
    if (JSON.stringify(tables) === JSON.stringify(before)) return tables
    yield* query("rollback")
    return undefined
  })

  let tables = yield* lockTables
  for (let again = 1; tables === undefined && again < tries; again++) tables = yield* lockTables
  if (tables === undefined) return yield* refuse("the database's schema is changing: try again once it is migrated")
  const [{ version }] = yield* ask(Version, "select current_setting('server_version') as version")
  const state: DatabaseState = {
    tables,
    postgresql: version,
    migrations: yield* ask(Migrations, migrationsQuery(tables.some(({ name }) => name === additionsTable))),
    partitions: yield* readPartitions(query)
  }
  return { ...state, query, ask }
})
export type Snapshot = Effect.Success<ReturnType<typeof openSnapshot>>

const dumpTable = Effect.fnUntraced(function*(
  { ask, query }: Snapshot,
  name: string,
  archive: ArchiveWriter,
  progress: Progress
): Effect.fn.Return<Manifest["tables"][number], BackupError> {
  const table = quoted(name)
  const [{ rows, widest }] = yield* ask(
    Size,
    `select count(*)::int as rows, coalesce(max(octet_length(t::text)), 0)::int as widest from ${table} t`
  )
  const hash = createHash("sha256")
  const step = Math.max(1, Math.min(mostRows, Math.floor(batch / Math.max(1, widest))))
  yield* query(`declare dumped no scroll cursor for select t::text as line from ${table} t`)
  let written = 0
  for (let part = 1; written < rows; part++) {
    const lines = yield* ask(Lines, `fetch forward ${step} from dumped`)
    if (lines.length === 0) break
    const bytes = Buffer.from(JSON.stringify(lines.map(({ line }) => line)))
    hash.update(bytes)
    yield* archive.add(`${databasePrefix}${name}/${part}.json`, bytes)
    written += lines.length
    yield* progress(`${name}: ${written} of ${rows} rows`, written === rows)
  }
  yield* query("close dumped")
  if (written !== rows) return yield* refuse(`${name} has ${rows} rows, of which ${written} could be read`)
  return { name, rows, sha256: hash.digest("hex") }
})

const readPositions = Effect.fnUntraced(function*({ ask, query }: Snapshot) {
  return yield* Effect.forEach(
    yield* readSequences(query),
    ({ name }) =>
      Effect.map(
        ask(Position, `select last_value::text as last_value, is_called from ${quoted(name)}`),
        ([position]) => ({ name, ...position })
      )
  )
})

/** Writes every row of every table, about a megabyte at a time. */
export const dumpDatabase = Effect.fnUntraced(function*(
  snapshot: Snapshot,
  archive: ArchiveWriter,
  progress: Progress
) {
  const tables = yield* Effect.forEach(snapshot.tables, ({ name }) => dumpTable(snapshot, name, archive, progress))
  const sequences = yield* readPositions(snapshot)
  yield* snapshot.query("rollback")
  return { tables, sequences }
})
