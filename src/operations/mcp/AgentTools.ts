import { Context, Effect, Option } from "effect"
import { OpenApi } from "effect/http-api"
import { AgentTool, type AgentToolOptions } from "../../platform/http/AgentTool.ts"
import { isObject, type JsonObject } from "../../platform/http/document/Schemas.ts"
import type { ApiAnswer } from "./ApiCall.ts"
import { type Arguments, argumentsOf } from "./Arguments.ts"
import type { ContractOperation } from "./ContractOperations.ts"
import { fitting } from "./Fitting.ts"
import { decodeJson } from "./Json.ts"
import { marksInShort } from "./Marks.ts"
import { documentOf } from "./ShortSchemas.ts"
import { fieldTree, type Shown, shownOf } from "./Shown.ts"

/** A tool's effects, as a client reads them. */
interface Hints {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

/** An operation of the contract as a tool. */
export interface ContractTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly operation: ContractOperation
  readonly arguments: Arguments
  readonly outputSchema: JsonObject & { readonly type: "object" }
  readonly hints: Hints
  /** The part of a successful answer that an agent sees. */
  readonly result: (answer: ApiAnswer) => JsonObject
}

/** In characters. The rest of a route's description is for people who read its page. */
const longestDescription = 320

const within = (text: string) => {
  if (text.length <= longestDescription) return text
  const end = text.lastIndexOf(". ", longestDescription)
  return end === -1 ? `${text.slice(0, longestDescription - 1)}…` : text.slice(0, end + 1)
}

const textOf = (key: Context.Key<OpenApi.Summary | OpenApi.Description, string>, { endpoint }: ContractOperation) =>
  Option.getOrElse(Context.getOption(endpoint.annotations, key), () => "")

const sentence = (text: string) => text === "" || /[.!?]$/.test(text) ? text : `${text}.`

const hintsOf = (method: string, { destructive, reachesOthers = false }: AgentToolOptions): Hints => {
  const readOnlyHint = method === "GET"
  return {
    readOnlyHint,
    destructiveHint: destructive ?? !(readOnlyHint || method === "POST"),
    idempotentHint: method !== "POST",
    openWorldHint: reachesOthers
  }
}

/** An answer of a tool: of its schema the properties. */
type Answered = Shown

const note = { type: "string" }

const done: Answered = { show: () => ({}), hasWords: false, schema: { note } }

const cursor = { anyOf: [{ type: "string" }, { type: "null" }] }

/** The visible part of the operation's answer: the fields of `data` that the tool names, and the cursor. */
const answerOf = ({ endpoint, successes }: ContractOperation, { fields, own = "" }: AgentToolOptions): Answered => {
  if (fields === "") return done
  const [schema, ...others] = [...successes.values()].flat()
  if (schema === undefined || others.length > 0) throw new Error(`${endpoint.path} has more than one kind of answer`)
  const document = documentOf(schema)
  const { properties } = isObject(document.schema) ? document.schema : {}
  if (!isObject(properties)) throw new Error(`${endpoint.path} answers no object`)
  const data = shownOf(properties["data"], document, fieldTree(fields), false, fieldTree(own))
  return {
    schema: {
      data: data.schema,
      ...("next_cursor" in properties ? { next_cursor: cursor } : {}),
      note
    },
    show: (value) => {
      const { data: content, ...rest } = isObject(value) ? value : {}
      return { data: data.show(content), ...("next_cursor" in rest ? { next_cursor: rest["next_cursor"] } : {}) }
    },
    hasWords: data.hasWords
  }
}

const toolOf = (operation: ContractOperation, options: AgentToolOptions): ContractTool => {
  const { endpoint } = operation
  const { hasWords, schema, show } = answerOf(operation, options)
  const title = textOf(OpenApi.Summary, operation)
  const description = within(sentence(textOf(OpenApi.Description, operation)))
  const withheld = (options.withheld ?? "").split(" ").filter((name) => name !== "")
  const taken = argumentsOf(endpoint, new Set(withheld))
  const left = withheld.length === 0 ? "" : `No agent changes: ${withheld.join(", ")}.`
  return {
    name: options.name,
    title,
    description: [sentence(title), description, left, hasWords ? marksInShort : ""].filter((part) => part !== "")
      .join(" "),
    operation,
    arguments: taken,
    outputSchema: { type: "object", properties: schema },
    hints: hintsOf(endpoint.method, options),
    result: ({ body }) => {
      const shown = show(Option.getOrUndefined(decodeJson(body)))
      return isObject(shown) && Object.keys(shown).length > 0 ? fitting(shown, taken.isPaged) : { note: "Done." }
    }
  }
}

/**
 * A tool of every operation with the annotation `AgentTool`. Each takes a moment to build, and they are many, so other
 * fibers run between them.
 */
export const agentTools = Effect.fnUntraced(function*(operations: ReadonlyArray<ContractOperation>) {
  const tools: Array<ContractTool> = []
  for (const operation of operations) {
    const options = Context.get(operation.endpoint.annotations, AgentTool)
    if (options === undefined) continue
    tools.push(toolOf(operation, options))
    yield* Effect.yieldNow
  }
  return tools
})
