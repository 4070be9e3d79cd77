import { PgConnection } from "@effect/sql-pg"
import { Effect, FileSystem, Option, Path, Redacted, Schedule, Scope } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { SqlError } from "effect/sql"
import { createServer } from "node:net"
import { shownFile } from "../text/TextFile.ts"
import { diskFault } from "./DiskFault.ts"
import { type Cluster, EmbeddedPostgresError, openCluster, run, runAtLength, username } from "./PostgresCluster.ts"
import { Busy, startLock } from "./StartLock.ts"

/** Where the database lives, and server settings other than the defaults. */
export interface EmbeddedPostgresOptions {
  /** Made on first use. Where PostgreSQL's user cannot reach it, it becomes a link to a folder that it can. */
  readonly directory: string
  /** `postgresql.conf` settings, for example `fsync: "off"` for a database that may be lost. */
  readonly settings?: Readonly<Record<string, string>>
}

// Shared by every process that uses the server; the one that can have it alone is the last.
const usersLock = 7_482_105

const fixedSettings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  timezone: "UTC",
  log_timezone: "UTC",
  log_checkpoints: "off",
  // With more detail the log would contain the refused row itself: addresses and all.
  log_error_verbosity: "terse",
  log_min_error_statement: "panic",
  // After a kill, one call flushes the server's files to the disk, instead of one call for each file.
  ...(process.platform === "linux" ? { recovery_init_sync_method: "syncfs" } : {})
}

/** A TCP port of 127.0.0.1 that nothing listens on right now. */
const freePort: Effect.Effect<number> = Effect.callback<number>((resume) => {
  const server = createServer()
  server.once("error", (cause) => resume(Effect.die(cause)))
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    server.close(() => resume(Effect.succeed(port)))
  })
})

/** The address of the cluster's server at a port, with its password. */
export const urlOf = ({ password }: Cluster, port: number) =>
  Redacted.make(`postgres://${username}:${Redacted.value(password)}@127.0.0.1:${port}/postgres`)

/** The contents of postmaster.pid, in the order of its lines. */
interface Postmaster {
  readonly pid: number
  readonly port: number
  readonly ready: boolean
}

const readPostmaster = Effect.fnUntraced(function*({ home }: Cluster) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const file = yield* Effect.option(shownFile(fs, path.join(home, "cluster", "postmaster.pid")))
  return Option.map(file, (content): Postmaster => {
    const lines = content.split("\n")
    return { pid: Number(lines[0]), port: Number(lines[3]), ready: lines[7]?.trim() === "ready" }
  })
})

const isNoSuchProcess = (cause: unknown) => cause instanceof Error && "code" in cause && cause.code === "ESRCH"

// A file that is being written may have no number yet.
const exists = (pid: number) =>
  Number.isInteger(pid) && pid > 0
    ? Effect.try(() => process.kill(pid, 0))
      .pipe(Effect.match({ onSuccess: () => true, onFailure: ({ cause }) => !isNoSuchProcess(cause) }))
    : Effect.succeed(false)

/** True if a process is some PostgreSQL; unknown without /proc or without the right to look. */
const isPostgres = Effect.fnUntraced(function*(pid: number) {
  const fs = yield* FileSystem.FileSystem
  const commandLine = yield* Effect.option(shownFile(fs, `/proc/${pid}/cmdline`))
  return Option.map(commandLine, (line) => line.split("\0", 1)[0]?.endsWith("postgres") === true)
})

/** True if the process is this cluster's server: a stale file may name a number that is someone else's by now. */
const isServer = Effect.fnUntraced(function*({ home }: Cluster, pid: number) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  if (!(yield* exists(pid)) || Option.contains(yield* isPostgres(pid), false)) return false
  // The postmaster works in its data folder. Root in a container may not see where.
  const folder = yield* Effect.option(fs.readLink(`/proc/${pid}/cwd`))
  return Option.isNone(folder) || folder.value === path.join(home, "cluster")
})

