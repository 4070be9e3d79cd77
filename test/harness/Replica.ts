import { Effect, Redacted } from "effect"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { freePort } from "../../src/platform/sql/EmbeddedPostgres.ts"
import { openCluster, run } from "../../src/platform/sql/PostgresCluster.ts"
import { startOwnPostgres } from "./OwnPostgres.ts"
import { command } from "./Packages.ts"
import { postmasterOf } from "./Postmaster.ts"
import { postgresFolder } from "./Watchdog.ts"

/**
 * A PostgreSQL server of a test's own and a streaming replica of it, made as the documentation of PostgreSQL makes one: a
 * copy of the cluster, with a file that says so and where to stream from. Whatever is read there gives way to replay after a tenth of a second.
 */
export const startReplicated = Effect.gen(function*() {
  const primary = yield* startOwnPostgres
  const { binaries, home, password, runAs } = yield* openCluster(primary.directory, [])
  const place = `${yield* postgresFolder()}/postgres`
  const folder = `${place}/cluster`
  const port = yield* freePort
  const primaryUrl = new URL(Redacted.value(primary.url))
  const settle = Effect.sync(() => {
    const secret = Redacted.value(password)
    rmSync(`${folder}/postmaster.pid`, { force: true })
    writeFileSync(
      `${folder}/postgresql.auto.conf`,
      `primary_conninfo = 'host=127.0.0.1 port=${primaryUrl.port} user=${primaryUrl.username} password=${secret}'\n`
    )
    writeFileSync(`${folder}/standby.signal`, "")
  })
  yield* primary.stop
  yield* Effect.sync(() => mkdirSync(place))
  yield* command("cp", "-a", `${home}/cluster`, folder)
  yield* settle
  yield* primary.start
  const pgCtl = (...args: ReadonlyArray<string>) =>
    Effect.orDie(run(`${binaries}/pg_ctl`, ["-D", folder, "-w", "-s", ...args], runAs))
  const flags = `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off ` +
    "-c max_standby_streaming_delay=100ms"
  const start = pgCtl("start", "-l", `${folder}/server.log`, "-o", flags)
  const stop = pgCtl("stop", "-m", "immediate")
  yield* Effect.acquireRelease(start, () => Effect.ignoreCause(stop))
  const url = new URL(primaryUrl.href)
  url.port = `${port}`
  /** The first processes of both. */
  const postmasters = Effect.sync(() => [home, place].map((directory) => postmasterOf(directory) ?? 0))
  return { primary, url: Redacted.make(url.href), cluster: folder, postmasters, start, stop, promote: pgCtl("promote") }
})
