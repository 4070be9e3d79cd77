import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { Effect, Exit, Logger, Redacted, Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { TestProject } from "vitest/node"
import { embeddedPostgres } from "../../src/platform/sql/EmbeddedPostgres.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { findChromium } from "./Chromium.ts"
import { findInterpreters } from "./Interpreters.ts"
import { ensureRedisServer, startRedis } from "./Redis.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"
import { postgresFolder } from "./Watchdog.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** Its user may create databases. Tests do not use its database. */
    readonly adminDatabaseUrl: string
    /** A migrated database without connections, copied for each test file. */
    readonly templateDatabase: string
    readonly redisUrl: string
    /** The program of Chromium; without it, there are no browser tests. */
    readonly chromium: string | null
    /** The interpreters; without one, its language's tests are skipped. */
    readonly python: string | null
    readonly clientPython: string | null
    readonly java: string | null
    readonly php: string | null
  }
}

/** Autovacuum runs at any time: it changes plans, and meanwhile dead rows stay on their pages. */
const throwaway = {
  autovacuum: "off",
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_connections: "300"
}

const startPostgres = Effect.gen(function*() {
  const given = process.env["TEST_DATABASE_URL"]
  if (given !== undefined) return given
  const folder = yield* postgresFolder()
  return Redacted.value(yield* embeddedPostgres({ directory: `${folder}/postgres`, settings: throwaway }))
})

const clientFor = (adminUrl: string, database?: string) => {
  const url = new URL(adminUrl)
  if (database !== undefined) url.pathname = `/${database}`
  return PgClient.layer({ url: Redacted.make(url.href), maxConnections: 2 })
}

// Contract, Events: the tax document is in no event. This trigger checks every body that any test assembles.
const refuseDocuments = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(`
    create function refuse_document() returns trigger language plpgsql as $$
    begin
      if position('document'::bytea in new.body) > 0 then
        raise exception 'A body names the tax document';
      end if;
      return new;
    end $$`)
  yield* sql.unsafe(`
    create trigger refuse_document before insert on webhook_messages
      for each row when (new.body is not null) execute function refuse_document()`)
})

const makeTemplate = Effect.fnUntraced(function*(adminUrl: string) {
  const random = yield* SecureRandom.SecureRandom
  const template = `turma_template_${(yield* random.uuidV4()).replaceAll("-", "")}`
  const asAdmin = (statement: string) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)).pipe(Effect.provide(clientFor(adminUrl)))
  yield* Effect.acquireRelease(
    asAdmin(`create database ${template}`),
    () => Effect.orDie(asAdmin(`drop database ${template} with (force)`))
  )
  yield* Effect.provide(Effect.andThen(migrate(), refuseDocuments), clientFor(adminUrl, template))
  return template
})

const start = Effect.gen(function*() {
  // Before any code asks for the folder of temporary files. The workers start later and inherit our environment.
  process.env["TMPDIR"] = yield* temporaryFolder
  const adminDatabaseUrl = yield* startPostgres
  const templateDatabase = yield* makeTemplate(adminDatabaseUrl)
  const given = process.env["TEST_REDIS_URL"]
  if (given === undefined) yield* ensureRedisServer
  const redisUrl = given ?? (yield* startRedis()).url
  const chromium = yield* findChromium
  return { adminDatabaseUrl, templateDatabase, redisUrl, chromium, ...yield* findInterpreters }
})

/** Starts PostgreSQL and Redis once for all test files, and stops them at the end. Finds a browser and interpreters. */
export default async (project: TestProject) => {
  const scope = Scope.makeUnsafe()
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  const servers = start.pipe(
    Scope.provide(scope),
    Effect.provide([NodeServices.layer, SecureRandom.layerWebCrypto, Logger.layer([])])
  )
  try {
    const found = await Effect.runPromise(servers)
    const { adminDatabaseUrl, chromium, clientPython, java, php, python, redisUrl, templateDatabase } = found
    project.provide("adminDatabaseUrl", adminDatabaseUrl)
    project.provide("templateDatabase", templateDatabase)
    project.provide("redisUrl", redisUrl)
    project.provide("chromium", chromium ?? null)
    project.provide("python", python ?? null)
    project.provide("clientPython", clientPython ?? null)
    project.provide("java", java ?? null)
    project.provide("php", php ?? null)
  } catch (error) {
    await close()
    throw error
  }
  return close
}