/** PostgreSQL clears a stale file itself unless the number belongs to another process of the same user. */
const clearStale = Effect.fnUntraced(function*(cluster: Cluster, { pid }: Postmaster) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const isSomethingElse = (yield* exists(pid)) && Option.contains(yield* isPostgres(pid), false)
  const now = yield* readPostmaster(cluster)
  if (isSomethingElse && Option.isSome(now) && now.value.pid === pid) {
    yield* Effect.ignore(fs.remove(path.join(cluster.home, "cluster", "postmaster.pid")))
  }
})

const pgCtl = (through: typeof run, cluster: Cluster, ...args: ReadonlyArray<string>) =>
  through(`${cluster.binaries}/pg_ctl`, ["-D", `${cluster.home}/cluster`, "-w", "-t", "60", ...args], cluster.runAs)

const lastFatal = Effect.fnUntraced(function*(log: string) {
  const fs = yield* FileSystem.FileSystem
  const lines = yield* Effect.orElseSucceed(shownFile(fs, log), () => "")
  const fatal = lines.split("\n").findLast((line) => /FATAL|PANIC/.test(line))
  return fatal?.replace(/^.*?(FATAL|PANIC): */, "") ?? "see its server.log"
})

type Settings = Readonly<Record<string, string>>

// pg_ctl puts the server into a session of its own: Ctrl-C reaches us, not the database we still drain into.
const launch = Effect.fnUntraced(function*(cluster: Cluster, settings: Settings, port: number) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const log = path.join(cluster.home, "server.log")
  yield* Effect.ignore(fs.remove(log, { force: true }))
  const options = Object.entries({ ...settings, ...fixedSettings, port }).map(([name, value]) => `-c ${name}=${value}`)
  yield* pgCtl(runAtLength, cluster, "start", "-s", "-l", log, "-o", options.join(" "))
    .pipe(Effect.catch(() => Effect.flatMap(lastFatal(log), Effect.fail)))
  return port
})

const portTaken = (fatal: string) => fatal.includes("could not create any TCP/IP sockets")

/** The port for a launch: the one that it must use, or ports that others may still be trying. */
interface Ports {
  readonly fixed: Option.Option<number>
  readonly last: Option.Option<number>
}

const launchAt = Effect.fnUntraced(function*(cluster: Cluster, settings: Settings, { fixed, last }: Ports) {
  if (Option.isSome(fixed)) return yield* launch(cluster, settings, fixed.value)
  const anywhere = Effect.flatMap(freePort, (port) => launch(cluster, settings, port))
    .pipe(Effect.retry({ times: 3, while: portTaken }))
  if (Option.isNone(last)) return yield* anywhere
  return yield* Effect.catchIf(launch(cluster, settings, last.value), portTaken, () => anywhere)
})

/** The port of the running server, started now unless somebody did before. */
const findOrLaunch = Effect.fnUntraced(function*(cluster: Cluster, settings: Settings, fixed: Option.Option<number>) {
  const before = yield* readPostmaster(cluster)
  if (Option.isSome(before)) {
    if (yield* isServer(cluster, before.value.pid)) {
      return before.value.ready ? before.value.port : yield* new Busy({ why: "it is starting or stopping" })
    }
    yield* clearStale(cluster, before.value)
  }
  // Users of the server that died are trying its port.
  const last = Option.filter(Option.map(before, ({ port }) => port), (port) => port > 0)
  return yield* launchAt(cluster, settings, { fixed, last }).pipe(Effect.catch(Effect.fnUntraced(function*(fatal) {
    const other = yield* readPostmaster(cluster)
    if (Option.isSome(other) && (yield* isServer(cluster, other.value.pid))) return yield* new Busy({ why: fatal })
    const why = (yield* diskFault(cluster.home)) ?? fatal
    return yield* new EmbeddedPostgresError({ message: `PostgreSQL under ${cluster.home} did not start: ${why}` })
  })))
})

/** A session that keeps the server running: to stop it, one must first hold `usersLock` alone. */
const openSession = Effect.fnUntraced(function*(cluster: Cluster, port: number) {
  const connection = yield* PgConnection.make({ url: urlOf(cluster, port), applicationName: "turma embedded" })
  yield* connection.query("select pg_advisory_lock_shared($1)", [usersLock])
  return connection
})

