import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, FileSystem, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { freePort } from "../../../src/platform/sql/EmbeddedPostgres.ts"
import { run } from "../../../src/platform/sql/PostgresCluster.ts"
import { blocks, guide } from "../../guides/Guides.ts"
import { findPostgresPrograms, serverUser } from "../../harness/DebianPostgres.ts"
import { post, startApi } from "../../harness/Turma.ts"

const timeout = 600_000

/** The settings of the guide, before and for the recovery. */
const [archiving = "", recovering = ""] = blocks(guide("backups"), "ini")

/** A server with an archive, of which a base backup can be taken and which can go back to a moment. */
const startServer = Effect.fnUntraced(function*(programs: string) {
  const fs = yield* FileSystem.FileSystem
  const runAs = yield* serverUser
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-test-" })
  const port = yield* freePort
  const own = Effect.fnUntraced(function*(name: string) {
    yield* fs.makeDirectory(name, { recursive: true, mode: 0o700 })
    if (runAs.uid !== undefined) yield* fs.chown(name, runAs.uid, runAs.gid)
  })
  yield* fs.chmod(folder, 0o755)
  const [data, archive, base] = [`${folder}/data`, `${folder}/archive`, `${folder}/base`]
  yield* Effect.forEach([data, archive, base], own)
  const here = (settings: string) => settings.replaceAll("/archive/", `${archive}/`)
  const program = (name: string, ...args: ReadonlyArray<string>) => run(`${programs}/${name}`, args, runAs)
  const ctl = (...args: ReadonlyArray<string>) => program("pg_ctl", "-D", data, "-w", "-s", ...args)
  const common =
    `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\nfsync = off\ntimezone = UTC\n`
  yield* program("initdb", "-D", data, "-A", "trust", "-U", "turma", "--no-sync")
  yield* fs.writeFileString(`${data}/postgresql.conf`, `${common}${here(archiving)}`)
  const start = ctl("start", "-l", `${data}/server.log`)
  const stop = ctl("stop", "-m", "immediate")
  yield* Effect.acquireRelease(start, () => Effect.ignore(stop))
  const url = Redacted.make(`postgres://turma@127.0.0.1:${port}/postgres`)
  return {
    url,
    stop,
    archive,
    baseBackup: program(
      "pg_basebackup",
      "-D",
      base,
      "-X",
      "none",
      "-c",
      "fast",
      "-d",
      `postgres://turma@127.0.0.1:${port}/postgres`,
      "--no-sync"
    ),
    /** Puts the base backup in the place of the data and goes on from there to a moment. */
    goBackTo: (at: DateTime.Utc) =>
      Effect.gen(function*() {
        yield* fs.remove(data, { recursive: true })
        yield* fs.rename(base, data)
        // As the guide writes one: PostgreSQL takes no name of a zone there, and `Z` is one.
        const text = DateTime.formatIso(at).replace("T", " ").replace("Z", "+00")
        const moment = here(recovering).replace(/'2026-[^']*'/, `'${text}'`)
        assert.include(moment, text)
        yield* fs.writeFileString(`${data}/postgresql.conf`, `${common}${moment}`)
        yield* fs.writeFileString(`${data}/recovery.signal`, "")
        yield* start
      })
  }
})

const accountOf = (name: string) => ({ name, email: `${name}@example.com`, password: "uma-senha-bem-longa" })

const Rows = Schema.Array(Schema.Struct({ line: Schema.String }))

/** Column `line` of what a statement answers, on a connection of its own. */
const ask = (url: Redacted.Redacted, statement: string) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* Effect.flatMap(sql.unsafe(statement), Schema.decodeUnknownEffect(Rows))
    return rows.map(({ line }) => line)
  }).pipe(Effect.provide(PgClient.layer({ url, maxConnections: 1 })))

const signUps = "select email as line from sign_ups order by email"

layer(NodeServices.layer, { excludeTestServices: true, timeout: "120 seconds" })(
  "A PostgreSQL with an archive",
  (it) => {
    it.effect(
      "goes back to a moment as the guide says, and the service goes on from there",
      (context) =>
        Effect.gen(function*() {
          const programs = yield* findPostgresPrograms
          if (programs === undefined) return context.skip()
          const fs = yield* FileSystem.FileSystem
          const server = yield* startServer(programs)
          const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-test-" })
          const env = {
            DATABASE_URL: Redacted.value(server.url),
            DATA_DIR: folder,
            APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64")
          }
          const signUp = (api: string, name: string) =>
            Effect.map(
              post(`${api}/v1/auth/admin/sign-up`, accountOf(name)),
              ({ status }) => assert.strictEqual(status, 202)
            )

          const moment = yield* Effect.scoped(Effect.gen(function*() {
            const service = yield* startApi({ env })
            yield* signUp(service.url, "before")
            yield* server.baseBackup
            yield* signUp(service.url, "between")
            yield* Effect.sleep("1 second")
            const at = yield* DateTime.now
            yield* Effect.sleep("1 second")
            yield* signUp(service.url, "after")
            yield* service.end()
            return at
          }))
          assert.deepStrictEqual(yield* ask(server.url, signUps), [
            "after@example.com",
            "before@example.com",
            "between@example.com"
          ])
          // What is written is archived once its segment is full, or when it is asked for.
          const [segment = ""] = yield* ask(server.url, "select pg_walfile_name(pg_switch_wal()) as line")
          yield* Effect.repeat(Effect.delay(fs.exists(`${server.archive}/${segment}`), "100 millis"), {
            until: (isThere) => isThere
          })
          yield* server.stop
          yield* server.goBackTo(moment)
          yield* Effect.repeat(
            Effect.delay(ask(server.url, "select pg_is_in_recovery()::text as line"), "100 millis"),
            { until: ([line]) => line === "false" }
          )
          assert.deepStrictEqual(yield* ask(server.url, signUps), ["before@example.com", "between@example.com"])

          const again = yield* startApi({ env })
          yield* signUp(again.url, "later")
          assert.include(yield* ask(server.url, signUps), "later@example.com")
          // Its mail is sent: workers go on.
          const mailed = Effect.map(fs.readDirectory(`${folder}/mail`), (names) =>
            names.find((name) => name.includes("later@example.com")))
          const found = yield* Effect.repeat(
            Effect.delay(
              Effect.orElseSucceed(mailed, () =>
                undefined),
              "100 millis"
            ),
            { until: (name) => name !== undefined }
          )
          assert.isTrue(Option.isSome(Option.fromNullishOr(found)))
        }),
      timeout
    )
  }
)
