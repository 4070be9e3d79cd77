import * as NodeServices from "@effect/platform-node/NodeServices"
import { PgConnection } from "@effect/sql-pg"
import { Clock, Context, Effect, FileSystem, Layer, Option, Path, Queue, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type SqlError } from "effect/sql"
import { processCountSettings } from "../processes/ProcessSettings.ts"
import { bothAtOnce } from "./AtOnce.ts"
import { boundsFor, foundBounds, missingBounds, startupBounds } from "./Bounds.ts"
import { connectionsLayer } from "./Connections.ts"
import { databaseAddresses, directly, type Speaking } from "./DatabaseAddresses.ts"
import { databaseSettings, fewestConnections, usesEmbeddedPostgres } from "./DatabaseSettings.ts"
import { askedClock, DatabaseTime } from "./DatabaseTime.ts"
import { firstLine, migrate, migrationsFolder } from "./Migrations.ts"
import { EmbeddedPostgresError } from "./PostgresCluster.ts"
import { one } from "./Rows.ts"
import { type SupervisedPostgres, supervisedPostgres } from "./SupervisedPostgres.ts"

/** PostgreSQL does not answer, does not let us in or is too old: one line that names `DATABASE_URL`. */
class DatabaseUnavailable extends Schema.TaggedError<DatabaseUnavailable>()("DatabaseUnavailable", {
  message: Schema.String
}) {}

const oldestVersion = 15

const withoutSecrets = (url: Redacted.Redacted) => {
  const { host, pathname, protocol, username } = new URL(Redacted.value(url))
  return `${protocol}//${username === "" ? "" : `${username}@`}${host}${pathname}`
}

const pooler = "DATABASE_POOLER=transaction with DATABASE_SESSION_URL, where this is a pooler in transaction mode"

/** Words that a server does not use, but a pooler does when it does not understand us. */
const tellsOfPooler = (why: string) => /startup parameter|prepared statement/.test(why)

const unavailable = (variable: string, url: Redacted.Redacted) => ({ reason }: SqlError.SqlError) => {
  const why = firstLine(reason)
  const advice = variable === "DATABASE_URL" && tellsOfPooler(why) ? `: set ${pooler}` : ""
  return new DatabaseUnavailable({ message: `${variable}: cannot use ${withoutSecrets(url)}: ${why}${advice}` })
}

const Server = Schema.Struct({
  number: Schema.Int,
  encoding: Schema.String,
  system: Schema.String,
  database: Schema.String,
  role: Schema.String,
  lock_timeout: Schema.Int,
  idle_in_transaction_session_timeout: Schema.Int
})
type Server = typeof Server.Type

const askServer = `
  select current_setting('server_version_num')::int as number, current_setting('server_encoding') as encoding,
    current_database() as database, current_user as role,
    (select system_identifier from pg_control_system())::text as system, ${foundBounds}`

const decodeServer = one(Server)

const requireVersion = ({ number }: Server, url: Redacted.Redacted) => {
  const major = Math.floor(number / 10_000)
  return major >= oldestVersion ? Effect.void : Effect.fail(new DatabaseUnavailable({
    message: `DATABASE_URL: ${withoutSecrets(url)} is PostgreSQL ${major}, Turma needs ${oldestVersion} or newer`
  }))
}

/** In another encoding some names cannot be stored, and names are not compared without their accents. */
const requireEncoding = ({ encoding }: Server, url: Redacted.Redacted) =>
  encoding === "UTF8" ? Effect.void : Effect.fail(new DatabaseUnavailable({
    message: `DATABASE_URL: ${withoutSecrets(url)} has the encoding ${encoding}, Turma needs UTF8: ` +
      "create database … encoding 'UTF8' template template0"
  }))

