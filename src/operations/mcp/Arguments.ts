import type { HttpApiEndpoint } from "effect/http-api"
import { isObject, type JsonObject, mapValues } from "../../platform/http/document/Schemas.ts"
import { Idempotent } from "../../platform/idempotency/Idempotency.ts"
import type { ApiRequest } from "./ApiCall.ts"
import { keyFault, namesFault, plainValues, scalarsFault, segmentsFault, tooDeep } from "./CallFaults.ts"
import { alternativesOf, documentOf, inline } from "./ShortSchemas.ts"

// The arguments of a tool: everything that its operation takes, in one object, under the contract's names.

/** As bodies and answers have it: agents know one spelling of an id, `student_id`. */
const spelled = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The club is the key's. */
const clubId = spelled("clubId")

/** Fewer than the API's own: a model reads all that it gets. */
const usualLimit = 10

const keyName = "idempotency_key"

const keyArgument = {
  type: "string",
  minLength: 1,
  maxLength: 255,
  description: "Only to repeat a call whose answer was lost: then nothing happens twice"
}

const ofQuery = (schema: JsonObject, name: string): JsonObject => {
  const { contentMediaType: _, contentSchema, examples: __, pattern: ___, ...rest } = schema
  if (name === "cursor") return { type: "string", description: "The next_cursor of the page before" }
  if (name === "limit") {
    return {
      type: "integer",
      minimum: 1,
      maximum: 100,
      default: usualLimit,
      description: "How many items there are at most"
    }
  }
  // In a query it is text, but an agent knows it as what it means.
  if (isObject(contentSchema)) return { ...rest, ...contentSchema }
  return JSON.stringify(rest["enum"]) === `["true","false"]` ? { ...without(rest, "enum"), type: "boolean" } : rest
}

const without = (schema: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => key !== name))

interface Taken {
  readonly properties: Readonly<Record<string, JsonObject>>
  readonly required: ReadonlyArray<string>
}

const nothing: Taken = { properties: {}, required: [] }

const fieldsOf = (schema: JsonObject): Taken => {
  const { properties, required } = schema
  return {
    properties: isObject(properties) ? mapValues(properties, (one) => isObject(one) ? one : {}) : {},
    required: Array.isArray(required) ? required.map(String) : []
  }
}

const pathOf = ({ params }: HttpApiEndpoint.Top): Taken => {
  if (params === undefined) return nothing
  const document = documentOf(params)
  const { properties, required } = fieldsOf(inline(document.schema, document))
  const named = Object.entries(properties).map(([name, one]) => [spelled(name), without(one, "examples")] as const)
  return {
    properties: Object.fromEntries(named.filter(([name]) => name !== clubId)),
    required: required.map(spelled).filter((name) => name !== clubId)
  }
}

const queryOf = ({ query }: HttpApiEndpoint.Top): Taken => {
  if (query === undefined) return nothing
  const document = documentOf(query)
  const { properties, required } = fieldsOf(inline(document.schema, document))
  return { properties: mapValues(properties, ofQuery), required }
}

const bodyOf = (
  endpoint: HttpApiEndpoint.Top,
  withheld: ReadonlySet<string>
): (Taken & { readonly mayBeLeftOut: boolean }) | undefined => {
  const schemas = [...endpoint.payload.values()].flatMap(({ schemas }) => schemas)
  if (schemas.length === 0) return undefined
  const all = schemas.flatMap((schema) => {
    const document = documentOf(schema)
    return alternativesOf(inline(document.schema, document), document)
  })
  const [only, ...others] = all
  if (only === undefined || others.length > 0) throw new Error(`${endpoint.path} takes more than one kind of body`)
  const { properties, required } = fieldsOf(only)
  for (const name of withheld) {
    if (!Object.hasOwn(properties, name)) throw new Error(`${endpoint.path} takes no ${name}`)
    if (required.includes(name)) throw new Error(`${endpoint.path} needs ${name}`)
  }
  const given = Object.entries(properties).filter(([name]) => !withheld.has(name))
  return { properties: Object.fromEntries(given), required, mayBeLeftOut: schemas.length > 1 }
}

