import { Effect } from "effect"
import { HttpServer } from "effect/http"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { commandModule } from "../../harness/CommandModule.ts"
import { compileCache } from "../../harness/CompileCache.ts"
import { agents, installTools, project } from "../../tools/Tools.ts"

// The official client, in a separate package that `npm ci` in the project does not install.

interface ToolSeen {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: Record<string, unknown>
  readonly outputSchema?: Record<string, unknown>
  readonly annotations?: Record<string, unknown>
}

export interface Called {
  readonly isError?: boolean
  readonly content: ReadonlyArray<{ readonly type: string; readonly text?: string }>
  readonly structuredContent?: Record<string, unknown>
}

export interface Client {
  connect(transport: object): Promise<void>
  close(): Promise<void>
  getServerVersion(): { readonly name: string; readonly version: string } | undefined
  getInstructions(): string | undefined
  listTools(): Promise<{ readonly tools: ReadonlyArray<ToolSeen> }>
  callTool(call: { readonly name: string; readonly arguments: Record<string, unknown> }): Promise<Called>
  listResources(): Promise<{ readonly resources: ReadonlyArray<{ readonly uri: string; readonly mimeType?: string }> }>
  readResource(
    wanted: { readonly uri: string }
  ): Promise<{ readonly contents: ReadonlyArray<{ readonly uri: string; readonly text?: string }> }>
  listPrompts(): Promise<{ readonly prompts: ReadonlyArray<{ readonly name: string }> }>
  getPrompt(wanted: { readonly name: string; readonly arguments: Record<string, string> }): Promise<unknown>
}

interface Sdk {
  readonly Client: new(about: { readonly name: string; readonly version: string }) => Client
  readonly StreamableHTTPClientTransport: new(url: URL, options: {
    readonly requestInit: { readonly headers: Record<string, string> }
    readonly fetch?: typeof fetch
  }) => { readonly sessionId: string | undefined }
  readonly StdioClientTransport: new(server: {
    readonly command: string
    readonly args: ReadonlyArray<string>
    readonly env: Record<string, string>
    readonly stderr: "pipe" | "inherit"
  }) => object
}

const say = (line: string) => process.stdout.write(`${line}\n`)

const missing = await installTools(say, agents)
if (missing !== undefined && process.env["CI"] === "true") {
  throw new Error(`The tools of test/tools/agents are not there: ${missing.reason}`)
}

/** The reason why the official client is missing. Undefined if it is installed. */
export const noClient: string | undefined = missing?.reason

const part = (name: string) =>
  import(pathToFileURL(join(agents, "node_modules/@modelcontextprotocol/sdk/dist/esm/client", name)).href)

const sdk = async (): Promise<Sdk> => ({
  ...await part("index.js"),
  ...await part("streamableHttp.js"),
  ...await part("stdio.js")
})

const about = { name: "a test", version: "1" }

/** The address of the test's service. */
export const address = HttpServer.HttpServer.use(({ address }) =>
  Effect.succeed(HttpServer.formatAddress(address).replace(/0\.0\.0\.0|\[::\]/, "127.0.0.1"))
)

/** A client of `/mcp` with this key. `fetching` replaces `fetch`. */
export const overHttp = (base: string, key: string, fetching?: typeof fetch) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const { Client, StreamableHTTPClientTransport } = await sdk()
      const client = new Client(about)
      const headers = { Authorization: `Bearer ${key}` }
      await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", base), {
        requestInit: { headers },
        ...(fetching === undefined ? {} : { fetch: fetching })
      }))
      return client
    }),
    (client) => Effect.promise(() => client.close())
  )

/** The module of the command line, for a process in any folder. */
export const commandLine = resolve(project, commandModule)

/** A client of `turma mcp`, which runs as a separate process. */
export const overStdio = (base: string, key: string, args: ReadonlyArray<string> = []) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const { Client, StdioClientTransport } = await sdk()
      const client = new Client(about)
      await client.connect(new StdioClientTransport({
        command: process.execPath,
        args: [commandLine, "mcp", ...args],
        env: { ...compileCache, TURMA_URL: base, TURMA_KEY: key },
        stderr: "inherit"
      }))
      return client
    }),
    (client) => Effect.promise(() => client.close())
  )

/** The text of a call's answer. */
export const wordsOf = ({ content }: Called): string => content.map(({ text = "" }) => text).join("\n")
