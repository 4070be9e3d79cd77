import { PgClient } from "@effect/sql-pg"
import { DateTime, Effect, FileSystem, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { run } from "../../src/platform/sql/PostgresCluster.ts"
import { findPostgresPrograms, serverUser } from "../harness/DebianPostgres.ts"
import { freePort } from "../harness/FreePort.ts"
import { run as outputOf } from "../harness/Programs.ts"
import { startReceiver } from "../harness/Receiver.ts"
import { caFile } from "../harness/Tls.ts"
import { startApi } from "../harness/Turma.ts"
import { liveEvening, liveFirstDays, statusAt } from "./ClubDay.ts"
import type { unpackRelease } from "./Release.ts"
import { key, receiverAddress } from "./Restored.ts"
import { until } from "./Visitor.ts"

/** Starts a server of the PostgreSQL whose `pg_dump` is used. */
const startServer = Effect.fnUntraced(function*(programs: string) {
  const fs = yield* FileSystem.FileSystem
  const runAs = yield* serverUser
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-dump-" })
  yield* fs.chmod(folder, 0o755)
  const data = `${folder}/data`
  yield* fs.makeDirectory(data, { mode: 0o700 })
  if (runAs.uid !== undefined) yield* fs.chown(data, runAs.uid, runAs.gid)
  const port = yield* freePort
  const ctl = (...args: ReadonlyArray<string>) => run(`${programs}/pg_ctl`, ["-D", data, "-w", "-s", ...args], runAs)
  yield* run(`${programs}/initdb`, ["-D", data, "-A", "trust", "-U", "turma", "-E", "UTF8", "--no-sync"], runAs)
  const flags = `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off -c timezone=UTC`
  yield* Effect.acquireRelease(
    ctl("start", "-l", `${data}/server.log`, "-o", flags),
    () => Effect.ignore(ctl("stop", "-m", "immediate"))
  )
  return Redacted.make(`postgres://turma@127.0.0.1:${port}/postgres`)
})

const Count = Schema.Tuple([Schema.Struct({ count: Schema.Int })])

/** Counts the work that workers can still do at once, plus one until the endpoint is held that should be. */
const undone = `
  select ((select count(*) from event_outbox)
    + (select count(*) from mails)
    + (select count(*) from credential_requests)
    + (select count(*) from student_imports where due_at is not null)
    + (select count(*) from inbound_events where due_at is not null)
    + (select count(*) from messages where status = 'generating')
    + (select count(*) from material_queue)
    + (select count(*) from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
        where d.status = 'pending' and d.attempts_count = 0 and e.url like '%/fine')
    + (select case when count(*) = 0 then 1 else 0 end from webhook_lanes where hold_until is not null))::int as count`

const rankings = "select count(*)::int as count from point_board_rows"

/**
 * The database of this version as SQL. Its club has lived some days and has waiting work. Schema and rows are in the
 * format of PostgreSQL's `pg_dump`.
 */
export const dumpOf = Effect.fn("dumpOf")(function*(release: Effect.Success<ReturnType<typeof unpackRelease>>) {
  const fs = yield* FileSystem.FileSystem
  const programs = yield* findPostgresPrograms
  if (programs === undefined) return yield* Effect.die(new Error("A release is kept with PostgreSQL's pg_dump"))
  const database = yield* startServer(programs)
  const receiver = yield* startReceiver({ answer: ({ path }) => ({ status: statusAt(path) }) })
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-release-" })
  const env = {
    APP_SECRET_KEY: key,
    BILLING_PROVIDER: "local",
    DATABASE_URL: Redacted.value(database),
    DATA_DIR: folder,
    RATE_LIMIT_CREDENTIALS: "100000",
    RATE_LIMIT_WRITES: "100000",
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
    WEBHOOK_ASSEMBLE_DELAY: "200 millis",
    WEBHOOK_EXTRA_CA_FILE: yield* caFile(receiver.ca),
    WEBHOOK_HOLD_BASE: "1 hour",
    WEBHOOK_RETRY_SCHEDULE: "1 hour,1 hour"
  }
  const days = yield* startApi({ ...release, env })
  const lived = yield* liveFirstDays({ url: days.url, folder }, new URL(receiver.url).origin)
  const read = (statement: string) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)).pipe(
      Effect.flatMap(Schema.decodeUnknownEffect(Count)),
      Effect.provide(PgClient.layer({ url: database, maxConnections: 1 }))
    )
  yield* until("the workers' rest", Effect.map(read(undone), ([{ count }]) => count === 0))
  yield* days.end()
  // Rankings are built at a start, and then seldom.
  const night = yield* startApi({ ...release, env })
  yield* until("rankings", Effect.map(read(rankings), ([{ count }]) => count > 0))
  yield* night.end()
  const evening = yield* startApi({ ...release, env: { ...env, ROLE: "api" } })
  yield* liveEvening({ url: evening.url, folder }, lived)
  yield* evening.end()
  const flags = ["--no-owner", "--no-privileges", "--no-comments", "--rows-per-insert=1000"]
  const { stdout } = yield* Effect.promise(() =>
    outputOf(`${programs}/pg_dump`, [...flags, "-d", Redacted.value(database)], { cwd: folder })
  )
  const { hostname, port } = new URL(receiver.url)
  return {
    at: DateTime.formatIso(yield* DateTime.now),
    // Removes lines for `psql` only. One of them differs each time.
    sql: stdout.replaceAll(/^\\.*\n/gm, "").replaceAll(`${hostname}:${port}`, receiverAddress)
  }
}, Effect.scoped)
