import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { one } from "../../../src/platform/sql/Rows.ts"
import { appLayer, at, listAt, send } from "../../harness/App.ts"
import { adminDatabaseUrl } from "../../harness/Postgres.ts"
import { runTurma, startApi } from "../../harness/Turma.ts"
import { postgresFolder } from "../../harness/Watchdog.ts"
import { agents, runTool } from "../../tools/Tools.ts"
import { address, noClient, overHttp, overStdio, wordsOf } from "./Agent.ts"
import { clubWithKey } from "./Keys.ts"

// With processes of their own: another one of the service on the same database, and what agents start.

const decodeName = one(Schema.Struct({ name: Schema.String }))

/** Where the database of the test is, for another process. */
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

layer(appLayer().pipe(Layer.merge(NodeServices.layer)), { excludeTestServices: true, timeout: "120 seconds" })(
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

    it.effect("has nothing to say about the schemas of any tool: the inspector's checks", ({ skip }) =>
      Effect.gen(function*() {
        if (noClient !== undefined) return skip(noClient)
        const { token } = yield* clubWithKey()
        const there = [`${yield* address}/mcp`, "--transport", "http", "--header", `Authorization: Bearer ${token}`]
        const listed = yield* inspector([...there, "--method", "tools/list", "--strict"])
        assert.strictEqual(listed.code, 0, listed.stdout + listed.stderr)
        assert.isAtLeast(listAt(JSON.parse(listed.stdout), "tools").length, 80)
        assert.notMatch(listed.stderr, /error|warn|problem/i)
        const called = yield* inspector([...there, "--method", "tools/call", "--tool-name", "gamification_show"])
        assert.strictEqual(called.code, 0, called.stdout + called.stderr)
        assert.isTrue(at(JSON.parse(called.stdout), "structuredContent", "data", "enabled"))
        const resources = yield* inspector([...there, "--method", "resources/list"])
        assert.strictEqual(resources.code, 0, resources.stdout + resources.stderr)
        assert.isAtLeast(listAt(JSON.parse(resources.stdout), "resources").length, 30)
      }))

    it.effect("starts turma mcp, which says what it wants where it is not told, and writes messages alone", ({ skip }) =>
      Effect.gen(function*() {
        const bare = yield* runTurma({
          args: ["src/cli/main.ts", "mcp"],
          env: { XDG_CONFIG_HOME: yield* postgresFolder() }
        })
        assert.deepStrictEqual([bare.code, bare.stdout], [3, ""])
        assert.match(bare.stderr, /^turma: Not signed in: use turma login, or set TURMA_KEY/)
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
