import * as NodeServices from "@effect/platform-node/NodeServices"
import { Context, Effect, FileSystem, Layer, Option, Path, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type SqlError } from "effect/sql"
import { processCountSettings } from "../processes/ProcessSettings.ts"
import { connectionsLayer } from "./Connections.ts"
import { databaseSettings, usesEmbeddedPostgres } from "./DatabaseSettings.ts"
import { askedClock, DatabaseTime } from "./DatabaseTime.ts"
import { firstLine, MigrationsLayer } from "./Migrations.ts"
import { EmbeddedPostgresError } from "./PostgresCluster.ts"
import { one } from "./Rows.ts"
import { type SupervisedPostgres, supervisedPostgres } from "./SupervisedPostgres.ts"

/** PostgreSQL does not answer, does not let us in or is too old: one line that names `DATABASE_URL`. */
export class DatabaseUnavailable extends Schema.TaggedError<DatabaseUnavailable>()("DatabaseUnavailable", {
  message: Schema.String
}) {}

const oldestVersion = 15

const withoutSecrets = (url: Redacted.Redacted) => {
  const { host, pathname, protocol, username } = new URL(Redacted.value(url))
  return `${protocol}//${username === "" ? "" : `${username}@`}${host}${pathname}`
}

const unavailable = (url: Redacted.Redacted) => ({ reason }: SqlError.SqlError) => {
  const why = firstLine(reason)
  return new DatabaseUnavailable({ message: `DATABASE_URL: cannot use ${withoutSecrets(url)}: ${why}` })
}

const decodeVersion = one(Schema.Struct({ number: Schema.Int }))

/** Asks the server once, before anything depends on it. */
const checkServer = Effect.fnUntraced(function*(url: Redacted.Redacted) {
  const sql = yield* SqlClient.SqlClient
  const { number } = yield* sql`select current_setting('server_version_num')::int as number`.pipe(
    Effect.mapError(unavailable(url)),
    decodeVersion
  )
  const major = Math.floor(number / 10_000)
  if (major >= oldestVersion) return
  return yield* new DatabaseUnavailable({
    message: `DATABASE_URL: ${withoutSecrets(url)} is PostgreSQL ${major}, Turma needs ${oldestVersion} or newer`
  })
})

/** In `DATA_DIR` while a backup is restored into it, and afterwards if that was cut off. */
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

/** Connections of a server with its defaults, and what is left of them for commands beside the service. */
const usual = 100
const spare = 10

/** As many connections as all processes of the command may open, with the one that is restarted among them. */
const serverSettings = Effect.gen(function*() {
  const pool = yield* databaseSettings.DATABASE_POOL.read
  const processes = yield* processCountSettings.PROCESSES.read
  const needed = (processes + 1) * (pool + 1) + spare
  return processes > 1 && needed > usual ? { max_connections: `${needed}` } : {}
})

/** Where PostgreSQL answers. A server of others is never lost: it is asked again. */
export class DatabaseServer
  extends Context.Service<DatabaseServer, SupervisedPostgres>()("turma/platform/sql/DatabaseServer")
{
  static readonly layer = Layer.effect(
    DatabaseServer,
    Effect.gen(function*() {
      const given = yield* databaseSettings.DATABASE_URL.read
      if (Option.isSome(given)) return { url: given.value, lost: Effect.never, endWithoutAnswer: Effect.void }
      const path = yield* Path.Path
      const folder = yield* databaseSettings.DATA_DIR.read
      yield* refuseHalfRestored(folder)
      return yield* supervisedPostgres({ directory: path.resolve(folder, "postgres"), settings: yield* serverSettings })
    })
  ).pipe(Layer.provide([NodeServices.layer, SecureRandom.layerWebCrypto]))
}

/**
 * The connection pool and whose clock the database has, without migrations: for `turma migrate` and what must look at any
 * schema.
 */
export const PgLayer = Layer.unwrap(Effect.gen(function*() {
  const { url } = yield* DatabaseServer
  const connections = yield* databaseSettings.DATABASE_POOL.read
  const isOurs = yield* usesEmbeddedPostgres
  return Layer.effectDiscard(checkServer(url)).pipe(
    Layer.merge(Layer.succeed(DatabaseTime, { ...askedClock, isOurs })),
    Layer.provideMerge(connectionsLayer({ url, connections }))
  )
})).pipe(Layer.provideMerge(DatabaseServer.layer))

/** The connection pool, on a migrated schema. */
export const DatabaseLayer = MigrationsLayer.pipe(
  Layer.provideMerge(PgLayer),
  Layer.provide(NodeServices.layer)
)
