import { Context, Duration, Effect, FileSystem, Path, Predicate, Schedule, Schema } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { fileURLToPath } from "node:url"
import { textFile } from "../text/TextFile.ts"
import {
  aheadOf,
  type Applied,
  conflict,
  createAdditions,
  createHistory,
  pendingOf,
  readHistory,
  record
} from "./migrations/History.ts"
import { runLong } from "./migrations/LongMigration.ts"
import { inTransaction, type MigrationFile, readMigration } from "./migrations/MigrationFile.ts"

/** The folder's files and the database's history do not fit, or a file failed: one line. */
export class MigrationError extends Schema.TaggedError<MigrationError>()("MigrationError", {
  message: Schema.String
}) {}

/** Where Turma's own migrations are. */
export const migrationsFolder = fileURLToPath(new URL("../../../migrations", import.meta.url))

// Locked until the end of a migration's transaction; every process that starts asks for it first, also those of versions
// that know no other lock.
const migrationsLock = 7_482_106

// Taken while a file runs that has no transaction of its own, and only ever tried. A statement that waits for a lock
// has a snapshot, and a concurrent index waits for every snapshot.
const longLock = 7_482_108

/** How long a file waits for a table that others use. All who come later wait behind it, so that is short. */
const lockTimeout = "1s"

/** Then it lets everybody else go first and tries again, for about half an hour. */
const patience = Schedule.exponential("500 millis", 1.5).pipe(
  (growing) => Schedule.min([growing, Schedule.spaced("15 seconds")]),
  Schedule.jittered,
  Schedule.upTo({ times: 110 })
)

/** True if tables were in use, or the file and others waited for each other. */
const isContended = (error: unknown): boolean =>
  Predicate.isTagged(error, "SqlError") && error instanceof SqlError.SqlError &&
  ["LockTimeoutError", "DeadlockError"].includes(error.reason._tag)

const refuse = (message: string) => new MigrationError({ message: `Migrations: ${message}` })

const load = Effect.fnUntraced(function*(folder: string, file: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const migration = readMigration(file, yield* textFile(fs, path.join(folder, file)))
  return typeof migration === "string" ? yield* refuse(`${file} ${migration}`) : migration
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

/** The message of the server or the socket, in one line. */
export const firstLine = ({ cause, message }: SqlError.SqlErrorReason): string => {
  if (!(cause instanceof Error)) return message
  // A name that stands for several addresses fails with an empty message and a code.
  const text = cause.message === "" && "code" in cause ? String(cause.code) : cause.message
  return text.split("\n", 1)[0] ?? message
}

const failedIn = (file: string) => ({ reason }: SqlError.SqlError) => refuse(`${file} failed: ${firstLine(reason)}`)

// The driver's protocol takes one statement per message; EXECUTE takes a whole script and stays in the transaction.
// Nothing in the file ends the quotes: they carry its own checksum.
const runScript = Effect.fnUntraced(function*({ checksum, running, script }: MigrationFile) {
  const sql = yield* SqlClient.SqlClient
  const tag = checksum.slice(0, 40)
  const whole = inTransaction({ running, script })
  yield* sql.unsafe(`do $do_${tag}$ begin execute $sql_${tag}$${whole}$sql_${tag}$; end $do_${tag}$`)
})

/** Locks the schema until the transaction ends, and creates the table that says what was applied. */
const lock = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // However long another process takes for a migration, who starts meanwhile waits.
  yield* sql`select set_config('lock_timeout', '0', true)`
  yield* sql`select pg_advisory_xact_lock(${migrationsLock})`
  yield* createHistory
})

/** The result of a transaction. */
type Stepped =
  | { readonly is: "done"; readonly ahead: Applied }
  | { readonly is: "applied"; readonly file: string }
  /** The next file has no transaction. */
  | { readonly is: "long"; readonly migration: MigrationFile }

const readNext = Effect.fnUntraced(function*(migrations: ReadonlyArray<MigrationFile>) {
  const history = yield* readHistory
  const problem = conflict(migrations, history)
  if (problem !== undefined) return yield* refuse(problem)
  return { next: pendingOf(migrations, history)[0], ahead: aheadOf(migrations, history) }
})

/** Applies the first pending file, if there is one, in a transaction that no other process shares. */
const step = Effect.fnUntraced(function*(migrations: ReadonlyArray<MigrationFile>) {
  const sql = yield* SqlClient.SqlClient
  yield* lock
  const { ahead, next } = yield* readNext(migrations)
  if (next === undefined) return { is: "done", ahead } satisfies Stepped
  if (next.running !== "transaction") return { is: "long", migration: next } satisfies Stepped
  yield* sql`select set_config('lock_timeout', ${lockTimeout}, true)`
  yield* runScript(next).pipe(Effect.catchIf(
    (error) => !isContended(error),
    (error) => Effect.fail(failedIn(next.file)(error))
  ))
  yield* record(next)
  return { is: "applied", file: next.file } satisfies Stepped
})

/**
 * Runs a file that has no transaction, unless another process does: the lock belongs to a transaction that does nothing
 * else. Answers whether the file is applied.
 */