/** A pooler drops start-up parameters, so the role must have the bounds. */
const requireBounds = (
  server: Server,
  { isPooled, url }: { readonly isPooled: boolean; readonly url: Redacted.Redacted }
) => {
  const missing = missingBounds(server)
  if (missing.length === 0) return Effect.void
  const what = `DATABASE_URL: ${withoutSecrets(url)} does not have our ${missing.join(" and ")}`
  return Effect.fail(new DatabaseUnavailable({
    message: isPooled
      ? `${what}: run "${boundsFor(server.role, server.database, missing)}", then RECONNECT in the pooler's console`
      : `${what}: set ${pooler}`
  }))
}

/** How long a notification may take that a start sends itself. */
const notifyTimeout = "2 seconds"

/** True if this connection receives notifications of another one: only a session listens. */
const hears = Effect.fnUntraced(function*(connection: PgConnection.PgConnection) {
  const sql = yield* SqlClient.SqlClient
  const own = `${connection.processId} ${yield* Clock.currentTimeMillis}`
  const heard = yield* connection.listen("turma_start")
  yield* sql`select pg_notify('turma_start', ${own})`
  const untilOwn = Effect.repeat(Queue.take(heard), { until: ({ payload }) => payload === own })
  return Option.isSome(yield* Effect.timeoutOption(untilOwn, notifyTimeout))
})

/** The address past a pooler has to be of the same database, and to be a session with all that one says at its start. */
const requireSession = Effect.fnUntraced(
  function*(server: Server, url: Redacted.Redacted) {
    const refuse = (why: string) =>
      new DatabaseUnavailable({ message: `DATABASE_SESSION_URL: ${withoutSecrets(url)} ${why}` })
    const connection = yield* PgConnection.make({ url, applicationName: "turma", startupParameters: startupBounds })
    const { rows: [row] } = yield* connection.query(askServer)
    const there = yield* Effect.orDie(Schema.decodeUnknownEffect(Server)(row))
    if (there.system !== server.system || there.database !== server.database) {
      return yield* refuse("is another database than that of DATABASE_URL")
    }
    if (missingBounds(there).length > 0 || !(yield* hears(connection))) {
      return yield* refuse("gives no session, so a pooler is in between: name the database's own address")
    }
  },
  Effect.scoped,
  (effect, _, url) =>
    Effect.catchTag(effect, "SqlError", (error) => Effect.fail(unavailable("DATABASE_SESSION_URL", url)(error)))
)

/** The driver's names: a pooler that keeps statements gives them names of its own. */
const namesOfDriver = "select count(*)::int as passed_on from pg_prepared_statements where name like 'effect\\_%'"

/** Both are sent in one write, so that the second runs where the first was prepared. */
const requirePreparing = Effect.fnUntraced(
  function*(url: Redacted.Redacted) {
    const connection = yield* PgConnection.make({ url, applicationName: "turma", multiplex: true })
    const [, { rows }] = yield* bothAtOnce(connection.query("select 1"), connection.query(namesOfDriver, [], false))
    if (rows[0]?.["passed_on"] === 0) return
    return yield* new DatabaseUnavailable({
      message: `DATABASE_PREPARED_STATEMENTS: the pooler at ${withoutSecrets(url)} does not keep them: ` +
        "false, or max_prepared_statements in a PgBouncer from 1.21 on"
    })
  },
  Effect.scoped,
  (effect, url) =>
    Effect.catchTag(effect, "SqlError", (error) => Effect.fail(unavailable("DATABASE_PREPARED_STATEMENTS", url)(error)))
)

interface Checked extends Speaking {
  readonly url: Redacted.Redacted
  readonly sessionUrl: Redacted.Redacted
}

/** Asks the server once, before anything depends on it. */
const checkServer = Effect.fnUntraced(function*({ isPooled, prepare, sessionUrl, url }: Checked) {
  const sql = yield* SqlClient.SqlClient
  const server = yield* sql.unsafe(askServer).pipe(Effect.mapError(unavailable("DATABASE_URL", url)), decodeServer)
  yield* requireVersion(server, url)
  yield* requireEncoding(server, url)
  yield* requireBounds(server, { isPooled, url })
  if (sessionUrl !== url) yield* requireSession(server, sessionUrl)
  if (isPooled && prepare) yield* requirePreparing(url)
})

