import { Context, Effect, Layer, Schema } from "effect"
import { McpProtocol, McpSchema, McpServer } from "effect/ai"
import { eventTypes } from "../../events/EventTypes.ts"
import { isObject } from "../../platform/http/document/Schemas.ts"
import { version } from "../../platform/version.ts"
import { readGuides } from "../documentation/GuideFiles.ts"
import type { AgentCaller } from "./AgentCaller.ts"
import { agentTools, type ContractTool } from "./AgentTools.ts"
import { callTool } from "./Calls.ts"
import type { ContractOperation } from "./ContractOperations.ts"
import { aboutMarks } from "./Marks.ts"
import { mayCall } from "./Rights.ts"

// Our tools, resources and prompts, on the library's server, for any transport of its messages.

/** Every version of the protocol that has one address for all messages; the newest that has `initialize` is first. */
export const protocols = [
  McpProtocol.v2025_11_25,
  McpProtocol.v2025_06_18,
  McpProtocol.v2025_03_26,
  McpProtocol.v2026_07_28
] as const

/** The description of the whole server for a client. */
export const about = {
  name: "turma",
  version,
  instructions: [
    "Turma runs one club of a learning community, which the key belongs to. Tools are operations of its API, limited to what the key may do.",
    "Lists have a next_cursor: send it as cursor to read on. Times are UTC.",
    aboutMarks,
    "Before a tool that is marked as destructive, or sends something to others, ask the person that you work for."
  ].join(" ")
}

const contentOf = (text: string) => [{ type: "text" as const, text }]

const resultOf = Effect.fnUntraced(function*(tool: ContractTool, given: unknown, caller: AgentCaller) {
  const outcome = yield* callTool(tool, isObject(given) ? given : {}, caller)
  return outcome._tag === "Refused"
    ? new McpSchema.CallToolResult({ isError: true, content: contentOf(outcome.text) })
    : new McpSchema.CallToolResult({
      isError: false,
      structuredContent: outcome.result,
      content: contentOf(JSON.stringify(outcome.result))
    })
})

const descriptorOf = ({ arguments: { inputSchema }, description, hints, name, outputSchema, title }: ContractTool) =>
  new McpSchema.Tool({ name, title, description, inputSchema, outputSchema, annotations: hints })

/**
 * Tools that the key may not use are neither listed nor found. `operations`: the operation of each tool and prompt, by
 * its name.
 */
const allowed = (operations: ReadonlyMap<string, ContractOperation>, callerOf: Effect.Effect<AgentCaller>) =>
  McpServer.visibility(Effect.fnUntraced(function*({ target }) {
    const operation = operations.get(target)
    if (operation === undefined) return false
    const { rights } = yield* callerOf
    const known = yield* Effect.mapError(rights, ({ message }) => new McpSchema.InternalError({ message }))
    return mayCall(known, operation)
  }))

const toolsLayer = (tools: ReadonlyArray<ContractTool>, callerOf: Effect.Effect<AgentCaller>) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const server = yield* McpServer.McpServer
    const services = yield* Effect.context<never>()
    for (const tool of tools) {
      yield* server.addTool({
        tool: descriptorOf(tool),
        annotations: Context.empty(),
        services,
        handle: (given) => Effect.flatMap(callerOf, (caller) => resultOf(tool, given, caller))
      })
    }
  }))

/** People ask most often why nothing arrives, and it takes several tools to find out. */
const diagnosis = {
  name: "why_is_this_endpoint_not_delivering",
  title: "Why is this endpoint not delivering?",
  /** Nobody can find it out without this tool. */
  tool: "webhook_endpoints_diagnose"
}

const DiagnosisLayer = McpServer.prompt({
  name: diagnosis.name,
  title: diagnosis.title,
  description: "Finds out what keeps a webhook endpoint from getting events, and what to do about it",
  parameters: {
    endpoint_id: Schema.String.annotate({ description: "The id of the endpoint: webhook_endpoints_list has them" })
  },
  content: ({ endpoint_id }) =>
    Effect.succeed([
      `Find out why the webhook endpoint ${JSON.stringify(endpoint_id)} is not getting events.`,
      `Call ${diagnosis.tool}, then webhook_deliveries_list with the status failed, and webhook_deliveries_show of one of them for its attempts.`,
      "Say in plain words what is wrong, since when, and what to change at the receiver.",
      "Propose webhook_deliveries_recover or webhook_deliveries_resend only once the cause no longer exists, and do neither before the person asks for it."
    ].join("\n"))
})

const allowedLayer = (tools: ReadonlyArray<ContractTool>, callerOf: Effect.Effect<AgentCaller>) => {
  const operations = new Map(tools.map(({ name, operation }) => [name, operation]))
  const needed = operations.get(diagnosis.tool)
  const prompts = needed === undefined ? [] : [[diagnosis.name, needed] as const]
  return Layer.merge(toolsLayer(tools, callerOf), DiagnosisLayer)
    .pipe(Layer.provide(allowed(new Map([...operations, ...prompts]), callerOf).layer))
}

const guideLayer = ({ audience, name, summary, text, title }: ReturnType<typeof readGuides>[number]) =>
  McpServer.resource({
    uri: `turma://guides/${name}`,
    name: title,
    description: `For ${audience}: ${summary}`,
    mimeType: "text/markdown",
    content: Effect.succeed(text)
  })

const eventLayer = ({ description, example, schema, type }: (typeof eventTypes)[number]) =>
  McpServer.resource({
    uri: `turma://events/${type}`,
    name: type,
    description: `The JSON Schema and an example of this event: ${description}`,
    mimeType: "application/json",
    content: Effect.sync(() => JSON.stringify({ type, description, schema, example }))
  })

const guidesLayer = Layer.unwrap(Effect.sync(() => Layer.mergeAll(Layer.empty, ...readGuides().map(guideLayer))))

const eventsLayer = Layer.mergeAll(Layer.empty, ...eventTypes.map(eventLayer))

/** Every tool of these operations, the prompt, the guides and the events. `callerOf`: who calls, by the request at hand. */
export const registrationsLayer = (
  operations: ReadonlyArray<ContractOperation>,
  callerOf: Effect.Effect<AgentCaller>
) =>
  Layer.mergeAll(
    Layer.unwrap(Effect.map(agentTools(operations), (tools) => allowedLayer(tools, callerOf))),
    guidesLayer,
    eventsLayer
  )
