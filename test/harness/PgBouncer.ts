import { Effect, Redacted, type Scope } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "./FreePort.ts"
import { command, installQuietly, mayInstall } from "./Packages.ts"
import { ifWeDie } from "./Watchdog.ts"

const missing = () => new Error("The tests need pgbouncer on the PATH: install PgBouncer, or use nix develop")

/** Makes sure that there is a `pgbouncer`. On Debian, root installs it, without starting its service. */
const ensurePgBouncer = command("pgbouncer", "--version")
  .pipe(Effect.catch(() =>
    mayInstall() ? Effect.mapError(installQuietly("pgbouncer"), missing) : Effect.fail(missing())
  ))

/** A test's own PgBouncer. */
export interface PgBouncer {
  /** The address of the database through the pooler. */
  readonly url: string
  readonly pid: number
}

interface Options {
  readonly database: Redacted.Redacted
  /** More lines of the `[pgbouncer]` section, beside its address and its users. */
  readonly settings: Readonly<Record<string, string>>
  /** Statements that run on every connection to PostgreSQL before its first use. */
  readonly connect?: string
}

const launch = (ini: string) =>
  Effect.callback<{ readonly pid: number; readonly stop: Effect.Effect<void> }>((resume) => {
    // PgBouncer refuses to run as root.
    const as = process.getuid?.() === 0 ? ["-u", "nobody"] : []
    const server = spawn("pgbouncer", [...as, ini], { stdio: ["ignore", "ignore", "pipe"] })
    const exited = once(server, "exit")
    const stop = Effect.promise(async () => {
      server.kill("SIGKILL")
      await exited
    })
    let output = ""
    server.once("error", (cause) => resume(Effect.die(cause)))
    server.once("exit", () => resume(Effect.die(new Error(`pgbouncer stopped: ${output.trim()}`))))
    server.stderr.on("data", (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes("process up")) resume(Effect.succeed({ pid: server.pid ?? 0, stop }))
    })
  })

/** Starts a PgBouncer in front of a database, stopped with the scope. */
export const startPgBouncer = Effect.fnUntraced(function*(
  { connect, database, settings }: Options
): Effect.fn.Return<PgBouncer, Error, Scope.Scope> {
  yield* ensurePgBouncer
  const there = new URL(Redacted.value(database))
  const port = yield* freePort
  const name = there.pathname.slice(1)
  const password = decodeURIComponent(there.password)
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "turma-pgbouncer-"))),
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
  )
  const lines = {
    listen_addr: "127.0.0.1",
    listen_port: `${port}`,
    unix_socket_dir: "",
    auth_type: "scram-sha-256",
    auth_file: join(folder, "userlist.txt"),
    ...settings
  }
  const ini = [
    "[databases]",
    `${name} = host=${there.hostname} port=${there.port} dbname=${name}${
      connect === undefined ? "" : ` connect_query='${connect.replaceAll("'", "''")}'`
    }`,
    "[pgbouncer]",
    ...Object.entries(lines).map(([key, value]) => `${key} = ${value}`)
  ]
  yield* Effect.promise(async () => {
    await chmod(folder, 0o755)
    await writeFile(join(folder, "userlist.txt"), `"${there.username}" "${password}"\n`, { mode: 0o644 })
    await writeFile(join(folder, "pgbouncer.ini"), `${ini.join("\n")}\n`, { mode: 0o644 })
  })
  const { pid } = yield* Effect.acquireRelease(launch(join(folder, "pgbouncer.ini")), ({ stop }) => stop)
  yield* ifWeDie(`kill -KILL "$1"`, `${pid}`)
  const url = new URL(there.href)
  url.port = `${port}`
  return { url: url.href, pid }
})