/** A call that makes no request: what is wrong with it, and what would be right. */
interface Refusal {
  readonly _tag: "Refusal"
  readonly message: string
}

const refusal = (message: string): Refusal => ({ _tag: "Refusal", message })

/** What a tool takes. */
export interface Arguments {
  /** True if a call can say how many items it is answered at most. */
  readonly isPaged: boolean
  readonly inputSchema: JsonObject & { readonly type: "object" }
  /** The request that such a call makes, in this club. `freshKey` names the call, for routes that do nothing twice. */
  readonly request: (
    given: JsonObject,
    call: { readonly organization_id: string; readonly freshKey: string }
  ) => ApiRequest | Refusal
}

const parameter = /:(\w+)/g

/** A path with its parts, each as it is in a URL. */
const filled = (path: string, parts: JsonObject) =>
  path.replaceAll(parameter, (_, name: string) => encodeURIComponent(String(parts[spelled(name)])))

/**
 * The arguments of the operation, for its path, its query and its body. `withheld`: fields of the body that no agent
 * sends.
 */
export const argumentsOf = (endpoint: HttpApiEndpoint.Top, withheld: ReadonlySet<string> = new Set()): Arguments => {
  const [path, query, body] = [pathOf(endpoint), queryOf(endpoint), bodyOf(endpoint, withheld)]
  const hasKey = [...endpoint.middlewares].some(({ key }) => key === Idempotent.key)
  const all = [
    ...Object.entries(path.properties),
    ...Object.entries(query.properties),
    ...Object.entries(body?.properties ?? {}),
    ...(hasKey ? [[keyName, keyArgument] as const] : [])
  ]
  const properties = Object.fromEntries(all)
  if (all.length > Object.keys(properties).length) throw new Error(`Two things of ${endpoint.path} have one name`)
  const required = [...path.required, ...query.required, ...body?.required ?? []]
  const known = Object.keys(properties)
  const ofPath = Object.keys(path.properties)
  const ofUrl = [...ofPath, ...Object.keys(query.properties), ...(hasKey ? [keyName] : [])]

  const searchOf = (given: JsonObject) => {
    const search = new URLSearchParams()
    for (const name of Object.keys(query.properties)) {
      const value = given[name] ?? (name === "limit" ? usualLimit : undefined)
      if (value !== undefined) search.set(name, String(value))
    }
    return search.size === 0 ? "" : `?${search}`
  }

  const contentOf = (given: JsonObject) => {
    if (body === undefined) return undefined
    const content = Object
      .fromEntries(Object.keys(body.properties).flatMap((name) =>
        given[name] === undefined ? [] : [[name, given[name]]]
      ))
    return body.mayBeLeftOut && Object.keys(content).length === 0 ? undefined : content
  }

  return {
    isPaged: "limit" in query.properties,
    inputSchema: {
      type: "object",
      properties,
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false
    },
    request: (sent, { freshKey, organization_id }) => {
      const given = plainValues(sent)
      if (given === undefined) return refusal(tooDeep)
      const fault = namesFault(given, known, required) ?? scalarsFault(given, ofUrl) ?? segmentsFault(given, ofPath) ??
        (hasKey ? keyFault(keyName, given[keyName]) : undefined)
      if (fault !== undefined) return refusal(fault)
      const content = contentOf(given)
      return {
        method: endpoint.method,
        url: `${filled(endpoint.path, { ...given, [clubId]: organization_id })}${searchOf(given)}`,
        headers: hasKey ? { "idempotency-key": String(given[keyName] ?? freshKey) } : {},
        ...(content === undefined ? {} : { body: JSON.stringify(content) })
      }
    }
  }
}
