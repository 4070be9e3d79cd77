import { Effect, Schedule, Schema } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { runCommand } from "./CommandHost.ts"
import { commandSource, withCommand } from "./CommandModule.ts"
import { compileCache } from "./CompileCache.ts"
import { freePort } from "./FreePort.ts"
import { copyDatabaseTo } from "./PreparedDatabase.ts"
import { startArguments } from "./ScriptArguments.ts"
import { ifWeDie } from "./Watchdog.ts"

const project = fileURLToPath(new URL("../..", import.meta.url))

/** The exit of a process and its whole output. */
export interface Ended {
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

interface Options {
  /** The program and its folder: Node in the project by default. */
  readonly program?: string
  readonly cwd?: string
  /** Those of `npm start` by default. */
  readonly args?: ReadonlyArray<string>
  /**
   * The environment, beside PATH, the compile cache and a free port: another service may listen at the usual one. It
   * inherits no other variable. The disk may be full.
   */
  readonly env: Record<string, string>
}

const spawnTurma = ({ args = startArguments, cwd = project, env, program = process.execPath }: Options) =>
  Effect.gen(function*() {
    const PORT = `${yield* freePort}`
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(program, withCommand(args), {
          cwd,
          env: { PATH: process.env["PATH"] ?? "", ...compileCache, STORAGE_FREE_FLOOR: "0 B", PORT, ...env },
          stdio: ["ignore", "pipe", "pipe"]
        })
      ),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    )
    yield* ifWeDie(`kill -KILL "$1"`, `${child.pid ?? 0}`)
    return child
  })

const collect = (child: ChildProcess) => {
  const said = { stdout: "", stderr: "" }
  child.stdout?.on("data", (chunk: Buffer) => (said.stdout += chunk.toString()))
  child.stderr?.on("data", (chunk: Buffer) => (said.stderr += chunk.toString()))
  const ended = once(child, "close").then(([code, signal]): Ended => ({ code, signal, ...said }))
  return { said, ended }
}

/** Ends once the output has this text. Dies with the output if the process ends before. */
const untilSaid = (child: ChildProcess, said: Readonly<Omit<Ended, "code" | "signal">>, text: string) =>
  Effect.callback<void>((resume) => {
    const look = () => {
      if (said.stdout.includes(text)) resume(Effect.void)
    }
    child.stdout?.on("data", look)
    child.once("close", () => resume(Effect.die(new Error(`Never said "${text}": ${said.stdout}${said.stderr}`))))
    look()
  })

const runAlone = Effect.fnUntraced(function*(options: Options) {
  const { ended } = collect(yield* spawnTurma(options))
  return yield* Effect.promise(() => ended)
}, Effect.scoped)

/**
 * Runs Turma to its end. Commands run in a process that has loaded everything already. The service gets a new process,
 * and so does a command with another program, folder or options for Node.
 */
export const runTurma = (options: Options): Effect.Effect<Ended> => {
  const { args: [main, ...words] = [], cwd, env, program } = options
  const isService = words[0] === undefined || words[0] === "serve"
  return main === commandSource && !isService && cwd === undefined && program === undefined &&
      env["NODE_OPTIONS"] === undefined
    ? Effect.map(runCommand(words, env), (ended) => ({ signal: null, ...ended }))
    : runAlone(options)
}

// A package makes its database itself, as its users see.
const prepareDatabase = ({ cwd, env: { DATABASE_URL, DATA_DIR } }: Options) =>
  cwd !== undefined || DATABASE_URL !== undefined || DATA_DIR === undefined ? Effect.void : copyDatabaseTo(DATA_DIR)

/** A process of Turma that runs until the scope closes or a test ends it. */
export const startTurma = Effect.fnUntraced(function*(options: Options) {
  yield* prepareDatabase(options)
  const child = yield* spawnTurma(options)
  const { ended, said } = collect(child)
  const kill = (signal: NodeJS.Signals) => Effect.sync(() => void child.kill(signal))
  return {
    pid: child.pid ?? 0,
    said,
    kill,
    /** Closes the pipe of its output, as a reader that leaves does. */
    stopReading: () => void child.stdout?.destroy(),
    until: (text: string) => untilSaid(child, said, text),
    ended: Effect.promise(() => ended),
    end: (signal: NodeJS.Signals = "SIGTERM") => Effect.andThen(kill(signal), Effect.promise(() => ended))
  }
})

/** Starts the service on a new port or this one, ready for requests. */
export const startApi = Effect.fnUntraced(function*(
  { env, port: given, ...options }: Options & { readonly port?: number }
) {
  const port = given ?? (yield* freePort)
  const turma = yield* startTurma({ ...options, env: { PORT: `${port}`, ...env } })
  yield* turma.until("is ready at")
  return { ...turma, port, url: `http://127.0.0.1:${port}` }
})

/** The parts of an answer. `json` is null for a body that is not JSON. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: unknown
}

const decodeJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** Sends one request on a new connection. */
export const ask = (url: string, init: RequestInit = {}) =>
  Effect.promise(async (signal): Promise<Answer> => {
    const headers = { connection: "close", ...init.headers }
    const response = await fetch(url, { ...init, headers, signal })
    const text = await response.text()
    const json = decodeJson(text)
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: json._tag === "Some" ? json.value : null
    }
  })

/** The same with a JSON body. */
export const post = (url: string, body: unknown, token?: string) =>
  ask(url, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` })
    }
  })

/** Posts again while Redis answers too late. The service waits 250 ms for Redis, then refuses and changes nothing. */
export const postCounted = (...given: Parameters<typeof post>) =>
  Effect.repeat(post(...given), { until: ({ status }) => status !== 503, schedule: Schedule.spaced("50 millis") })
