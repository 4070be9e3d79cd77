import { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { connectionsLayer } from "../../src/platform/sql/Connections.ts"
import { MovedGuardLayer } from "./MovedTime.ts"

/** The URL of a database whose user may create databases. Tests store nothing in it. */
export const adminDatabaseUrl = (): Redacted.Redacted => Redacted.make(inject("adminDatabaseUrl"))

const asAdmin = (statement: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)).pipe(Effect.provide(Layer.suspend(() =>
    PgClient.layer({ url: adminDatabaseUrl(), maxConnections: 1 })
  )))

const newDatabase = Effect.fnUntraced(function*(source: string) {
  const random = yield* SecureRandom.SecureRandom
  const name = `test_${(yield* random.uuidV4()).replaceAll("-", "")}`
  yield* Effect.acquireRelease(
    // Copying whole files takes a third of the time of copying page by page, a strategy for small templates.
    asAdmin(`create database ${name} template ${source} strategy file_copy`),
    () => Effect.orDie(asAdmin(`drop database ${name} with (force)`))
  )
  const url = new URL(Redacted.value(adminDatabaseUrl()))
  url.pathname = `/${name}`
  return Redacted.make(url.href)
}, Effect.provide(SecureRandom.layerWebCrypto))

/** A migrated database for a server process of the test's own, dropped with the scope. */
export const freshDatabaseUrl = Effect.suspend(() => newDatabase(inject("templateDatabase")))

/** A database without any table, dropped with the scope. */
export const emptyDatabaseUrl = newDatabase("template0")

// The pool's own timers stay on real time. Otherwise a test that moves TestClock by a month would run all of them on
// the way.
const RealTime = Layer.sync(Clock.Clock, () => Clock.Clock.defaultValue())

// One source of ids for the service and the makers of rows, for the life of the database. Its UUIDv7s keep the order in
// which they were created, even within a millisecond.
const KeptRandomLayer = Layer.effectDiscard(SecureRandom.SecureRandom).pipe(Layer.provide(SecureRandom.layerWebCrypto))

const layerFrom = (url: typeof freshDatabaseUrl | typeof emptyDatabaseUrl, connections = 13) =>
  MovedGuardLayer.pipe(
    Layer.provideMerge(Layer.unwrap(Effect.map(url, (url) => connectionsLayer({ url, connections })))
      .pipe(Layer.provide(RealTime))),
    Layer.merge(KeptRandomLayer)
  )

/** A migrated database for each test file, dropped at the end of the file. */
export const PostgresLayer = layerFrom(freshDatabaseUrl)

/** The same without any tables. */
export const EmptyPostgresLayer = layerFrom(emptyDatabaseUrl)

/** An existing database, with so many connections. */
export const postgresLayerAt = (url: Redacted.Redacted, connections: number) =>
  layerFrom(Effect.succeed(url), connections)
