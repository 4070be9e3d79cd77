import { Effect, Redacted } from "effect"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { openCluster, run } from "../../src/platform/sql/PostgresCluster.ts"
import { freePort } from "./FreePort.ts"
import { startOwnPostgres } from "./OwnPostgres.ts"
import { command } from "./Packages.ts"
import { postmasterOf } from "./Postmaster.ts"
import { postgresFolder } from "./Watchdog.ts"

/**
 * A test's own PostgreSQL server and so many streaming replicas, created as its documentation says. Each is a copy of
 * the cluster with a standby file and the address of the primary. Reads there give way to replay after a tenth of a
 * second.
 */
export const startReplicas = Effect.fnUntraced(function*(
  count: number,
  starting: typeof startOwnPostgres = startOwnPostgres
) {
  const primary = yield* starting
  const { binaries, home, password, runAs } = yield* openCluster(primary.directory, [])
  const primaryUrl = new URL(Redacted.value(primary.url))

  const replicate = Effect.gen(function*() {
    const place = `${yield* postgresFolder()}/postgres`
    const folder = `${place}/cluster`
    const port = yield* freePort
    yield* Effect.sync(() => mkdirSync(place))
    yield* command("cp", "-a", `${home}/cluster`, folder)
    yield* Effect.sync(() => {
      const secret = Redacted.value(password)
      rmSync(`${folder}/postmaster.pid`, { force: true })
      writeFileSync(
        `${folder}/postgresql.auto.conf`,
        `primary_conninfo = 'host=127.0.0.1 port=${primaryUrl.port} user=${primaryUrl.username} password=${secret}'\n`
      )
      writeFileSync(`${folder}/standby.signal`, "")
    })
    const pgCtl = (...args: ReadonlyArray<string>) =>
      Effect.orDie(run(`${binaries}/pg_ctl`, ["-D", folder, "-w", "-s", ...args], runAs))
    const startAt = (port: number | string) =>
      pgCtl(
        "start",
        "-l",
        `${folder}/server.log`,
        "-o",
        `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off ` +
          "-c max_standby_streaming_delay=100ms -c wal_retrieve_retry_interval=200ms"
      )
    const stop = pgCtl("stop", "-m", "immediate")
    const url = new URL(primaryUrl.href)
    url.port = `${port}`
    return {
      url: Redacted.make(url.href),
      cluster: folder,
      place,
      start: startAt(port),
      stop,
      promote: pgCtl("promote"),
      /** From then on it answers at the address of the primary, which has ended. */
      takeOver: Effect.andThen(stop, startAt(primaryUrl.port))
    }
  })

  yield* primary.stop
  const replicas = yield* Effect.replicateEffect(replicate, count)
  yield* primary.start
  for (const { start, stop } of replicas) yield* Effect.acquireRelease(start, () => Effect.ignoreCause(stop))
  return { primary, home, replicas }
})

/** A test's own server, started by `starting`, and one replica of it. */
export const replicated = Effect.fnUntraced(function*(starting: typeof startOwnPostgres) {
  const { home, primary, replicas: [replica] } = yield* startReplicas(1, starting)
  if (replica === undefined) return yield* Effect.die(new Error("There is no replica"))
  /** The ids of the first processes of both. */
  const postmasters = Effect.sync(() => [home, replica.place].map((directory) => postmasterOf(directory) ?? 0))
  return { ...replica, primary, postmasters }
})

/** A test's own new server and one replica of it. */
export const startReplicated = replicated(startOwnPostgres)
