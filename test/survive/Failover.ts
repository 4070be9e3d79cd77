import { NodeServices } from "@effect/platform-node"
import { Effect, FileSystem, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { appendFileSync, cpSync, readFileSync } from "node:fs"
import { openCluster, run } from "../../src/platform/sql/PostgresCluster.ts"
import { freePort } from "../harness/FreePort.ts"
import { postgresFolder } from "../harness/Watchdog.ts"

const local = "-c listen_addresses=127.0.0.1 -c unix_socket_directories="

/**
 * A primary and a replica that streams from it. The primary confirms a commit once both have it
 * (`synchronous_standby_names`).
 */
export const startPair = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* postgresFolder()
  const cluster = yield* openCluster(`${folder}/postgres`, ["--no-sync"])
  const replicaFolder = yield* postgresFolder()
  const { binaries, home, password, runAs } = cluster
  const ports = { primary: yield* freePort, replica: yield* freePort }
  const data = `${home}/cluster`
  const replicaHome = `${replicaFolder}/postgres`
  const replicaData = `${replicaHome}/cluster`
  yield* Effect.sync(() => {
    appendFileSync(`${data}/postgresql.conf`, "\nwal_level = replica\nfsync = off\n")
    cpSync(home, replicaHome, { recursive: true })
    appendFileSync(
      `${replicaData}/postgresql.conf`,
      `\nprimary_conninfo = 'host=127.0.0.1 port=${ports.primary} user=turma password=${
        Redacted.value(password)
      } application_name=replica'\n`
    )
  })
  yield* fs.writeFileString(`${replicaData}/standby.signal`, "")
  yield* fs.chmod(replicaData, 0o700)
  if (runAs.uid !== undefined) {
    for (const entry of ["", ...yield* fs.readDirectory(replicaHome, { recursive: true })]) {
      yield* fs.chown(`${replicaHome}/${entry}`, runAs.uid, runAs.gid)
    }
  }
  const pgCtl = (folder: string, ...args: ReadonlyArray<string>) =>
    Effect.orDie(run(`${binaries}/pg_ctl`, ["-D", folder, "-w", "-s", ...args], runAs))
  const start = (folder: string, port: number, more: string) =>
    Effect.acquireRelease(
      pgCtl(folder, "start", "-l", `${folder}/server.log`, "-o", `-c port=${port} ${local} ${more}`),
      () => Effect.ignoreCause(pgCtl(folder, "stop", "-m", "immediate"))
    )
  const kill = (folder: string) =>
    Effect.sync(() => {
      const [pid = ""] = readFileSync(`${folder}/postmaster.pid`, "utf8").split("\n", 1)
      process.kill(Number(pid), "SIGKILL")
    })
  yield* start(data, ports.primary, "-c synchronous_standby_names=replica")
  yield* start(replicaData, ports.replica, "")
  return {
    urlAt: (port: number) => `postgres://turma:${Redacted.value(password)}@127.0.0.1:${port}/postgres`,
    /** `kill` works like a power-off of the machine. */
    primary: { port: ports.primary, kill: kill(data) },
    replica: { port: ports.replica, promote: pgCtl(replicaData, "promote") }
  }
}).pipe(Effect.provide([NodeServices.layer, SecureRandom.layerWebCrypto]))
