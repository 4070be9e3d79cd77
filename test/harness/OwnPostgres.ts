import { Effect, Redacted } from "effect"
import { embeddedPostgres } from "../../src/platform/sql/EmbeddedPostgres.ts"
import { openCluster, run } from "../../src/platform/sql/PostgresCluster.ts"
import { postgresFolder } from "./Watchdog.ts"

/** A PostgreSQL server of a test's own, which it may stop and start again at the same address. */
export const startOwnPostgres = Effect.gen(function*() {
  const directory = `${yield* postgresFolder()}/postgres`
  const url = yield* embeddedPostgres({ directory, settings: { fsync: "off" } })
  const { binaries, home, runAs } = yield* openCluster(directory, [])
  const { port } = new URL(Redacted.value(url))
  const pgCtl = (...args: ReadonlyArray<string>) =>
    Effect.orDie(run(`${binaries}/pg_ctl`, ["-D", `${home}/cluster`, "-w", "-s", ...args], runAs))
  const flags = `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off`
  return {
    url,
    directory,
    stop: pgCtl("stop", "-m", "immediate"),
    start: pgCtl("start", "-l", `${home}/server.log`, "-o", flags)
  }
})
