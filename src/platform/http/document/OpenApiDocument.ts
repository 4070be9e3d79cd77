import { joinAlternatives, listAlternatives, splitAlternatives } from "./Alternatives.ts"
import { examplesOf } from "./Examples.ts"
import { flattened } from "./Flattened.ts"
import { withNamedContents } from "./NamedContents.ts"
import { isObject, type JsonObject, mapValues, refsIn, refTo, withoutExamples } from "./Schemas.ts"
import { type Security, withUsualSecurity } from "./Security.ts"
import { withSharedExamples } from "./SharedExamples.ts"
import { shared } from "./SharedParts.ts"

// The changes that the generator cannot make. They work on the finished document, in which a schema is JSON.

interface Reference {
  readonly [key: string]: unknown
  readonly $ref: string
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description?: string
  readonly example?: unknown
  readonly schema: JsonObject
}

interface Media {
  readonly schema: JsonObject & { readonly $ref?: string; readonly anyOf?: Array<Reference> }
  readonly example?: unknown
}

type Content = Record<string, Media>

interface Response {
  readonly description: string
  readonly headers?: Record<string, unknown>
  readonly content?: Content
}

interface Operation {
  readonly operationId: string
  readonly description?: string
  readonly parameters: Array<Parameter>
  readonly requestBody?: { readonly content: Content }
  readonly responses: Record<string, Response>
  readonly security?: Security
}

interface Document {
  readonly info: JsonObject
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: {
    readonly schemas: Record<string, unknown>
    readonly securitySchemes: Record<string, { readonly scheme?: string }>
  }
}

const headers = {
  "X-Request-Id": { description: "Names the request in our logs", schema: { type: "string" } },
  "Retry-After": { description: "Seconds until the window closes", schema: { type: "integer", minimum: 1 } },
  RateLimit: {
    description: "What remains: `\"policy\";r=<requests>;t=<seconds>`",
    schema: { type: "string" }
  },
  "RateLimit-Policy": {
    description: "Which window counted: `\"policy\";q=<requests>;w=<seconds>`",
    schema: { type: "string" }
  },
  ETag: { description: "Changes with the answer; for `If-None-Match`", schema: { type: "string" } },
  "Idempotency-Replayed": {
    description: "On a repetition: this is the answer to the first request",
    schema: { const: "true" }
  }
}

const headerRefs = (...names: ReadonlyArray<keyof typeof headers>) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const idempotencyKey: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Any text of your own, 1 to 255 printable ASCII characters. The same request with the same key runs once in 24 hours; a repetition gets the first answer",
  example: "order-1042",
  schema: { type: "string", minLength: 1, maxLength: 255 }
}

type ExampleOf = ReturnType<typeof examplesOf>

/**
 * Moves the description and the example from the schema to the parameter, where people look for them. A number in a query
 * (`queryNumber`) is described as a number, although it is sent as text.
 */
const describe = (parameter: Parameter, exampleOf: ExampleOf): Parameter => {
  const { contentSchema, description, examples: _, ...schema } = parameter.schema
  const example = exampleOf(parameter.schema, parameter.name, parameter.name)
  const number = isObject(contentSchema) ? contentSchema : undefined
  return {
    ...parameter,
    ...(typeof description === "string" ? { description } : {}),
    schema: number ?? schema,
    ...(example === undefined ? {} : { example: number === undefined ? example : Number(example) })
  }
}

/** The list that the last item of a path belongs to: the subject of a request there. */
const thingAt = (path: string): string =>
  path.replace(/\/order$/, "").split("/").findLast((part) => part !== "" && !part.startsWith("{")) ?? ""

/** Every answer is in the same wrapper, and a class keeps its name only if its use has no description. */
const explained = (schema: JsonObject): JsonObject => {
  const { properties } = schema
  if (!isObject(properties) || !isObject(properties["data"]) || "description" in properties["data"]) return schema
  return {
    ...schema,
    properties: { ...properties, data: { ...properties["data"], description: "The answer" } }
  }
}

const explainedMedia = (media: Media): Media => ({ ...media, schema: explained(media.schema) })

