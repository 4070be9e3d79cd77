import { Effect } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { callHost } from "../../harness/CommandHost.ts"
import { commandModule } from "../../harness/CommandModule.ts"
import { compileCache } from "../../harness/CompileCache.ts"
import { ifWeDie } from "../../harness/Watchdog.ts"

const project = fileURLToPath(new URL("../../..", import.meta.url))

/** The environment and the input of a call. */
export interface Call {
  readonly env?: Record<string, string>
  readonly stdin?: string
}

/** The exit code and the output of a call. */
export interface Said {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const main = [commandModule]

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`

/** A separate command line, with settings of its own in a folder that the scope deletes. */
export const commandLine = Effect.fnUntraced(function*(always: Record<string, string> = {}) {
  const home = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "turma-home-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
  const environment = (env: Record<string, string>) => ({
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    XDG_CONFIG_HOME: join(home, "config"),
    ...compileCache,
    ...always,
    ...env
  })

  const begin = Effect.fnUntraced(function*(program: string, args: ReadonlyArray<string>, { env = {}, stdin }: Call) {
    const child = yield* Effect.acquireRelease(
      Effect.sync(() => spawn(program, args, { cwd: project, env: environment(env), stdio: ["pipe", "pipe", "pipe"] })),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    )
    yield* ifWeDie(`kill -KILL "$1"`, `${child.pid ?? 0}`)
    const said = { stdout: "", stderr: "" }
    child.stdin.on("error", () => {})
    if (stdin !== undefined) child.stdin.end(stdin)
    child.stdout.on("data", (chunk: Buffer) => (said.stdout += chunk.toString()))
    child.stderr.on("data", (chunk: Buffer) => (said.stderr += chunk.toString()))
    const ended = once(child, "close").then(([code]): Said => ({ code, ...said }))
    const until = (text: string) =>
      Effect.callback<void>((resume) => {
        const look = () => {
          if (`${said.stdout}${said.stderr}`.includes(text)) resume(Effect.void)
        }
        child.stdout.on("data", look)
        child.stderr.on("data", look)
        child.once("close", () => resume(Effect.die(new Error(`Never said "${text}": ${said.stdout}${said.stderr}`))))
        look()
      })
    return { child, said, until, ended: Effect.promise(() => ended) }
  })

  const inTerminal = (columns: number, words: ReadonlyArray<string>) => {
    const command = [process.execPath, ...main, ...words].map(quoted).join(" ")
    return ["-qec", `stty cols ${columns} -echo; ${command}`, "/dev/null"]
  }

  return {
    home,
    /** Runs it to its end in a process that has already loaded it. Options for Node need a new process. */
    run: (words: ReadonlyArray<string>, { env = {}, stdin = "" }: Call = {}): Effect.Effect<Said> =>
      env["NODE_OPTIONS"] === undefined
        ? callHost({ words, env: environment(env), stdin })
        : Effect.scoped(Effect.flatMap(begin(process.execPath, [...main, ...words], { env, stdin }), ({ ended }) =>
          ended)),
    /** Starts it, until the scope closes. */
    start: (words: ReadonlyArray<string>, call: Call = {}) =>
      begin(process.execPath, [...main, ...words], { stdin: "", ...call }),
    /** Runs a line of bash in which `turma` is this command line. */
    bash: (line: string, call: Call = {}) =>
      Effect.scoped(Effect.flatMap(
        begin("bash", ["-c", `turma() { ${quoted(process.execPath)} ${main.join(" ")} "$@"; }; ${line}`], {
          stdin: "",
          ...call
        }),
        ({ ended }) => ended
      )),
    /** Starts it in a terminal of this width. The terminal merges both outputs. */
    terminal: (columns: number, words: ReadonlyArray<string>, call: Call = {}) =>
      begin("script", inTerminal(columns, words), { ...call, env: { TERM: "xterm", ...call.env } })
  }
})

/** A request that a stub gets. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage["headers"]
}

/** An answer of a stub: a body as JSON, or text and bytes as they are. Status 0 breaks the connection instead. */
export interface Answering {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

/** A service that gives the test's answers. */
export const startStub = Effect.fnUntraced(function*(answer: (asked: Asked) => Answering) {
  const asked: Array<Asked> = []
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", "http://stub")
    const one = { method: request.method ?? "", path: url.pathname, query: url.searchParams, headers: request.headers }
    asked.push(one)
    const { body, headers = {}, status = 200 } = answer(one)
    request.resume()
    if (status === 0) return void request.socket.destroy()
    response.writeHead(status, { "content-type": "application/json", ...headers })
    const isAsItIs = typeof body === "string" || body instanceof Uint8Array
    response.end(isAsItIs ? body : body === undefined ? "" : JSON.stringify(body))
  }
  const server = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer(handle).listen(0, "127.0.0.1")
      await once(server, "listening")
      return server
    }),
    (server) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return { asked, port, url: `http://127.0.0.1:${port}` }
})

/** A club's id, and the settings to call the API for it. */
export const clubId = "6f0c1f1e-4b0a-4c6e-9d53-2f1f9b6a7e10"
export const secretKey = "turma_h7Tq2XwA_0J8dPq3ZkVw1RrT6bYc9NfXeLmHs2GuA5tKvQyDoB7iEj4xWl"
export const signedIn = (url: string) => ({ TURMA_URL: url, TURMA_KEY: secretKey, TURMA_CLUB: clubId })

/** A page of a list. */
export const pageOf = (data: ReadonlyArray<unknown>, next_cursor: string | null = null) => ({
  body: { data, next_cursor }
})
