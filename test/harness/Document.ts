import { OpenApi } from "effect/http-api"
import { Api } from "../../src/Api.ts"

// The parts of a document that tests read. The generator decides their content.

export interface Response {
  readonly description: string
  readonly headers?: Record<string, unknown>
  readonly content?: Record<string, { readonly schema: unknown }>
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly example?: unknown
  readonly schema: JsonSchema
}

export interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly tags: ReadonlyArray<string>
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: unknown
  readonly responses: Record<string, Response>
  /** If absent, the document's own applies. */
  readonly security?: ReadonlyArray<Record<string, unknown>>
}

export interface Document {
  readonly openapi: string
  readonly info: {
    readonly version: string
    readonly license: { readonly name: string; readonly identifier: string }
    readonly contact: { readonly name: string }
  }
  readonly security: ReadonlyArray<Record<string, unknown>>
  readonly "x-tagGroups": ReadonlyArray<{ readonly name: string; readonly tags: ReadonlyArray<string> }>
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description?: string }>
  readonly paths: Record<string, Record<string, Operation>>
  readonly webhooks: Record<string, Record<"post", Omit<Operation, "tags">>>
  readonly components: {
    readonly examples: Record<string, { readonly value: unknown }>
    readonly headers: Record<string, { readonly description?: string }>
    readonly parameters: Record<string, Parameter>
    readonly responses: Record<string, Response>
    readonly schemas: Record<string, unknown>
    readonly securitySchemes: Record<
      string,
      { readonly type: string; readonly scheme: string; readonly description?: string }
    >
  }
}

/** The contract's description, as `/openapi.json` serves it. */
export const document: Document = JSON.parse(JSON.stringify(OpenApi.fromApi(Api)))

/** The component behind a reference of this kind, or the part itself. */
const behind = <Part extends object>(parts: Record<string, Part>, part: Part): Part => {
  if (!("$ref" in part)) return part
  return parts[String(part.$ref).split("/").at(-1) ?? ""] ?? part
}

/** True if the value is an object, as a schema is. */
export const isObject = (value: unknown): value is Record<string, unknown> & JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A part with content, including the examples that several operations share. */
const withExamples = <Holder extends object>(holder: Holder): Holder => {
  const content: unknown = "content" in holder ? holder.content : undefined
  if (!isObject(content)) return holder
  const shown = Object.entries(content).map(([type, media]) => {
    if (!isObject(media) || !isObject(media["examples"])) return [type, media]
    const { examples, ...others } = media
    const [example] = Object.values(examples)
    return [type, { ...others, example: Object(behind(document.components.examples, Object(example))).value }]
  })
  return { ...holder, content: Object.fromEntries(shown) }
}

/** The headers of a request that clients send. */
export const sentParameters = ({ parameters }: Pick<Operation, "parameters">): ReadonlyArray<Parameter> =>
  parameters.map((part) => behind(document.components.parameters, part))

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"

const isMethod = (text: string): text is Method => ["GET", "POST", "PUT", "PATCH", "DELETE"].includes(text)

/** Every operation, with its method in capitals, the names of its security schemes, and no references in its parts. */
export const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([key, operation]) => {
    const method = key.toUpperCase()
    if (!isMethod(method)) throw new Error(`${key} ${path} is no method that tests know`)
    const { parameters, responses } = document.components
    const { requestBody, security = document.security } = operation
    return {
      ...operation,
      security,
      ...isObject(requestBody) ? { requestBody: withExamples(requestBody) } : {},
      parameters: operation.parameters.map((part) => behind(parameters, part)),
      responses: Object.fromEntries(Object.entries(operation.responses).map((
        [status, part]
      ) => [status, withExamples(behind(responses, part))])),
      method,
      path,
      schemes: security.flatMap(Object.keys),
      name: `${method} ${path}`
    }
  })
)

/** The operations under `/v1/clubs/{clubId}`. */
export const clubOperations = operations.filter(({ path }) => `${path}/`.startsWith("/v1/clubs/{clubId}/"))

export type Listed = typeof operations[number]

export const isWrite = ({ method }: Listed) => method !== "GET"

/** The path with these values in its parameters, and `fallback` in all others. */
export const pathWith = ({ path }: Listed, values: Record<string, string>, fallback: string) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? fallback)

/** The fields of a schema that tests read. */
export interface JsonSchema {
  readonly $ref?: string
  readonly description?: string
  readonly additionalProperties?: JsonSchema | boolean
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly prefixItems?: ReadonlyArray<JsonSchema>
  readonly contentSchema?: JsonSchema
  readonly enum?: ReadonlyArray<unknown>
  readonly const?: unknown
  readonly type?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly items?: JsonSchema
  readonly properties?: Record<string, JsonSchema>
  readonly required?: ReadonlyArray<string>
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === "object" && value !== null

/** The schema behind any reference; the first one of `anyOf`. */
export const resolve = (schema: JsonSchema): JsonSchema => {
  if (schema.anyOf?.[0] !== undefined) return resolve(schema.anyOf[0])
  const target = schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split("/").at(-1) ?? ""]
  return isSchema(target) ? target : {}
}

/** A value of the schema's shape. Checks beyond the shape may still refuse it. */
const sampleOf = (given: JsonSchema): unknown => {
  const schema = resolve(given)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  switch (schema.type) {
    case "object":
      return Object.fromEntries(schema.required?.map((key) => [key, sampleOf(schema.properties?.[key] ?? {})]) ?? [])
    case "array":
      return Array.from({ length: schema.minItems ?? 0 }, () => sampleOf(schema.items ?? {}))
    case "string":
      return schema.format === "uuid" ? "018f0000-0000-7000-8000-000000000000" : "somebody@somewhere.example"
    case "integer":
    case "number":
      return schema.minimum ?? 1
    case "boolean":
      return true
    default:
      return null
  }
}

/** The schema of the operation's JSON body; undefined if it takes no body. */
export const bodySchema = ({ requestBody }: Listed): JsonSchema | undefined => {
  const body: unknown = requestBody
  const schema = isSchema(body) && "content" in body ? Object(body.content)["application/json"]?.schema : undefined
  return isSchema(schema) ? schema : undefined
}

/** A body of the operation's shape; undefined if it takes no body. */
export const sampleBody = (operation: Listed): unknown => {
  const schema = bodySchema(operation)
  return schema === undefined ? undefined : sampleOf(schema)
}
