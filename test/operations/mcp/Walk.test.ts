import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../../../src/Api.ts"
import { agentTools, type ContractTool } from "../../../src/operations/mcp/AgentTools.ts"
import { operationsOf } from "../../../src/operations/mcp/ContractOperations.ts"
import { one } from "../../../src/platform/sql/Rows.ts"
import { delivered, deliveringLayer } from "../../contract/Delivered.ts"
import { askedWith, type Everything, everything, inOrder } from "../../contract/EveryOperation.ts"
import { at, send } from "../../harness/App.ts"
import { isObject, type Listed, operations } from "../../harness/Document.ts"
import { localFolder } from "../../platform/storage/local/LocalFolder.ts"
import { address, type Called, type Client, noClient, overHttp, overStdio, wordsOf } from "./Agent.ts"
import { clubWithKey, keyFor } from "./Keys.ts"

// Takes long: it calls every tool with every kind of fault.
// The official client calls every tool: correctly, with faults, and about things of another club.

const { folder } = localFolder()

const tools = await Effect.runPromise(agentTools(operationsOf(Api)))

const nameOf = ({ operation: { endpoint } }: ContractTool) =>
  `${endpoint.method} ${endpoint.path.replaceAll(/:(\w+)/g, "{$1}")}`
const toolOf = new Map(tools.map((tool) => [nameOf(tool), tool]))

/** The tools' operations, in an order that reads before it deletes. */
const inTurn = inOrder(operations.filter(({ name }) => toolOf.has(name)))