const stepLong = Effect.fnUntraced(function*(migrations: ReadonlyArray<MigrationFile>, migration: MigrationFile) {
  const sql = yield* SqlClient.SqlClient
  const [tried] = yield* sql`select pg_try_advisory_xact_lock(${longLock}) as is_ours`
  if (tried?.["is_ours"] !== true) return false
  const { next } = yield* readNext(migrations)
  if (next?.id !== migration.id) return false
  // A transaction keeps the snapshot of what it last selected: this selects nothing. It is idle for as long as it takes.
  yield* sql`set local idle_in_transaction_session_timeout = 0`
  const apart = Effect.andThen(runLong(migration), sql.withTransaction(Effect.andThen(lock, record(migration))))
    .pipe(Effect.catchIf(
      (error) => !isContended(error),
      (error) => Effect.fail(error._tag === "SqlError" ? failedIn(migration.file)(error) : error)
    ))
  yield* Effect.updateContext(
    apart,
    (context: Context.Context<SqlClient.SqlClient>): Context.Context<SqlClient.SqlClient> =>
      Context.merge(Context.omit(sql.transactionService)(context), Context.make(SqlClient.SqlClient, sql))
  )
  return true
})

const oldest = Schema.Array(Schema.Struct({ pid: Schema.Int, application: Schema.String, state: Schema.String }))

/** The oldest transactions, for an operator who wonders why a migration waits. */
const readOldest = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select pid, coalesce(application_name, '') as application, coalesce(state, '') as state
    from pg_stat_activity
    where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()
    order by xact_start limit 3`
  const found = yield* Effect.orDie(Schema.decodeUnknownEffect(oldest)(rows))
  return found.map(({ application, pid, state }) => `${pid} (${application}, ${state})`).join(", ")
})

/** Says in the log that a table is in use, and by which transactions it may be. */
const sayContended = Effect.gen(function*() {
  const holders = yield* readOldest
  yield* Effect.logWarning("A migration waits for a table that is in use, and is tried again", {
    oldest_transactions: holders === "" ? "none" : holders
  })
})

/** Tries again while tables are in use, without holding others up meanwhile. */
const untilFree = <A, R>(effect: Effect.Effect<A, MigrationError | SqlError.SqlError, R>) =>
  effect.pipe(
    Effect.tapError((error) => isContended(error) ? sayContended : Effect.void),
    Effect.retry({ while: isContended, schedule: patience })
  )

/** How long a process waits before it looks again whether another one has finished a long file. */
const lookAgain = Duration.seconds(1)

/**
 * Brings the schema up to date with the files `NNNN_what.sql` of a folder: each in a transaction of its own, or as its head
 * says. Any number of processes may do this at once. Answers the files that this call applied.
 */
export const migrate = Effect.fn("Migrations.migrate")(function*(folder: string = migrationsFolder) {
  const sql = yield* SqlClient.SqlClient
  const migrations = yield* loadAll(folder)
  const applied: Array<string> = []
  const add = Effect.fnUntraced(function*(file: string) {
    yield* Effect.logInfo(`Applied migration ${file}`)
    applied.push(file)
  })
  while (true) {
    const stepped: Stepped = yield* untilFree(sql.withTransaction(step(migrations)))
    if (stepped.is === "applied") yield* add(stepped.file)
    else if (stepped.is === "long") {
      const { migration } = stepped
      if (yield* untilFree(sql.withTransaction(stepLong(migrations, migration)))) yield* add(migration.file)
      else yield* Effect.sleep(lookAgain)
    } else {
      if (stepped.ahead.length > 0) yield* sayAhead(stepped.ahead)
      return applied
    }
  }
})

const sayAhead = (ahead: Applied) =>
  Effect.logWarning("The database is ahead of this version of Turma, which may run beside what a newer one has added", {
    migrations: ahead.map(({ id, name }) => `${id} (${name})`).join(", ")
  })

/**
 * The files that a start would apply, why it could not where that is so, and what a newer version has added. Looks only, and
 * waits for nobody: what another process applies just then is still pending.
 */
export const pendingMigrations = Effect.gen(function*() {
  const migrations = yield* loadAll(migrationsFolder)
  const history = yield* readHistory
  return {
    pending: pendingOf(migrations, history).map(({ file }) => file),
    conflict: conflict(migrations, history),
    ahead: aheadOf(migrations, history).map(({ id, name }) => `${id} (${name})`)
  }
})

/**
 * Makes the schema of another database in an empty one, in the caller's transaction: exactly the migrations that it
 * had. They are refused unless they are Turma's own files. The caller restores the rows that record them.
 */
export const migrateAs = Effect.fn("Migrations.migrateAs")(function*(applied: Applied) {
  const migrations = yield* loadAll(migrationsFolder)
  const problem = conflict(migrations, { needed: applied, additions: [] })
  if (problem !== undefined) return yield* refuse(problem)
  yield* lock
  const wanted = migrations.filter(({ id }) => applied.some((done) => done.id === id))
  if (wanted.some(({ beside, id }) => beside < id)) yield* createAdditions
  for (const migration of wanted) {
    yield* Effect.mapError(runScript(migration), failedIn(migration.file))
  }
})