const withExamples = (content: Content, path: string, exampleOf: ExampleOf): Content =>
  mapValues(content, (media) => {
    if (media.example !== undefined) return media
    const example = exampleOf(media.schema, "", thingAt(path))
    return example === undefined ? media : { schema: withoutExamples(media.schema), example }
  })

const errorsOf = (response: Response | undefined) => {
  const schema = response?.content?.["application/json"]?.schema
  return schema?.anyOf ?? (schema?.$ref === undefined ? [] : [{ $ref: schema.$ref }])
}

const declares = (response: Response | undefined, error: string) =>
  errorsOf(response).some(({ $ref }) => $ref === refTo(error))

/** Takes an error back that middleware declares for every operation, but that cannot happen on this one. */
const without = (responses: Record<string, Response>, status: string, error: string): Record<string, Response> => {
  const response = responses[status]
  if (response === undefined || !declares(response, error)) return responses
  const { [status]: _, ...others } = responses
  const descriptions = splitAlternatives(response.description)
  const remaining = errorsOf(response).map((ref, index) => ({ ref, description: descriptions[index] }))
    .filter(({ ref }) => ref.$ref !== refTo(error))
  const [first, ...more] = remaining
  if (first === undefined) return others
  const schema = more.length === 0 ? first.ref : { anyOf: remaining.map(({ ref }) => ref) }
  const description = joinAlternatives(remaining.flatMap(({ description }) => description ?? []))
  return { ...others, [status]: { ...response, description, content: { "application/json": { schema } } } }
}

const possible = (method: string, { requestBody, responses }: Operation) => {
  const counted = method === "get" ? without(responses, "429", "RateLimited") : responses
  if (requestBody !== undefined) return counted
  const { "413": _, "415": __, ...bodiless } = without(counted, "400", "MalformedRequest")
  return bodiless
}

/** Answers may gain fields, so their schemas stay open; in a request an unknown field is refused. */
const opened = <Value>(value: Value): Value =>
  JSON.parse(
    JSON.stringify(value),
    (key, value: unknown) =>
      (key === "additionalProperties" && value === false) || (key === "maximum" && value === Number.MAX_SAFE_INTEGER)
        ? undefined
        : value
  )

/** The components of requests, with all components inside of them. */
const requestSchemas = ({ components: { schemas }, paths }: Document): ReadonlySet<string> => {
  const bodies = Object.values(paths).flatMap((operations) => Object.values(operations)).map((one) => one.requestBody)
  const found = new Set(refsIn(bodies))
  // A set grows while it is walked.
  for (const name of found) for (const inner of refsIn(schemas[name])) found.add(inner)
  return found
}

const polishOperation = (
  operation: Operation,
  method: string,
  path: string,
  audiences: Record<string, string>,
  exampleOf: ExampleOf
): Operation => {
  const description = [operation.description, audiences[operation.operationId]].filter((part) => part !== undefined)
  const isIdempotent = declares(operation.responses["409"], "IdempotencyInProgress")
  const responses = opened(possible(method, operation))
  const isCounted = responses["429"] !== undefined
  const withHeaders = Object.entries(responses).map(([status, response]) => [status, {
    ...response,
    description: listAlternatives(response.description),
    ...(status < "300" && response.content !== undefined
      ? { content: mapValues(withExamples(response.content, path, exampleOf), explainedMedia) }
      : {}),
    headers: {
      ...response.headers,
      ...headerRefs("X-Request-Id"),
      ...(isCounted && (status < "300" || status === "429") ? headerRefs("RateLimit", "RateLimit-Policy") : {}),
      ...(status === "429" ? headerRefs("Retry-After") : {}),
      ...(isIdempotent && status < "300" ? headerRefs("Idempotency-Replayed") : {})
    }
  }])
  return {
    ...operation,
    ...(description.length > 0 ? { description: description.join("\n\n") } : {}),
    parameters: [
      ...operation.parameters.map((parameter) => describe(parameter, exampleOf)),
      ...(isIdempotent ? [idempotencyKey] : [])
    ],
    ...(operation.requestBody === undefined ? {} : {
      requestBody: { ...operation.requestBody, content: withExamples(operation.requestBody.content, path, exampleOf) }
    }),
    responses: Object.fromEntries(withHeaders)
  }
}

