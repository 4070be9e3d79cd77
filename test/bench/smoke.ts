// npm run check:bench: every benchmark of package.json once, on as little as it can, so that one that no longer runs is found.
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Duration, Effect, FileSystem, Schema, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { availableParallelism } from "node:os"
import { compileCache } from "../harness/CompileCache.ts"
import { makeBundle } from "./bundleLayer.ts"

const Package = Schema.fromJsonString(Schema.Struct({ scripts: Schema.Record(Schema.String, Schema.String) }))

/** Runs one to its end and answers whether it got there; only then what it printed is of no interest. */
const smoke = Effect.fn("smoke")(function*(script: string) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const [took, [output, code]] = yield* Effect.timed(Effect.scoped(Effect.gen(function*() {
    const child = yield* spawner.spawn(ChildProcess.make("npm", ["run", "--silent", script], {
      env: { ...compileCache, BENCH_TINY: "true" },
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

const runAll = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const { scripts } = yield* Schema.decodeEffect(Package)(yield* fs.readFileString("package.json"))
  const benches = Object.keys(scripts).filter((name) => name.startsWith("bench:"))
  const [took, ran] = yield* Effect.timed(
    Effect.andThen(makeBundle, Effect.forEach(benches, smoke, { concurrency: availableParallelism() }))
  )
  const failed = ran.filter((it) => !it).length
  yield* Console.log(`${ran.length - failed} of ${ran.length} run, ${Duration.toSeconds(took).toFixed(0)} s`)
  if (failed > 0 || ran.length === 0) process.exitCode = 1
})

runAll.pipe(Effect.provide(NodeServices.layer), NodeRuntime.runMain)
