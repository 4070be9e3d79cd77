import { type Duration, Effect, FileSystem, Redacted, Schedule } from "effect"
import { HttpClient } from "effect/http"
import { ChildProcess } from "effect/process"
import { fileURLToPath } from "node:url"
import { freePort } from "../harness/FreePort.ts"
import { startArguments, startEnvironment } from "../harness/ScriptArguments.ts"
import { ifWeDie } from "../harness/Watchdog.ts"

/** A server process under measurement. */
export interface Contender {
  readonly name: string
  readonly url: string
  /** CPU time of the server, with all its threads and processes, in milliseconds. Linux counts in steps of 10. */
  readonly cpuMillis: Effect.Effect<number>
  /** The most memory that it has held so far, in MB. */
  readonly peakMegabytes: Effect.Effect<number>
  /** The most memory of each process, if the server runs several. */
  readonly peaksOfProcesses: Effect.Effect<ReadonlyArray<number>>
  /** The memory that it holds now, in MB. */
  readonly megabytes: Effect.Effect<number>
}

/** The project's folder. */
const root = fileURLToPath(new URL("../..", import.meta.url))

const argumentsOf = {
  Turma: startArguments,
  twin: ["test/bench/twin/main.ts"],
  "classroom twin": ["test/bench/twin/classroom.ts"],
  "hook twin": ["test/bench/twin/hook.ts"]
}
export type Name = keyof typeof argumentsOf

/** Connections of each contender to the database: the default of a process. */
export const pool = 13

/** The settings of both: the same pool, one process for HTTP only, a limit that no run reaches, no request log. */
const environment = {
  DATABASE_POOL: String(pool),
  LOG_LEVEL: "warn",
  RATE_LIMIT_WRITES: "1000000000",
  ROLE: "api"
}

const ticksPerSecond = 100

// utime and stime are the 14th and 15th field; the second, the name, may hold spaces.
const cpuMillisOf = (stat: string) => {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return (Number(fields[11]) + Number(fields[12])) * 1000 / ticksPerSecond
}

const peakOf = (status: string) => Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024

const residentOf = (status: string) => Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024

/**
 * Starts a server with these arguments and this environment on a free port and waits until it answers. The scope ends
 * it. `every` is the pause between two tries.
 */
export const untilItAnswers = Effect.fnUntraced(function*(
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>,
  every: Duration.Input
) {
  const client = yield* HttpClient.HttpClient
  const port = yield* freePort
  const child = yield* ChildProcess.make(process.execPath, args, {
    cwd: root,
    env: { ...env, HOST: "127.0.0.1", PORT: String(port) },
    extendEnv: false,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "inherit",
    killSignal: "SIGTERM",
    forceKillAfter: "20 seconds"
  })
  yield* ifWeDie(`kill "$1"`, String(child.pid))
  const url = `http://127.0.0.1:${port}`
  const answers = client.get(`${url}/v1/health`).pipe(
    Effect.retry({ schedule: Schedule.spaced(every) }),
    Effect.timeout("5 minutes")
  )
  const died = Effect.flatMap(
    child.exitCode,
    (code) => Effect.die(`${args.at(-1)} ended with ${code} before it answered`)
  )
  yield* Effect.raceFirst(answers, died)
  return { child, url }
})

/** Starts a contender on this database, with the settings `more`, and waits until it answers. The scope ends it. */
export const start = Effect.fn("Contender.start")(function*(
  name: Name,
  { database, folder, key }: { readonly database: Redacted.Redacted; readonly folder: string; readonly key: string },
  more: Readonly<Record<string, string>> = {}
) {
  const fs = yield* FileSystem.FileSystem
  const { child, url } = yield* untilItAnswers(
    argumentsOf[name],
    {
      ...environment,
      ...(name === "Turma" ? startEnvironment : {}),
      ...more,
      APP_SECRET_KEY: key,
      DATABASE_URL: Redacted.value(database),
      DATA_DIR: folder
    },
    "50 millis"
  )
  const proc = (file: string, pid: number = child.pid) => Effect.orDie(fs.readFileString(`/proc/${pid}/${file}`))
  const processes = Effect.map(
    proc(`task/${child.pid}/children`),
    (pids) => pids.trim().split(" ").filter((pid) => pid !== "").map(Number)
  )
  const cpuMillis = Effect.gen(function*() {
    const stats = yield* Effect.forEach([child.pid, ...(yield* processes)], (pid) => proc("stat", pid))
    return stats.map(cpuMillisOf).reduce((sum, millis) => sum + millis, 0)
  })
  return {
    name,
    url,
    cpuMillis,
    peakMegabytes: Effect.map(proc("status"), peakOf),
    peaksOfProcesses: Effect.flatMap(
      processes,
      Effect.forEach((pid) => Effect.map(proc("status", pid), peakOf))
    ),
    megabytes: Effect.map(proc("status"), residentOf)
  } satisfies Contender
})
