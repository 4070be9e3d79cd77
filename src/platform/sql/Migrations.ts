import { DateTime, Effect, FileSystem, Path, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { createHash } from "node:crypto"
import { fileURLToPath } from "node:url"

/** The folder's files and the database's history do not fit, or a file failed: one line. */
export class MigrationError extends Schema.TaggedError<MigrationError>()("MigrationError", {
  message: Schema.String
}) {}

/** Where Turma's own migrations are. */
export const migrationsFolder = fileURLToPath(new URL("../../../migrations", import.meta.url))

interface Migration {
  readonly id: number
  readonly name: string
  readonly file: string
  readonly script: string
  /** SHA-256 of the file, in hexadecimal. */
  readonly checksum: string
}

const Applied = Schema.Array(Schema.Struct({ id: Schema.Int, name: Schema.String, checksum: Schema.String }))
type Applied = typeof Applied.Type

// Locked until the end of a migration's transaction; every process that starts asks for it first.
const migrationsLock = 7_482_106

const refuse = (message: string) => new MigrationError({ message: `Migrations: ${message}` })

const load = Effect.fnUntraced(function*(folder: string, file: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const match = /^(?<id>\d{4})_(?<name>\w+)\.sql$/.exec(file)
  if (match?.groups === undefined) return yield* refuse(`${file} is not named like 0001_what.sql`)
  const script = yield* fs.readFileString(path.join(folder, file))
  const checksum = createHash("sha256").update(script).digest("hex")
  return {
    id: Number(match.groups["id"]),
    name: match.groups["name"] ?? "",
    file,
    script,
    checksum
  } satisfies Migration
})

const loadAll = Effect.fnUntraced(
  function*(folder: string) {
    const fs = yield* FileSystem.FileSystem
    const files = (yield* fs.readDirectory(folder)).filter((file) => file.endsWith(".sql")).toSorted()
    const migrations = yield* Effect.forEach(files, (file) => load(folder, file))
    const twin = migrations.find(({ id }, index) => migrations[index - 1]?.id === id)
    if (twin !== undefined) return yield* refuse(`two files have the number of ${twin.file}`)
    return migrations
  },
  (effect, folder) =>
    Effect.catchTag(effect, "PlatformError", (cause) => Effect.fail(refuse(`cannot read ${folder}: ${cause.message}`)))
)

/** Says in one line why this history cannot be continued with these files, if it cannot. */
const conflict = (migrations: ReadonlyArray<Migration>, applied: Applied): string | undefined => {
  const latest = applied.at(-1)?.id ?? 0
  const last = migrations.at(-1)?.id ?? 0
  if (latest > last) {
    return `the database is from a newer version of Turma (it is at ${latest}, this version ends at ${last})`
  }
  for (const { checksum, id, name } of applied) {
    const file = migrations.find((migration) => migration.id === id)
    if (file === undefined) return `${id} (${name}) has been applied, but its file is gone`
    if (file.checksum !== checksum) return `${file.file} has changed since it was applied`
  }
  const gap = migrations.find(({ id }) => id < latest && !applied.some((done) => done.id === id))
  return gap && `${gap.file} was not applied before ${latest}: give it a number after the last one`
}

/** What the server or the socket said, in one line. */
export const firstLine = ({ cause, message }: SqlError.SqlErrorReason): string => {
  if (!(cause instanceof Error)) return message
  // A name that stands for several addresses fails with an empty message and a code.
  const text = cause.message === "" && "code" in cause ? String(cause.code) : cause.message
  return text.split("\n", 1)[0] ?? message
}

// The driver's protocol takes one statement per message; EXECUTE takes a whole script and stays in the transaction.
// Nothing in the file ends the quotes: they carry its own checksum.
const runScript = Effect.fnUntraced(function*({ checksum, file, script }: Migration) {
  const sql = yield* SqlClient.SqlClient
  const tag = checksum.slice(0, 40)
  const block = `do $do_${tag}$ begin execute $sql_${tag}$${script}$sql_${tag}$; end $do_${tag}$`
  yield* Effect.catchTag(
    sql.unsafe(block),
    "SqlError",
    ({ reason }) => Effect.fail(refuse(`${file} failed: ${firstLine(reason)}`))
  )
})

/** Locks the schema until the transaction ends, and creates the table that says what was applied. */
const lock = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // However long another process takes for a migration, who starts meanwhile waits.
  yield* sql`select set_config('lock_timeout', '0', true)`
  yield* sql`select pg_advisory_xact_lock(${migrationsLock})`
  yield* sql`
    create table if not exists schema_migrations (
      id          int primary key,
      name        text not null,
      checksum    text not null,
      applied_at  timestamptz not null
    )`
})

/** Applies the first pending file, if there is one, in a transaction that no other process shares. */
const step = Effect.fnUntraced(function*(migrations: ReadonlyArray<Migration>) {
  const sql = yield* SqlClient.SqlClient
  yield* lock
  const rows = yield* sql`select id, name, checksum from schema_migrations order by id`
  const applied = yield* Effect.orDie(Schema.decodeUnknownEffect(Applied)(rows))
  const problem = conflict(migrations, applied)
  if (problem !== undefined) return yield* refuse(problem)
  const next = migrations.find(({ id }) => !applied.some((done) => done.id === id))
  if (next === undefined) return undefined
  yield* runScript(next)
  const applied_at = DateTime.toDateUtc(yield* DateTime.now)
  const { checksum, id, name } = next
  yield* sql`insert into schema_migrations ${sql.insert({ id, name, checksum, applied_at })}`
  return next.file
})

/**
 * Brings the schema up to date with the files `NNNN_what.sql` of a folder, each in a transaction of its own. Any number
 * of processes may do this at once. Answers the files that this call applied.
 */
export const migrate = Effect.fn("Migrations.migrate")(function*(folder: string = migrationsFolder) {
  const sql = yield* SqlClient.SqlClient
  const migrations = yield* loadAll(folder)
  const applied: Array<string> = []
  while (true) {
    const file = yield* sql.withTransaction(step(migrations))
    if (file === undefined) return applied
    yield* Effect.logInfo(`Applied migration ${file}`)
    applied.push(file)
  }
})

const history = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql`select to_regclass('schema_migrations') is not null as is_there`
  if (found?.["is_there"] !== true) return []
  const rows = yield* sql`select id, name, checksum from schema_migrations order by id`
  return yield* Effect.orDie(Schema.decodeUnknownEffect(Applied)(rows))
})

/**
 * The files that a start would apply, and why it could not where that is so. Looks only, and waits for nobody: what another
 * process applies just then is still pending.
 */
export const pendingMigrations = Effect.gen(function*() {
  const migrations = yield* loadAll(migrationsFolder)
  const applied = yield* history
  const pending = migrations.filter(({ id }) => !applied.some((done) => done.id === id)).map(({ file }) => file)
  return { pending, conflict: conflict(migrations, applied) }
})

/**
 * Makes the schema of another database in an empty one, in the caller's transaction: exactly the migrations that it had,
 * of Turma's own, which are refused if they are not the same. Their rows in `schema_migrations` are the caller's.
 */
export const migrateAs = Effect.fn("Migrations.migrateAs")(function*(applied: Applied) {
  const migrations = yield* loadAll(migrationsFolder)
  const problem = conflict(migrations, applied)
  if (problem !== undefined) return yield* refuse(problem)
  yield* lock
  for (const migration of migrations.filter(({ id }) => applied.some((done) => done.id === id))) {
    yield* runScript(migration)
  }
})
