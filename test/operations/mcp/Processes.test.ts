import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { one } from "../../../src/platform/sql/Rows.ts"
import { appLayer, at, listAt, send } from "../../harness/App.ts"
import { compileCache } from "../../harness/CompileCache.ts"
import { adminDatabaseUrl } from "../../harness/Postgres.ts"
import { runTurma, startApi } from "../../harness/Turma.ts"
import { postgresFolder } from "../../harness/Watchdog.ts"
import { agents, runTool } from "../../tools/Tools.ts"
import { address, commandLine, noClient, overHttp, overStdio, wordsOf } from "./Agent.ts"
import { clubWithKey } from "./Keys.ts"

// Takes long: agents and inspectors start processes of their own.

// With separate processes: a second service on the same database, and the processes that agents start.

const decodeName = one(Schema.Struct({ name: Schema.String }))

/** The address of the test's database, for another process. */
const databaseUrl = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { name } = yield* decodeName(sql`select current_database() as name`)
  const url = new URL(Redacted.value(adminDatabaseUrl()))
  url.pathname = `/${name}`
  return url.href
})

const settings = { PROCESSES: "1", APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64") }

const inspector = (args: ReadonlyArray<string>) =>
  Effect.promise(() => runTool("mcp-inspector", ["--cli", ...args], agents, agents))

/** The inspector's settings for a server, with a key. */
const ways: ReadonlyArray<readonly [string, (base: string, key: string) => ReadonlyArray<string>]> = [
  ["over HTTP", (base, key) => [`${base}/mcp`, "--transport", "http", "--header", `Authorization: Bearer ${key}`]],
  ["over standard input and output", (base, key) => {
    const server = [process.execPath, commandLine, "mcp"]
    const env = Object.entries({ ...compileCache, TURMA_URL: base, TURMA_KEY: key })
    return [...server, "--transport", "stdio", ...env.flatMap(([name, value]) => ["-e", `${name}=${value}`])]
  }]
]

layer(appLayer().pipe(Layer.merge(NodeServices.layer)), { excludeTestServices: true })(
  "An agent",
  (it) => {
    it.effect("is answered by two processes in turns, and by neither once its key is revoked", ({ skip }) =>
      Effect.gen(function*() {
        if (noClient !== undefined) return skip(noClient)
        const env = { ...settings, DATABASE_URL: yield* databaseUrl, DATA_DIR: yield* postgresFolder() }
        const other = yield* startApi({ env })
        const own = yield* address
        const club = yield* clubWithKey()
        const asked: Array<string> = []
        const inTurns: typeof fetch = (url, init) => {
          const base = asked.length % 2 === 0 ? own : other.url
          asked.push(base)
          return fetch(new URL(new URL(String(url)).pathname, base), init)
        }
        const client = yield* overHttp(own, club.token, inTurns)
        for (const name of ["Ana", "Bia", "Caio"]) {
          const given = { name, email: `${name.toLowerCase()}@people.example` }
          const made = yield* Effect.promise(() => client.callTool({ name: "students_create", arguments: given }))
          assert.isFalse(made.isError, wordsOf(made))
          const found = yield* Effect.promise(() =>
            client.callTool({ name: "students_search", arguments: { search: name } })
          )
          assert.lengthOf(listAt(found.structuredContent, "data"), 1)
          yield* Effect.promise(() => client.listTools())
        }
        assert.isAtLeast(asked.filter((base) => base === other.url).length, 5)

        yield* send("DELETE", `${club.path}/keys/${club.keyId}`, { token: club.session })
        for (const _ of [own, other]) {
          const refused = yield* Effect.promise(() => client.listTools().then(() => "listed", String))
          assert.match(refused, /unauthenticated|401|Unauthorized/i)
        }
      }).pipe(Effect.scoped))

    for (const [way, reach] of ways) {
      it.effect(`has nothing to say about the schemas of any tool, ${way}: the inspector's checks`, ({ skip }) =>
        Effect.gen(function*() {
          if (noClient !== undefined) return skip(noClient)
          const { token } = yield* clubWithKey()
          const there = [...reach(yield* address, token), "--connect-timeout", "60000"]
          const listed = yield* inspector([...there, "--method", "tools/list", "--strict"])
          assert.strictEqual(listed.code, 0, listed.stdout + listed.stderr)
          assert.isAtLeast(listAt(JSON.parse(listed.stdout), "tools").length, 80)
          assert.notMatch(listed.stderr, /error|warn|problem/i)
          const called = yield* inspector([...there, "--method", "tools/call", "--tool-name", "gamification_show"])
          assert.strictEqual(called.code, 0, called.stdout + called.stderr)
          assert.isTrue(at(JSON.parse(called.stdout), "structuredContent", "data", "enabled"))
          // Below, a client lists the resources of `turma mcp`.
          if (way !== "over HTTP") return
          const resources = yield* inspector([...there, "--method", "resources/list"])
          assert.strictEqual(resources.code, 0, resources.stdout + resources.stderr)
          assert.isAtLeast(listAt(JSON.parse(resources.stdout), "resources").length, 30)
        }))
    }

    it.effect("starts turma mcp, which says what it wants where it is not told, and writes messages alone", ({ skip }) =>
      Effect.gen(function*() {
        const bare = yield* runTurma({
          args: ["src/cli/main.ts", "mcp"],
          env: { XDG_CONFIG_HOME: yield* postgresFolder() }
        })
        assert.deepStrictEqual([bare.code, bare.stdout], [3, ""])
        assert.match(bare.stderr, /^turma: Not signed in: use npx turma login, or set TURMA_KEY/)
        const wrong = yield* runTurma({
          args: ["src/cli/main.ts", "mcp"],
          env: { TURMA_URL: "nowhere", TURMA_KEY: "a" }
        })
        assert.deepStrictEqual([wrong.code, wrong.stdout], [2, ""])
        const env = { TURMA_URL: yield* address, TURMA_KEY: "turma_a" }
        const ended = yield* runTurma({ args: ["src/cli/main.ts", "mcp"], env })
        assert.deepStrictEqual([ended.code, ended.stdout], [0, ""])
        if (noClient !== undefined) return skip(noClient)
      }))

    it.effect("of turma mcp gets an answer to each line, broken or not, and nothing else comes out", () =>
      Effect.gen(function*() {
        const club = yield* clubWithKey()
        const clientInfo = { name: "a", version: "1" }
        const start = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo }
        const asked = (id: number, method: string, params: object = {}) =>
          JSON.stringify({ jsonrpc: "2.0", id, method, params })
        const lines = [
          asked(1, "initialize", start),
          `{"jsonrpc":"2.0","id":2,`,
          "null",
          "",
          `"words"`,
          asked(3, "tools/call", { name: "club_show", arguments: {} }),
          asked(4, "tools/call", { name: "students_show", arguments: { student_id: ".." } }),
          asked(5, "tools/call", { name: "no_such", arguments: {} }),
          "\u0000",
          asked(6, "ping")
        ]
        const file = join(yield* postgresFolder(), "lines")
        yield* Effect.promise(() =>
          mkdir(dirname(file), { recursive: true }).then(() => writeFile(file, lines.join("\n")))
        )
        const ended = yield* runTurma({
          program: "/bin/sh",
          args: ["-c", `exec "$0" "$1" mcp < "$2"`, process.execPath, commandLine, file],
          env: { TURMA_URL: yield* address, TURMA_KEY: club.token }
        })
        assert.strictEqual(ended.code, 0, ended.stderr)
        assert.strictEqual(ended.stderr, "")
        const answers = ended.stdout.trimEnd().split("\n").map((line): unknown => JSON.parse(line))
        for (const answer of answers) assert.strictEqual(at(answer, "jsonrpc"), "2.0")
        const codes = answers.filter((one) => at(one, "id") === null).map((one) => at(one, "error", "code"))
        assert.deepStrictEqual(codes, [-32_700, -32_600, -32_600, -32_700])
        const to = (id: number) => answers.filter((one) => at(one, "id") === id)
        assert.deepStrictEqual([1, 3, 4, 5, 6].map((id) => to(id).length), [1, 1, 1, 1, 1])
        assert.strictEqual(
          at(to(3)[0], "result", "structuredContent", "data", "organization_id"),
          club.organization_id
        )
        assert.isTrue(at(to(4)[0], "result", "isError"))
        assert.strictEqual(at(to(5)[0], "error", "code"), -32_602)
      }))

    it.effect("of turma mcp works in no other club than the one it is told", ({ skip }) =>
      Effect.gen(function*() {
        if (noClient !== undefined) return skip(noClient)
        const [club, other] = [yield* clubWithKey(), yield* clubWithKey()]
        const elsewhere = yield* overStdio(yield* address, club.token, ["--club", other.organization_id])
        const refused = yield* Effect.promise(() => elsewhere.listTools().then(() => "listed", String))
        assert.match(refused, /another club's/)
        const own = yield* overStdio(yield* address, club.token, ["--club", club.organization_id])
        assert.isAtLeast((yield* Effect.promise(() => own.listTools())).tools.length, 80)
      }).pipe(Effect.scoped))

    it.effect("of turma mcp is told where the service or its key is gone", ({ skip }) =>
      Effect.gen(function*() {
        if (noClient !== undefined) return skip(noClient)
        const nowhere = yield* overStdio("http://127.0.0.1:1", "turma_a")
        const unreached = yield* Effect.promise(() => nowhere.listTools().then(() => "listed", String))
        assert.match(unreached, /cannot be reached/)
        const unknown = yield* overStdio(yield* address, "turma_a")
        const refused = yield* Effect.promise(() => unknown.listTools().then(() => "listed", String))
        assert.match(refused, /does not take the key/)
        const { resources } = yield* Effect.promise(() => unknown.listResources())
        assert.isAtLeast(resources.length, 30)
      }).pipe(Effect.scoped))
  }
)