const refused = (cluster: Cluster) => ({ reason }: SqlError.SqlError) =>
  reason._tag === "AuthenticationError"
    ? new EmbeddedPostgresError({ message: `PostgreSQL under ${cluster.home} does not take the password kept there` })
    : new Busy({ why: reason.message })

/**
 * Unlocks, and stops the server if nobody else uses it. In one statement, so that of several that end at once one is the
 * last.
 */
const release = Effect.fnUntraced(function*(cluster: Cluster, session: PgConnection.PgConnection) {
  const { rows } = yield* session.query(
    "select pg_advisory_unlock_shared($1), pg_try_advisory_lock($1) as last",
    [usersLock]
  )
  if (rows[0]?.["last"] === true) yield* pgCtl(run, cluster, "stop", "-s", "-m", "fast")
})

/** A process's use of the server, which runs as long as somebody has one. */
export interface ServerUse {
  readonly port: number
  readonly session: PgConnection.PgConnection
}

/** Uses the server until the scope closes, and starts it if it does not run. With a port, the server must run at it. */
export const attach = Effect.fnUntraced(function*(
  cluster: Cluster,
  settings: Settings,
  fixed: Option.Option<number> = Option.none()
) {
  const port = yield* Effect.scoped(Effect.andThen(startLock(cluster.home), findOrLaunch(cluster, settings, fixed)))
  const session = yield* Effect.mapError(openSession(cluster, port), refused(cluster))
  return { port, session } satisfies ServerUse
})

/**
 * Ends the use, and stops the server if it was the last one. Never fails: the log has the faults. A server that
 * `isSilent` goes on running.
 */
export const detach = (cluster: Cluster, { port, session }: ServerUse, isSilent: () => boolean = () => false) =>
  release(cluster, session).pipe(
    // Our session may have died with a server that came back: ask in a new one. Without an answer the server has ended.
    Effect.catchTag(
      "SqlError",
      () =>
        isSilent() ?
          Effect.logWarning(`PostgreSQL under ${cluster.home} does not answer and keeps running`) :
          PgConnection.make({ url: urlOf(cluster, port) }).pipe(
            Effect.flatMap((fresh) => release(cluster, fresh)),
            Effect.scoped,
            Effect.catchTag("SqlError", () => Effect.void)
          )
    ),
    Effect.catch((error) => Effect.logWarning(error.message))
  )

/** Attaches at the start of a process. A server that others start or stop is waited for, up to a minute. */
export const attachFirst = <R>(
  cluster: Cluster,
  attempt: Effect.Effect<ServerUse, Busy | EmbeddedPostgresError, R>
): Effect.Effect<ServerUse, EmbeddedPostgresError, R> =>
  Effect.uninterruptible(attempt).pipe(
    Effect.retry({ while: (error) => error._tag === "Busy", schedule: Schedule.spaced("100 millis"), times: 600 }),
    Effect.catchTag(
      "Busy",
      ({ why }) =>
        Effect.fail(new EmbeddedPostgresError({ message: `PostgreSQL under ${cluster.home} is not ready: ${why}` }))
    )
  )

/** The cluster under a folder, as the options want it. */
export const clusterOf = ({ directory, settings = {} }: EmbeddedPostgresOptions) =>
  openCluster(directory, settings["fsync"] === "off" ? ["--no-sync"] : [])

/**
 * A PostgreSQL server of our own under `directory`, running until the scope closes. Processes with the same folder
 * share it, also one that a killed process left running; the last to leave stops it. The URL holds its password,
 * which lies in the folder (0600): no other user gets in.
 */
export const embeddedPostgres = Effect.fn("EmbeddedPostgres.start")(function*(
  options: EmbeddedPostgresOptions
): Effect.fn.Return<
  Redacted.Redacted,
  EmbeddedPostgresError,
  FileSystem.FileSystem | Path.Path | SecureRandom.SecureRandom | Scope.Scope
> {
  const cluster = yield* clusterOf(options)
  const scope = yield* Effect.scope
  const server = yield* attachFirst(
    cluster,
    Effect.tap(
      attach(cluster, options.settings ?? {}),
      (server) => Scope.addFinalizer(scope, detach(cluster, server))
    )
  )
  return urlOf(cluster, server.port)
})