/** The values of a path's parameters, by their names. */
const partsOf = ({ path: template }: Listed, path: string) => {
  const pattern = new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`)
  const { clubId: _, ...parts } = pattern.exec(path)?.groups ?? {}
  // The arguments of tools spell ids in one way.
  const spelled = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return Object
    .fromEntries(Object.entries(parts).map(([name, part]) => [spelled(name), decodeURIComponent(part ?? "")]))
}

const unknown = "018f0000-0000-7000-8000-000000000001"

const call = (client: Client, name: string, given: Record<string, unknown>) =>
  Effect.promise(() => client.callTool({ name, arguments: given }))

const isMissing = (called: Called) =>
  /^(?:not_found|validation_failed|\w+_(?:unknown|not_found)): /.test(wordsOf(called))

/** The calls with which each tool succeeds, in an order that makes this possible. */
const callsIn = (world: Everything, more: Effect.Success<ReturnType<typeof delivered>>) =>
  inTurn.map((operation) => {
    const { body, path } = askedWith(operation, world, more)
    const tool = toolOf.get(operation.name) ?? assert.fail(operation.name)
    return { tool, inPath: partsOf(operation, path), inBody: isObject(body) ? body : {}, path }
  })

/** A club that has everything, and the calls about it. */
const makeWorld = Effect.gen(function*() {
  const world = yield* everything
  const more = yield* delivered(world)
  return { ...world, eventId: more.eventId, calls: callsIn(world, more) }
})
type World = Effect.Success<typeof makeWorld>

/** Two such clubs. Refused calls change nothing, so all tests share both, and the calls that succeed come last. */
class Worlds extends Context.Service<Worlds, readonly [World, World]>()("test/Worlds") {
  static readonly layer = Layer.effect(Worlds, Effect.all([makeWorld, makeWorld]))
}

const meant = Effect.fnUntraced(function*(client: Client, { calls }: World) {
  const failed: Array<string> = []
  for (const { inBody, inPath, tool } of calls) {
    const called = yield* call(client, tool.name, { ...inPath, ...inBody })
    if (called.isError === true) failed.push(`${tool.name}: ${wordsOf(called)}`)
    else assert.deepStrictEqual(JSON.parse(wordsOf(called)), called.structuredContent, tool.name)
  }
  return failed
})

const argumentsOf = ({ arguments: { inputSchema } }: ContractTool): ReadonlyArray<readonly [string, unknown]> =>
  Object.entries(Object(inputSchema["properties"]))

const isText = (schema: unknown): boolean =>
  isObject(schema) && (schema.type === "string" || (schema.anyOf ?? []).some(isText))

/** The refusal of an argument that breaks its schema. */
const refusalOf = (name: string, inPath: object) =>
  name in inPath ? /^not_found: / : name === "cursor" ? /^invalid_cursor: / : /^validation_failed: /

/** The arguments that accept 7.5 like any other text, and why. */
const takesNumbers = new Map([
  ["students_search search", "what is searched for may be a number"]
])

/** The things that an argument names by id, besides those in the path. */
const naming = (id: (name: string) => string): Record<string, unknown> => ({
  assignee_user_id: id("userId"),
  cohort_id: id("cohortId"),
  delivery_id: id("deliveryId"),
  event_id: id("eventId"),
  grants: [{ delivery_id: id("deliveryId") }],
  items: [{ kind: "course", id: id("courseId") }],
  lesson_id: id("lessonId"),
  levels: [{ id: id("levelId"), name: "A", min_points: 0 }, { name: "B", min_points: 9 }],
  media_ids: [id("mediaId")],
  mentions: [id("studentId")],
  parent_id: id("commentId"),
  post_id: id("postId"),
  student_id: id("studentId")
})

const decodeCount = one(Schema.Struct({ count: Schema.Number }))

/** The number of entries in the audit log of all clubs. */
const deeds = SqlClient.SqlClient.use((sql) => decodeCount(sql`select count(*)::int as count from audit_log`))

const WalkLayer = Worlds.layer.pipe(Layer.provideMerge(deliveringLayer({ DATA_DIR: folder })))

const ways = [["over HTTP", overHttp], ["over standard input and output", overStdio]] as const

layer(WalkLayer)("Every tool", (it) => {
  for (const [way, connect] of ways) {
    it.effect(`does nothing about what is another club's, ${way}`, ({ skip }) =>
      Effect.gen(function*() {
        if (noClient !== undefined) return skip(noClient)
        const [world] = yield* Worlds
        const stranger = yield* clubWithKey()
        const client = yield* connect(yield* address, stranger.token)
        const reached: Array<string> = []
        const before = yield* deeds
        for (const { inBody, inPath, path, tool } of world.calls) {
          if (!/\/[0-9a-f-]{36}(?:\/|$)/.test(path.slice(`/v1/clubs/${world.club.organization_id}`.length))) continue
          const called = yield* call(client, tool.name, { ...inPath, ...inBody })
          if (called.isError !== true || !isMissing(called)) reached.push(`${tool.name}: ${wordsOf(called)}`)
        }
        assert.deepStrictEqual(reached, [])
        assert.deepStrictEqual(yield* deeds, before)
      }).pipe(Effect.scoped))

    it.effect(`takes what is another club's in an argument for what is nowhere, ${way}`, ({ skip }) =>
      Effect.gen(function*() {
        if (noClient !== undefined) return skip(noClient)
        const [own, other] = yield* Worlds
        const { json } = yield* send("GET", `${other.club.path}/gamification`, other.club)
        const ids: Record<string, string> = {
          ...other.ids,
          eventId: other.eventId,
          levelId: String(at(json, "data", "levels", 0, "id"))
        }
        const foreign = naming((name) => ids[name] ?? assert.fail(name))
        const nowhere = naming(() => unknown)
        const client = yield* connect(yield* address, (yield* keyFor(own.club)).token)
        const before = yield* deeds
        const reached: Array<string> = []
        for (const { inBody, inPath, tool } of own.calls) {
          for (const [name, schema] of argumentsOf(tool)) {
            if (name in inPath || !JSON.stringify(schema).includes(`"format":"uuid"`)) continue
            const named = (values: Record<string, unknown>) =>
              call(client, tool.name, { ...inPath, ...inBody, [name]: values[name] ?? assert.fail(name) })
            const [there, none] = [yield* named(foreign), yield* named(nowhere)]
            assert.deepStrictEqual(there, none, `${tool.name} ${name}`)
            const isEmpty = tool.hints.readOnlyHint && at(there.structuredContent, "data", "length") === 0
            if (!isEmpty && !/^(?:not_found|\w+_unknown|cohort_of_other_delivery): /.test(wordsOf(there))) {
              reached.push(`${tool.name} ${name}: ${wordsOf(there)}`)
            }
          }
        }
        assert.deepStrictEqual(reached, [])
        assert.deepStrictEqual(yield* deeds, before)
      }).pipe(Effect.scoped))

    it.effect(`says what is wrong with what it was called with, ${way}`, ({ skip }) =>
      Effect.gen(function*() {
        if (noClient !== undefined) return skip(noClient)
        const [world] = yield* Worlds
        const client = yield* connect(yield* address, (yield* keyFor(world.club)).token)
        const faults: Array<string> = []
        const before = yield* deeds
        for (const { inBody, inPath, tool } of world.calls) {
          const given = { ...inPath, ...inBody }
          const unasked = yield* call(client, tool.name, { ...given, club_id: "another" })
          assert.isTrue(unasked.isError, tool.name)
          assert.match(wordsOf(unasked), /^No such argument: club_id\. It takes/, tool.name)
          for (const [name, schema] of argumentsOf(tool)) {
            // An idempotency key may be any text.
            if (name === "idempotency_key") continue
            const wrong = yield* call(client, tool.name, { ...given, [name]: isText(schema) ? 7.5 : "\u0000" })
            const isRefused = wrong.isError === true && refusalOf(name, inPath).test(wordsOf(wrong))
            if (isRefused === takesNumbers.has(`${tool.name} ${name}`)) {
              faults.push(`${tool.name} ${name}: ${wordsOf(wrong)}`)
            }
          }
        }
        assert.deepStrictEqual(faults, [])
        assert.deepStrictEqual(yield* deeds, before)
      }).pipe(Effect.scoped))
  }

  for (const [index, [way, connect]] of ways.entries()) {
    it.effect(`does what it is for, ${way}`, ({ skip }) =>
      Effect.gen(function*() {
        if (noClient !== undefined) return skip(noClient)
        const world = (yield* Worlds)[index] ?? assert.fail(way)
        const client = yield* connect(yield* address, (yield* keyFor(world.club)).token)
        const { tools: listed } = yield* Effect.promise(() => client.listTools())
        assert.deepStrictEqual(listed.map(({ name }) => name).toSorted(), tools.map(({ name }) => name).toSorted())
        assert.deepStrictEqual(yield* meant(client, world), [])
      }).pipe(Effect.scoped))
  }
})
