// npm run check:bench: runs every benchmark of package.json once, as small as possible, to find broken ones.
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Duration, Effect, FileSystem, Logger, Option, Schema, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { statfs } from "node:fs/promises"
import { availableParallelism } from "node:os"
import { compileCache } from "../harness/CompileCache.ts"
import { postgresFolder } from "../harness/Watchdog.ts"
import { makeBundle } from "./bundleLayer.ts"
import { makeTemplate, templateVariable } from "./newDatabase.ts"

const Package = Schema.fromJsonString(Schema.Struct({ scripts: Schema.Record(Schema.String, Schema.String) }))

/** Bytes. A benchmark of a tiny run takes a tenth of it. */
const roomForClusters = 2 ** 31

/** Keeps the many small, temporary files of clusters in memory if there is room, which is several times faster. */
const inMemory = Effect.map(
  Effect.option(Effect.tryPromise(() => statfs("/dev/shm"))),
  Option.match({
    onNone: () => ({}),
    onSome: ({ bavail, bsize }) => bavail * bsize > roomForClusters ? { TMPDIR: "/dev/shm" } : {}
  })
)

/** Runs the command of a script. Answers true if it succeeds; otherwise it shows the output of the command. */
const smoke = Effect.fn("smoke")(function*(script: string, command: string, env: Readonly<Record<string, string>>) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const [took, [output, code]] = yield* Effect.timed(Effect.scoped(Effect.gen(function*() {
    const child = yield* spawner.spawn(ChildProcess.make("sh", ["-c", command], {
      env,
      extendEnv: true,
      stdin: "ignore"
    }))
    return yield* Effect.all([child.all.pipe(Stream.decodeText, Stream.mkString), child.exitCode], {
      concurrency: "unbounded"
    })
  })))
  const seconds = Duration.toSeconds(took).toFixed(0)
  yield* Console.log(code === 0 ? `${script} runs: ${seconds} s` : `${script} ended with ${code}:\n${output}`)
  return code === 0
})

const runAll = Effect.fn("runAll")(function*() {
  const fs = yield* FileSystem.FileSystem
  const { scripts } = yield* Schema.decodeEffect(Package)(yield* fs.readFileString("package.json"))
  const benches = Object.entries(scripts).filter(([name]) => name.startsWith("bench:"))
  const template = `${yield* postgresFolder()}/postgres`
  const making = Effect.all([makeBundle, makeTemplate(template)], { concurrency: "unbounded" })
  const env = { ...compileCache, ...(yield* inMemory), BENCH_TINY: "true", [templateVariable]: template }
  const running = Effect.forEach(benches, ([name, command]) => smoke(name, command, env), {
    concurrency: availableParallelism() + 1
  })
  const [took, ran] = yield* Effect.timed(Effect.andThen(making, running))
  const failed = ran.filter((it) => !it).length
  yield* Console.log(`${ran.length - failed} of ${ran.length} run, ${Duration.toSeconds(took).toFixed(0)} s`)
  if (failed > 0 || ran.length === 0) process.exitCode = 1
}, Effect.scoped)

runAll().pipe(
  Effect.provide([NodeServices.layer, SecureRandom.layerWebCrypto, Logger.layer([])]),
  NodeRuntime.runMain
)
