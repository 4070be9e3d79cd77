import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Duration, Effect, Layer, Logger, Schedule } from "effect"
import { SecureRandom } from "effect/crypto"
import { FetchHttpClient, HttpClient } from "effect/http"
import { ChildProcess } from "effect/process"
import { embeddedPostgres, freePort } from "../../src/platform/sql/EmbeddedPostgres.ts"
import { ifWeDie, postgresFolder } from "../harness/Watchdog.ts"
import { root, start, turmaArguments } from "./Contender.ts"
import { countingProxy } from "./CountingProxy.ts"

const firstStarts = 3
const warmStarts = 5
/** Until what a start leaves to do is done. */
const settling = Duration.seconds(10)
/** Over which an idle process is watched. */
const watched = Duration.seconds(30)

const middle = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

const show = (what: string, value: number, unit: string, aim: number) => {
  const digits = value < 10 ? 2 : 0
  return Console.log(`${what.padEnd(40)}${`${value.toFixed(digits)} ${unit}`.padStart(12)}   aim ${aim} ${unit}`)
}

/** Milliseconds from the start of a process to its first answer. It has ended afterwards. */
const timedStart = Effect.fnUntraced(function*(folder: string) {
  const client = yield* HttpClient.HttpClient
  const port = yield* freePort
  const args = yield* turmaArguments
  const [took] = yield* Effect.timed(Effect.gen(function*() {
    const child = yield* ChildProcess.make(process.execPath, args, {
      cwd: root,
      env: {
        DATA_DIR: folder,
        HOST: "127.0.0.1",
        LOG_LEVEL: "warn",
        NODE_COMPILE_CACHE: `${folder}/compiled`,
        PORT: String(port)
      },
      extendEnv: false,
      stdin: "ignore",
      stdout: "ignore",
      stderr: "inherit",
      killSignal: "SIGTERM",
      forceKillAfter: "20 seconds"
    })
    yield* ifWeDie(`kill "$1"`, String(child.pid))
    yield* client.get(`http://127.0.0.1:${port}/v1/health`).pipe(
      Effect.retry({ schedule: Schedule.spaced("5 millis"), times: 6_000 })
    )
  }))
  return Duration.toMillis(took)
}, Effect.scoped)

const startTimes = Effect.gen(function*() {
  const first: Array<number> = []
  const warm: Array<number> = []
  for (let round = 0; round < firstStarts; round++) {
    yield* Effect.scoped(Effect.gen(function*() {
      const folder = yield* postgresFolder()
      first.push(yield* timedStart(folder))
      if (round < firstStarts - 1) return
      for (let again = 0; again < warmStarts; again++) warm.push(yield* timedStart(folder))
    }))
  }
  yield* show("first start ever, to the first answer", middle(first) / 1000, "s", 3)
  yield* show("another start, to the first answer", middle(warm) / 1000, "s", 1)
})

const idle = Effect.gen(function*() {
  const folder = yield* postgresFolder()
  const database = yield* embeddedPostgres({ directory: `${folder}/postgres` })
  const proxy = yield* countingProxy(database)
  const key = Buffer.alloc(32, 7).toString("base64")
  const turma = yield* start("Turma", { database: proxy.database, folder, key }, { ROLE: "all" })
  yield* Effect.sleep(settling)
  yield* proxy.reset
  const before = yield* turma.cpuMillis
  yield* Effect.sleep(watched)
  const busy = (yield* turma.cpuMillis) - before
  const { statements } = yield* proxy.traffic
  yield* show("idle, of a core", busy / Duration.toMillis(watched) * 100, "%", 1)
  yield* show("idle, statements", statements / Duration.toSeconds(watched), "/s", 1)
  yield* show("idle, memory", yield* turma.megabytes, "MB", 130)
}).pipe(Effect.scoped)

const ServicesLayer = Layer.mergeAll(
  NodeServices.layer,
  SecureRandom.layerWebCrypto,
  FetchHttpClient.layer,
  Logger.layer([])
)

Effect.andThen(startTimes, idle).pipe(Effect.provide(ServicesLayer), NodeRuntime.runMain)
