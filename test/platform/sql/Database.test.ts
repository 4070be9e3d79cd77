import { NodeServices } from "@effect/platform-node"
import { PgConnection } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Logger, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { DatabaseLayer } from "../../../src/platform/sql/Database.ts"
import { usesEmbeddedPostgres } from "../../../src/platform/sql/DatabaseSettings.ts"
import { freePort } from "../../harness/FreePort.ts"
import { freshDatabaseUrl } from "../../harness/Postgres.ts"
import { postgresFolder } from "../../harness/Watchdog.ts"

const settings = (variables: Readonly<Record<string, string>>) =>
  Layer.succeed(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env: variables }))

/** `DatabaseLayer` as a process with these variables builds it. */
const processWith = (variables: Readonly<Record<string, string>>) =>
  DatabaseLayer.pipe(Layer.fresh, Layer.provide([settings(variables), Logger.layer([])]))

const refusal = (variables: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(Effect.scoped(Layer.build(processWith(variables)))), (error) => error.message)

// Real connections to a real server need real time.
layer(NodeServices.layer, { excludeTestServices: true })("The database", (it) => {
  it.effect("is the one of DATABASE_URL, migrated, under the name turma", () =>
    Effect.gen(function*() {
      const url = Redacted.value(yield* freshDatabaseUrl)
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const rows = yield* sql`
          select current_database() as database, current_setting('application_name') as name,
                 (select count(*) > 0 from schema_migrations) as migrated`
        assert.deepStrictEqual(rows, [{ database: new URL(url).pathname.slice(1), name: "turma", migrated: true }])
      }).pipe(Effect.provide(processWith({ DATABASE_URL: url, DATABASE_POOL: "3" })))
    }))

  it.effect("lets nobody wait for ever behind a lock or a transaction that stands still", () =>
    Effect.gen(function*() {
      const url = Redacted.value(yield* freshDatabaseUrl)
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const rows = yield* sql`
          select current_setting('lock_timeout') as lock,
            current_setting('idle_in_transaction_session_timeout') as idle`
        assert.deepStrictEqual(rows, [{ lock: "10s", idle: "30s" }])
      }).pipe(Effect.provide(processWith({ DATABASE_URL: url, DATABASE_POOL: "3" })))
    }))

  it.effect("is an embedded one under DATA_DIR without DATABASE_URL", () =>
    Effect.gen(function*() {
      const folder = yield* postgresFolder()
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const rows = yield* sql`select current_setting('data_directory') as folder`
        assert.deepStrictEqual(rows, [{ folder: `${folder}/postgres/cluster` }])
      }).pipe(Effect.provide(processWith({ DATA_DIR: folder })))
    }))

  it.effect("tells whether it is the embedded one", () =>
    Effect.gen(function*() {
      const given = settings({ DATABASE_URL: "postgres://localhost/turma" })
      assert.isFalse(yield* Effect.provide(usesEmbeddedPostgres, given))
      assert.isTrue(yield* Effect.provide(usesEmbeddedPostgres, settings({})))
    }))

  it.effect("refuses what is no PostgreSQL URL, naming the variable", () =>
    Effect.gen(function*() {
      const line = "DATABASE_URL: expected a PostgreSQL URL with a database name, for example " +
        "DATABASE_URL=postgres://turma:secret@db.example:5432/turma"
      assert.strictEqual(yield* refusal({ DATABASE_URL: "mysql://ann:hidden@localhost/turma" }), line)
      assert.strictEqual(yield* refusal({ DATABASE_URL: "postgres://ann:hidden@localhost" }), line)
    }))

  it.effect("refuses a pool that is no number", () =>
    Effect.gen(function*() {
      const message = yield* refusal({ DATABASE_URL: "postgres://localhost/turma", DATABASE_POOL: "many" })
      assert.match(message, /^DATABASE_POOL: expected a whole number from 3 to 1000/)
    }))

  it.effect("says in one line that the server does not answer, without the password", () =>
    Effect.gen(function*() {
      const port = yield* freePort
      const message = yield* refusal({ DATABASE_URL: `postgres://ann:hidden@127.0.0.1:${port}/turma?password=hidden` })
      assert.strictEqual(
        message,
        `DATABASE_URL: cannot use postgres://ann@127.0.0.1:${port}/turma: connect ECONNREFUSED 127.0.0.1:${port}`
      )
    }))

  it.effect("refuses a database with another encoding than UTF8, naming what it has", () =>
    Effect.gen(function*() {
      const given = yield* freshDatabaseUrl
      const url = new URL(Redacted.value(given))
      url.pathname = `${url.pathname}_ascii`
      const connection = yield* PgConnection.make({ url: given })
      const name = url.pathname.slice(1)
      yield* connection.query(`create database ${name} encoding 'SQL_ASCII' locale 'C' template template0`)
      const message = yield* refusal({ DATABASE_URL: url.href })
      assert.match(message, /^DATABASE_URL: \S+_ascii has the encoding SQL_ASCII, Turma needs UTF8: create database … /)
      assert.notInclude(message, url.password)
    }))

  it.effect("says in one line that the server does not know the database", () =>
    Effect.gen(function*() {
      const url = new URL(Redacted.value(yield* freshDatabaseUrl))
      url.pathname = "/nowhere"
      const message = yield* refusal({ DATABASE_URL: url.href })
      assert.match(message, /^DATABASE_URL: cannot use \S+\/nowhere: database "nowhere" does not exist$/)
      assert.notInclude(message, url.password)
    }))
})
