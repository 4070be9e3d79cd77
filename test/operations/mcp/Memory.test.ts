import { afterAll, assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Layer, Logger } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { Session } from "node:inspector"
import { setTimeout as sleep } from "node:timers/promises"
import { Api } from "../../../src/Api.ts"
import { CurrentAgentCaller } from "../../../src/operations/mcp/AgentCaller.ts"
import { operationsOf } from "../../../src/operations/mcp/ContractOperations.ts"
import { serverLayer } from "../../../src/operations/mcp/HttpServerLayer.ts"
import { inProcess, type OwnRequest } from "../../../src/operations/mcp/InProcess.ts"
import { sessionless } from "../../../src/operations/mcp/Sessionless.ts"
import { appLayer } from "../../harness/App.ts"
import { address } from "./Agent.ts"
import { clubWithKey } from "./Keys.ts"
import { newest, post } from "./Messages.ts"

// Takes long: it sends thousands of messages and waits for the memory to settle.
// However many clients come and whatever they send, the service keeps no session, request or answer of theirs.

/** In characters: the text that only one message has. If the messages stayed in memory, the text would be noticed. */
const weight = 65_536

/** In bytes: less than the text of all messages of one kind. */
const mostGrowth = 3_000_000

const ofEach = 60

const profiler = new Session()
profiler.connect()
afterAll(() => profiler.disconnect())

/** The heap in use, in bytes, after a collection of garbage. */
const inUse = Effect.callback<number>((done) => {
  profiler.post("HeapProfiler.collectGarbage", () => done(Effect.succeed(process.memoryUsage().heapUsed)))
})

let made = 0
const words = () => `${(made += 1)}`.padStart(weight, "word ")

const alone = "2026-07-28"
const batches = { "mcp-protocol-version": "2025-03-26" }

const message = (method: string, params: object) => ({ jsonrpc: "2.0", id: words(), method, params })
const call = (name: string, given: object) => message("tools/call", { name, arguments: given })
const begin = (version: string) =>
  message("initialize", {
    protocolVersion: version,
    capabilities: { experimental: { own: { words: words() } } },
    clientInfo: { name: words(), version: "1" }
  })

interface Sent {
  readonly body: unknown
  readonly headers?: Record<string, string>
}

/** Right and wrong messages of clients, each with new words. */
const kinds: ReadonlyArray<() => Sent> = [
  () => ({ body: begin(newest) }),
  () => ({ body: begin("2025-03-26") }),
  () => ({ body: begin(words()) }),
  () => ({ body: message("ping", { _meta: { progressToken: words() } }) }),
  () => ({ body: call("students_show", { student_id: words().slice(-200) }) }),
  () => ({ body: call("students_create", { name: words(), email: "a@people.example" }) }),
  () => ({ body: call(words(), { [words()]: words() }) }),
  () => ({ body: message("resources/read", { uri: `turma://guides/${words()}` }) }),
  () => ({ body: message("logging/setLevel", { level: "debug" }) }),
  () => ({ body: [1, 2, 3].map(() => message("ping", {})), headers: batches }),
  () => ({ body: { jsonrpc: "2.0", method: "notifications/initialized", params: { _meta: { words: words() } } } }),
  () => ({ body: { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: words() } } }),
  () => ({ body: { jsonrpc: "2.0", id: words(), result: { words: words() } } }),
  () => ({ body: `{"broken":"${words()}`, headers: { "mcp-session-id": crypto.randomUUID() } }),
  () => ({
    body: message("prompts/list", {
      _meta: {
        "io.modelcontextprotocol/protocolVersion": alone,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { name: words(), version: "1" }
      }
    }),
    headers: { "mcp-protocol-version": alone, "mcp-method": "prompts/list" }
  })
]

/** The number of kinds whose messages each get a session. */
const withSession = 13

/** The number of messages of each kind before the first measurement. */
const first = 15

/** Sends this many messages of each kind, in turns. */
const crowd = <E, R>(count: number, send: (sent: Sent) => Effect.Effect<unknown, E, R>) =>
  Effect.forEach(
    Array.from({ length: count * kinds.length }, (_, index) => kinds[index % kinds.length]),
    (kind) => kind === undefined ? Effect.void : send(kind()),
    { concurrency: 8, discard: true }
  )

