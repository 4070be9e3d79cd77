import * as NodeServices from "@effect/platform-node/NodeServices"
import { ConfigProvider, Effect, Exit, FileSystem, Layer, Logger, Redacted, Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { ServicesLayer } from "../../src/App.ts"
import { connectionsLayer } from "../../src/platform/sql/Connections.ts"
import { embeddedPostgres } from "../../src/platform/sql/EmbeddedPostgres.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { openCluster, run } from "../../src/platform/sql/PostgresCluster.ts"
import { startRedis } from "../harness/Redis.ts"
import { caFile, testCa } from "../harness/Tls.ts"
import { startApi } from "../harness/Turma.ts"
import { postgresFolder } from "../harness/Watchdog.ts"
import { startProcess } from "./Process.ts"
import { startTarget } from "./Target.ts"

type ServerSettings = Readonly<Record<string, string>>

/**
 * A PostgreSQL that writes to disk as usual, with these settings. It can be stopped at once and started again at the
 * same address.
 */
const startDatabase = Effect.fn("startDatabase")(function*(settings: ServerSettings = {}) {
  const folder = yield* postgresFolder()
  const directory = `${folder}/postgres`
  const url = yield* embeddedPostgres({ directory, settings })
  const { binaries, home, runAs } = yield* openCluster(directory, [])
  const { port } = new URL(Redacted.value(url))
  const pgCtl = (...args: ReadonlyArray<string>) =>
    Effect.orDie(run(`${binaries}/pg_ctl`, ["-D", `${home}/cluster`, "-w", "-s", ...args], runAs))
  const all = { port, listen_addresses: "127.0.0.1", unix_socket_directories: "", ...settings }
  const flags = Object.entries(all).map(([name, value]) => `-c ${name}=${value}`).join(" ")
  return {
    url,
    /** As after a loss of power: PostgreSQL writes nothing more, and the next start recovers from the log. */
    stop: pgCtl("stop", "-m", "immediate"),
    start: pgCtl("start", "-l", `${home}/server.log`, "-o", flags)
  }
})

/** A Redis that can be stopped and started again, empty, at the same address. */
const startCounters = Effect.gen(function*() {
  const outer = yield* Effect.scope
  let own = yield* Scope.fork(outer)
  const { port, url } = yield* Scope.provide(startRedis(), own)
  return {
    url,
    stop: Effect.suspend(() => Scope.close(own, Exit.void)),
    start: Effect.gen(function*() {
      own = yield* Scope.fork(outer)
      yield* Scope.provide(startRedis({ port }), own)
    })
  }
})

// The retry schedule has short steps, and more of them than a bad minute can use up: all accepted events arrive. Few
// attempts run at a time, because a worker that just started is slow and three of them share the machine.
const rules = {
  WEBHOOK_ASSEMBLE_DELAY: "50 millis",
  WEBHOOK_ATTEMPT_TIMEOUT: "3 seconds",
  WEBHOOK_HOLD_BASE: "1 second",
  WEBHOOK_HOLD_MAX: "2 seconds",
  WEBHOOK_CONCURRENCY: "24",
  // As many, so each attempt keeps its connection open: the connections show the work of a dead worker.
  WEBHOOK_LANE_CONCURRENCY: "24",
  WEBHOOK_RETRY_SCHEDULE: Array.from({ length: 60 }, () => "1 second").join(",")
}

interface StandOptions {
  /** Seconds for which a lane stays with a killed worker. */
  readonly lease: number
  /** The seed of the receiver's moods. */
  readonly seed?: number
  /** The settings of PostgreSQL. */
  readonly database?: ServerSettings
}

/** The servers, a receiver with its certificate authority, and the environment of every process. */
export const makeStand = Effect.fn("makeStand")(function*({ lease, seed = 0, database: settings = {} }: StandOptions) {
  const fs = yield* FileSystem.FileSystem
  const database = yield* startDatabase(settings)
  const counters = yield* startCounters
  const ca = testCa()
  const key = Buffer.alloc(32, 7).toString("base64")
  const env = {
    ...rules,
    WEBHOOK_LEASE: `${lease} seconds`,
    APP_SECRET_KEY: key,
    DATABASE_POOL: "6",
    DATABASE_URL: Redacted.value(database.url),
    DATA_DIR: yield* fs.makeTempDirectoryScoped({ prefix: "turma-chaos-" }),
    RATE_LIMIT_CLASSROOM: "1000000",
    RATE_LIMIT_WRITES: "1000000",
    PUBLIC_URL: "https://turma.example",
    REDIS_URL: counters.url,
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
    WEBHOOK_EXTRA_CA_FILE: yield* caFile(ca)
  }
  return { database, counters, key, env, target: yield* startTarget(ca, seed) }
})
export type Stand = Effect.Success<ReturnType<typeof makeStand>>

/** The services on the migrated database, over connections of the test's own. */
export const driverLayer = ({ database, key }: Stand) =>
  ServicesLayer.pipe(
    Layer.provideMerge(Layer.effectDiscard(migrate())
      .pipe(Layer.provideMerge(connectionsLayer({ url: database.url, connections: 4 })))),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({
      APP_SECRET_KEY: key,
      WEBHOOK_ASSEMBLE_DELAY: rules.WEBHOOK_ASSEMBLE_DELAY
    })))
  )

/** The platform services of the long form. */
export const PlatformLayer = Layer.mergeAll(NodeServices.layer, SecureRandom.layerWebCrypto, Logger.layer([]))

/** Starts the API of the installation, on this port or another one. It is ready for requests. */
export const startStandApi = ({ env }: Stand, port?: number) =>
  startApi({ env: { ...env, ROLE: "api" }, ...(port === undefined ? {} : { port }) })

/** Starts a worker of the installation. It may still be starting. */
export const startWorker = ({ env }: Stand, more: Readonly<Record<string, string>> = {}) =>
  startProcess({ ...env, ROLE: "worker", ...more })
export type Worker = Effect.Success<ReturnType<typeof startWorker>>

/** True if the worker works. */
export const isReady = (worker: Worker) => worker.said().includes("worker is ready")

/** Starts a worker and waits until it works. */
export const startReadyWorker = Effect.fnUntraced(function*(stand: Stand, more: Readonly<Record<string, string>> = {}) {
  const worker = yield* startWorker(stand, more)
  const ended = Effect.flatMap(worker.ended, () => Effect.die(new Error(`A worker did not start: ${worker.said()}`)))
  const ready = Effect.sync(() => isReady(worker)).pipe(
    Effect.delay("20 millis"),
    Effect.repeat({ until: (ready) => ready })
  )
  yield* Effect.raceFirst(ready, ended)
  return worker
})