/** In `DATA_DIR` while a backup is restored into it, and afterwards if the restore stopped halfway. */
export const restoringFolder = "restoring"

const refuseHalfRestored = Effect.fnUntraced(function*(folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const restoring = path.resolve(folder, restoringFolder)
  if (!(yield* Effect.orElseSucceed(fs.exists(restoring), () => false))) return
  return yield* new EmbeddedPostgresError({
    message: `${restoring}: a restore into DATA_DIR is under way, or was cut off: then empty DATA_DIR and restore again`
  })
})

/** Connections of a server with its defaults, and the rest of them for commands beside the service. */
const usual = 100
const spare = 10

/** As many connections as all processes of the command may open, with the one that is restarted among them. */
const serverSettings = Effect.gen(function*() {
  const pool = yield* databaseSettings.DATABASE_POOL.read
  const processes = yield* processCountSettings.PROCESSES.read
  const needed = (processes + 1) * (pool + 1) + spare
  return processes > 1 && needed > usual ? { max_connections: `${needed}` } : {}
})

/** The addresses of PostgreSQL, and whether a pooler is between. */
interface Served extends SupervisedPostgres, Speaking {
  /** Where a connection is a session. */
  readonly sessionUrl: Redacted.Redacted
  readonly readUrl: Option.Option<Redacted.Redacted>
}

/** Where PostgreSQL answers. A server of others is never lost: it is asked again. */
export class DatabaseServer extends Context.Service<DatabaseServer, Served>()("turma/platform/sql/DatabaseServer") {
  static readonly layer = Layer.effect(
    DatabaseServer,
    Effect.gen(function*() {
      const given = yield* databaseAddresses
      if (Option.isSome(given)) return { ...given.value, lost: Effect.never, endWithoutAnswer: Effect.void }
      const path = yield* Path.Path
      const folder = yield* databaseSettings.DATA_DIR.read
      yield* refuseHalfRestored(folder)
      const directory = path.resolve(folder, "postgres")
      const server = yield* supervisedPostgres({ directory, settings: yield* serverSettings })
      return { ...server, ...directly, sessionUrl: server.url, readUrl: Option.none() }
    })
  ).pipe(Layer.provide([NodeServices.layer, SecureRandom.layerWebCrypto]))
}

/**
 * The connection pool and whose clock the database has, without migrations: for `turma migrate` and what must look at any
 * schema.
 */
export const PgLayer = Layer.unwrap(Effect.gen(function*() {
  const server = yield* DatabaseServer
  const { sessionUrl, url } = server
  const connections = yield* databaseSettings.DATABASE_POOL.read
  const isOurs = yield* usesEmbeddedPostgres
  const readUrl = Option.getOrUndefined(server.readUrl)
  return Layer.effectDiscard(checkServer(server)).pipe(
    Layer.merge(Layer.succeed(DatabaseTime, { ...askedClock, isOurs })),
    Layer.provideMerge(connectionsLayer({ url, connections, speaking: server, sessionUrl, readUrl }))
  )
})).pipe(Layer.provideMerge(DatabaseServer.layer))

/** Brings the schema up to date on a connection that is a session: no pooler ends a long statement. */
export const migrateHere = (folder: string = migrationsFolder) =>
  Effect.flatMap(DatabaseServer, ({ sessionUrl, url }) =>
    sessionUrl === url
      ? migrate(folder)
      : Effect.provide(migrate(folder), connectionsLayer({ url: sessionUrl, connections: fewestConnections })))

/** The connection pool, on a migrated schema. */
export const DatabaseLayer = Layer.effectDiscard(migrateHere()).pipe(
  Layer.provideMerge(PgLayer),
  Layer.provide(NodeServices.layer)
)
