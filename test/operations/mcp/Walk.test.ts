import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Api } from "../../../src/Api.ts"
import { agentTools, type ContractTool } from "../../../src/operations/mcp/AgentTools.ts"
import { operationsOf } from "../../../src/operations/mcp/ContractOperations.ts"
import { askedWith, everything, inOrder } from "../../contract/EveryOperation.ts"
import { appLayer } from "../../harness/App.ts"
import { isObject, type Listed, operations } from "../../harness/Document.ts"
import { localFolder } from "../../platform/storage/local/LocalFolder.ts"
import { address, type Called, type Client, noClient, overHttp, overStdio, wordsOf } from "./Agent.ts"
import { clubWithKey, keyFor } from "./Keys.ts"

// Every tool, called by the official client: as it is meant, with what is wrong, and about what is another club's.

const { folder } = localFolder()
const settings = { DATA_DIR: folder, BILLING_PROVIDER: "local" }

const tools = await Effect.runPromise(agentTools(operationsOf(Api)))

const nameOf = ({ operation: { endpoint } }: ContractTool) =>
  `${endpoint.method} ${endpoint.path.replaceAll(/:(\w+)/g, "{$1}")}`
const toolOf = new Map(tools.map((tool) => [nameOf(tool), tool]))

/** The tools' operations, so that nothing is deleted before it was read. */
const inTurn = inOrder(operations.filter(({ name }) => toolOf.has(name)))

/** The values of a path's parameters, by their names. */
const partsOf = ({ path: template }: Listed, path: string) => {
  const pattern = new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`)
  const { clubId: _, ...parts } = pattern.exec(path)?.groups ?? {}
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, decodeURIComponent(part ?? "")]))
}

const unknown = "018f0000-0000-7000-8000-000000000001"

const call = (client: Client, name: string, given: Record<string, unknown>) =>
  Effect.promise(() => client.callTool({ name, arguments: given }))

/** How tools are called that do what they are for, in the order in which they can be. */
const callsIn = (world: Effect.Success<typeof everything>) =>
  inTurn.map((operation) => {
    const { body, path } = askedWith(operation, world, { webhookDeliveryId: unknown, eventId: unknown })
    const tool = toolOf.get(operation.name) ?? assert.fail(operation.name)
    return { tool, given: { ...partsOf(operation, path), ...(isObject(body) ? body : {}) }, path }
  })

const isMissing = (called: Called) =>
  /^(?:not_found|validation_failed|\w+_(?:unknown|not_found)): /.test(wordsOf(called))

const meant = Effect.fnUntraced(function*(client: Client, world: Effect.Success<typeof everything>) {
  const failed: Array<string> = []
  for (const { given, tool } of callsIn(world)) {
    const called = yield* call(client, tool.name, given)
    if (called.isError === true) failed.push(`${tool.name}: ${wordsOf(called)}`)
    else assert.deepStrictEqual(JSON.parse(wordsOf(called)), called.structuredContent, tool.name)
  }
  return failed
})

/** What these two do, only a delivery of a worker would let them do. */
const withoutDelivery = [
  "webhook_deliveries_resend: not_found",
  "webhook_deliveries_show: not_found",
  "webhook_events_show: not_found"
]

const codesOf = (failed: ReadonlyArray<string>) =>
  failed.map((line) => line.split(": ").slice(0, 2).join(": ")).toSorted()

layer(appLayer(settings), { timeout: "120 seconds" })("Every tool", (it) => {
  for (const [way, connect] of [["over HTTP", overHttp], ["over standard input and output", overStdio]] as const) {
    it.effect(`does what it is for, ${way}`, ({ skip }) =>
      Effect.gen(function*() {
        if (noClient !== undefined) return skip(noClient)
        const world = yield* everything
        const client = yield* connect(yield* address, (yield* keyFor(world.club)).token)
        const { tools: listed } = yield* Effect.promise(() => client.listTools())
        assert.deepStrictEqual(listed.map(({ name }) => name).toSorted(), tools.map(({ name }) => name).toSorted())
        assert.deepStrictEqual(codesOf(yield* meant(client, world)), withoutDelivery)
      }).pipe(Effect.scoped))

    it.effect(`does nothing about what is another club's, ${way}`, ({ skip }) =>
      Effect.gen(function*() {
        if (noClient !== undefined) return skip(noClient)
        const world = yield* everything
        const stranger = yield* clubWithKey()
        const client = yield* connect(yield* address, stranger.token)
        const reached: Array<string> = []
        for (const { given, path, tool } of callsIn(world)) {
          if (Object.keys(tool.arguments.inputSchema["properties"] ?? {}).length === 0) continue
          if (!/\/[0-9a-f-]{36}(?:\/|$)/.test(path.slice(`/v1/clubs/${world.club.organization_id}`.length))) continue
          const called = yield* call(client, tool.name, given)
          if (called.isError !== true || !isMissing(called)) reached.push(`${tool.name}: ${wordsOf(called)}`)
        }
        assert.deepStrictEqual(reached, [])
      }).pipe(Effect.scoped))

    it.effect(`says what is wrong with what it was called with, ${way}`, ({ skip }) =>
      Effect.gen(function*() {
        if (noClient !== undefined) return skip(noClient)
        const world = yield* everything
        const client = yield* connect(yield* address, (yield* keyFor(world.club)).token)
        for (const { given, tool } of callsIn(world)) {
          const unasked = yield* call(client, tool.name, { ...given, club_id: "another" })
          assert.isTrue(unasked.isError, tool.name)
          assert.match(wordsOf(unasked), /^No such argument: club_id\. It takes/, tool.name)
          for (const [name, value] of Object.entries(given)) {
            const wrong = yield* call(client, tool.name, {
              ...given,
              [name]: typeof value === "string" ? 7.5 : "\u0000"
            })
            if (wrong.isError === true) assert.match(wordsOf(wrong), /^(?:[a-z_]+: |\w+ must )/, `${tool.name} ${name}`)
          }
        }
      }).pipe(Effect.scoped))
  }
})