/** Names of fields that hold a time; the generator knows these as text. */
const timeName = /_(?:at|until|since|period_start|period_end)$|^(?:at|from|since|hour|until|period_start|period_end)$/

const asTime = (schema: unknown): unknown => {
  if (typeof schema !== "object" || schema === null) return schema
  if ("anyOf" in schema && Array.isArray(schema.anyOf)) return { ...schema, anyOf: schema.anyOf.map(asTime) }
  // Text that a person enters, which is read as a time later.
  if ("maxLength" in schema || "format" in schema) return schema
  return "type" in schema && schema.type === "string" ? { ...schema, format: "date-time" } : schema
}

/** The format says what the pattern of a UUID says, 200 characters shorter; there is one on every id. */
const asUuid = (value: unknown): unknown => {
  if (!isObject(value) || value["format"] !== "uuid") return value
  const { pattern: _, ...uuid } = value
  return uuid
}

/** The requests that we send, and the schemas that these refer to. */
interface Webhooks {
  readonly requests: Record<string, Record<"post", Operation>>
  readonly schemas: Record<string, unknown>
}

const shortened = (webhooks: object): Webhooks =>
  JSON.parse(JSON.stringify(flattened(webhooks)), (_, value: unknown) => asUuid(value))

/** The schemas in the order of their names. */
const sorted = (schemas: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => a < b ? -1 : 1))

/** The generator names a class's JSON `MemberEncoded`; without a `Member` beside it, that is the better name. */
const renamed = (spec: Record<string, unknown>): Document => {
  const text = JSON.stringify(flattened(spec))
  const { components: { schemas } }: Document = JSON.parse(text)
  const nameOf = (name: string) => {
    const short = name.replace(/Encoded$/, "")
    return Object.hasOwn(schemas, short) ? name : short
  }
  const prefix = refTo("")
  const document: Document = JSON.parse(text, (key, value: unknown) => {
    if (key === "$ref" && typeof value === "string" && value.startsWith(prefix)) {
      return prefix + nameOf(value.slice(prefix.length))
    }
    return asUuid(timeName.test(key) ? asTime(value) : value)
  })
  const entries = Object.entries(document.components.schemas).map(([name, schema]) => [nameOf(name), schema] as const)
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(entries) } }
}

/**
 * The generated description for people:
 * - components under their own names
 * - meanings of headers and parameters
 * - the audience of each operation
 * - answers that may gain fields
 * - only errors that can happen
 * `schemes` describes each security scheme, `audiences` adds to operations by their id, `tagGroups` groups the tags.
 * `contact` is the operator's, and `webhooks` are the requests that the service sends.
 */
export const polishDocument = ({ audiences, contact, schemes, tagGroups, webhooks }: {
  readonly audiences: Record<string, string>
  readonly contact: { readonly name: string }
  readonly schemes: Record<string, string>
  readonly tagGroups: ReadonlyArray<{ readonly name: string; readonly tags: ReadonlyArray<string> }>
  readonly webhooks: { readonly requests: object; readonly schemas: object }
}) =>
(spec: Record<string, unknown>): Record<string, unknown> => {
  const document = renamed(spec)
  const taken = requestSchemas(document)
  const exampleOf = examplesOf(document.components.schemas)
  const polished = mapValues(
    document.paths,
    (operations, path) =>
      mapValues(operations, (operation, method) => polishOperation(operation, method, path, audiences, exampleOf))
  )
  const { requests, schemas } = shortened(webhooks)
  const shown = withSharedExamples(polished)
  const { components, paths: whole, sent } = shared(shown.paths, requests)
  const { paths, security } = withUsualSecurity(whole)
  return {
    ...document,
    info: { ...document.info, contact },
    "x-tagGroups": tagGroups,
    security,
    paths,
    webhooks: sent,
    components: {
      ...document.components,
      ...components,
      examples: shown.examples,
      schemas: sorted(withNamedContents({
        ...mapValues(document.components.schemas, (schema, name) => taken.has(name) ? schema : opened(schema)),
        ...schemas
      })),
      headers,
      securitySchemes: mapValues(document.components.securitySchemes, (scheme, name) => ({
        ...scheme,
        scheme: scheme.scheme?.toLowerCase(),
        description: schemes[name]
      }))
    }
  }
}