/** Measures the heap after half a second, when the service has dropped the remains of its clients. */
const settled = Effect.andThen(Effect.promise(() => sleep(500)), inUse)

/** The growth of the heap by the messages. The first ones fill all caches. */
const growthBy = Effect.fnUntraced(function*<E, R>(send: (sent: Sent) => Effect.Effect<unknown, E, R>) {
  yield* crowd(first, send)
  const before = yield* settled
  yield* crowd(ofEach, send)
  let growth = Infinity
  // A leak would stay for longer than these seconds.
  for (let looks = 0; looks < 10 && growth > mostGrowth; looks++) growth = (yield* settled) - before
  return growth
})

const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" }

describe("The library's server", () => {
  it.effect("keeps nothing of a thousand messages, and none of its sessions", () =>
    Effect.gen(function*() {
      const services = yield* Layer.build(serverLayer("/mcp", operationsOf(Api)))
      const caller = {
        call: () => Effect.succeed({ status: 200, headers: {}, body: `{"data":{}}` }),
        rights: Effect.succeed({
          key_id: "k",
          organization_id: "c",
          acts_as: "admin" as const,
          scopes: null,
          tools: null
        })
      }
      const answer = inProcess(
        Context.get(services, HttpRouter.HttpRouter).asHttpEffect(),
        Context.make(CurrentAgentCaller, caller),
        HttpServerRequest.fromWeb(new Request("http://localhost/mcp"))
      )
      const sessions: Array<string> = []
      const noting = (request: OwnRequest) =>
        Effect.tap(answer(request), (answered) =>
          Effect.sync(() => {
            const id = answered.headers["mcp-session-id"]
            if (request.method === "POST" && id !== undefined && !("mcp-session-id" in request.headers)) {
              sessions.push(id)
            }
          }))
      const growth = yield* growthBy(({ body, headers: own = {} }) => {
        const text = typeof body === "string" ? body : JSON.stringify(body)
        const sent = { "mcp-protocol-version": newest, ...headers, ...own }
        return sessionless(noting)({ method: "POST", url: "/mcp", headers: sent, body: text }, body)
      })
      assert.isAtMost(growth, mostGrowth)
      assert.lengthOf(sessions, withSession * (first + ofEach))
      for (const id of sessions) {
        const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })
        const late = yield* answer({
          method: "POST",
          url: "/mcp",
          headers: { ...headers, "mcp-session-id": id },
          body: ping
        })
        assert.strictEqual(late.status, 404)
      }
    }).pipe(Effect.scoped))
})

layer(appLayer().pipe(Layer.provideMerge(Logger.layer([]))), { excludeTestServices: true })(
  "/mcp",
  (it) => {
    it.effect("keeps nothing of a thousand messages, nor of clients that go before they are answered", () =>
      Effect.gen(function*() {
        let turn = 0
        // A key may send 600 messages a minute.
        const keys = yield* Effect.replicateEffect(clubWithKey(), 4)
        const tokenOf = (turn: number) => keys[turn % keys.length]?.token ?? ""
        const base = yield* address
        const gone = ({ body, headers: own = {} }: Sent) =>
          Effect.promise(() =>
            fetch(new URL("/mcp", base), {
              method: "POST",
              headers: { ...headers, authorization: `Bearer ${tokenOf(turn)}`, "mcp-protocol-version": newest, ...own },
              body: typeof body === "string" ? body : JSON.stringify(body),
              signal: AbortSignal.timeout(3)
            }).then((response) => response.text(), String)
          )
        const statuses = new Map<number, number>()
        const noted = ({ body, headers: own = {} }: Sent) =>
          Effect.map(post(body, { token: tokenOf(turn), headers: own }), ({ status }) => {
            statuses.set(status, (statuses.get(status) ?? 0) + 1)
          })
        const growth = yield* growthBy((sent) => (turn += 1) % 8 === 0 ? gone(sent) : noted(sent))
        assert.isAtMost(growth, mostGrowth)
        const all = kinds.length * (first + ofEach)
        assert.deepStrictEqual([...statuses.keys()].toSorted(), [200, 202])
        assert.strictEqual([...statuses.values()].reduce((sum, count) => sum + count, 0), all - Math.floor(all / 8))
      }))
  }
)
