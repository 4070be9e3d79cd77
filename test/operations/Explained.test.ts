import { assert, describe, it } from "@effect/vitest"
import { document, isObject, type JsonSchema, type Listed, operations, sentParameters } from "../harness/Document.ts"

// Finds everything in the description that lacks the explanation a reader needs.

/** A schema with its place, for messages about it. */
interface Found {
  readonly where: string
  readonly schema: JsonSchema
}

const nameOf = ({ $ref = "" }: JsonSchema) => $ref.split("/").at(-1) ?? ""

/** The schema and all schemas inside it. The schemas that it refers to are found as components. */
const within = (where: string, schema: JsonSchema | undefined): ReadonlyArray<Found> =>
  !isObject(schema) ? [] : [
    { where, schema },
    ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => within(`${where}.${name}`, one)),
    ...within(`${where}[]`, schema.items),
    ...(isObject(schema.additionalProperties) ? within(`${where}{}`, schema.additionalProperties) : []),
    ...[schema.anyOf, schema.oneOf, schema.allOf, schema.prefixItems].flatMap((parts = []) =>
      parts.flatMap((part) => within(where, part))
    )
  ]

const mediaOf = (holder: unknown) =>
  isObject(holder) && isObject(holder["content"]) ? Object.entries(holder["content"]) : []

const schemaOf = (media: unknown): JsonSchema => isObject(media) && isObject(media["schema"]) ? media["schema"] : {}

const requestsOf = (operation: Listed) =>
  mediaOf(operation.requestBody).map(([type, media]) => ({ where: `${operation.name} takes ${type}`, media, type }))

const answersOf = ({ name, responses }: Listed) =>
  Object.entries(responses).filter(([status]) => status < "300").flatMap(([status, response]) =>
    mediaOf(response).map(([type, media]) => ({ where: `${name} answers ${status} ${type}`, media, type }))
  )

const requests = operations.flatMap(requestsOf)
const answers = operations.flatMap(answersOf)
const parameters = operations.flatMap(({ name, parameters }) =>
  parameters.map((parameter) => ({ where: `${name} ${parameter.name}`, parameter }))
)
const webhooks = Object.entries(document.webhooks)

const componentOf = (name: string): JsonSchema => {
  const schema = document.components.schemas[name]
  return isObject(schema) ? schema : {}
}

/** The components that the schemas refer to, directly or through others. */
const referredFrom = (schemas: ReadonlyArray<Found>): ReadonlyArray<Found> => {
  const names = new Set(schemas.map(({ schema }) => nameOf(schema)))
  // A set may grow during the loop over it.
  for (const name of names) for (const { schema } of within(name, componentOf(name))) names.add(nameOf(schema))
  return [...names].flatMap((name) => within(name, componentOf(name)))
}

const inRequests = requests.filter(({ type }) => type === "application/json").flatMap(({ media, where }) =>
  within(where, schemaOf(media))
)
const asked = [...inRequests, ...referredFrom(inRequests)]
const inAnswers = answers.flatMap(({ media, where }) => within(where, schemaOf(media)))
const sent = webhooks.flatMap(([type, { post }]) =>
  mediaOf(post.requestBody).flatMap(([, media]) => within(type, schemaOf(media)))
)
const components = Object.keys(document.components.schemas).flatMap((name) => within(name, componentOf(name)))
const everything = [...inRequests, ...inAnswers, ...sent, ...components]

/** Schemas with the name of their one field, whose description is the field's. */
const toldOnce = new Set(["ErrorMessage", "EventClubId", "EventId", "EventOccurredAt", "NextCursor", "NoNextCursor"])

const fields = everything.flatMap(({ schema, where }) =>
  Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    field: toldOnce.has(nameOf(field)) ? componentOf(nameOf(field)) : field,
    where: `${where}.${name}`
  }))
)

const words = (text: string) => new Set(text.toLowerCase().match(/[a-z]+/g))
const empty = new Set(["a", "an", "the", "of", "its", "this", "that", "id", "name", "is", "for"])

/** True if the description only repeats the words of the name. */
const repeats = (name: string, description: string) => {
  const named = words(name.replace(/[A-Z]/g, (letter) => ` ${letter}`).replaceAll("_", " "))
  return [...words(description)].every((word) => named.has(word) || empty.has(word))
}

/** True if the description is missing or says nothing. */
const isUnexplained = (name: string, description: string | undefined) =>
  description === undefined || description.trim().length < 8 || repeats(name, description)

const isNumber = ({ type }: JsonSchema) => type === "integer" || type === "number"
const isChoice = (schema: JsonSchema) => schema.enum !== undefined || schema.const !== undefined
/** True for a pattern from the start to the end of the text, without an unlimited repetition. */
const isFinite = (pattern: string) => /^\^.*\$$/.test(pattern) && !/[*+](?![^[]*\])/.test(pattern)
const isMeasured = ({ format = "", pattern = "" }: JsonSchema) =>
  ["uuid", "date-time", "date", "binary"].includes(format) || isFinite(pattern)

describe("the description explains", () => {
  it("every operation, in more words than its summary", () => {
    const silent = operations.filter(({ description = "", summary = "" }) =>
      isUnexplained(summary, description.replace(/^For .*\.$/m, ""))
    )
    assert.deepStrictEqual(silent.map(({ name }) => name), [])
  })

  it("every parameter, of webhooks too", () => {
    const silent = parameters.filter(({ parameter }) => isUnexplained(parameter.name, parameter.description))
    assert.deepStrictEqual(silent.map(({ where }) => where), [])
    for (const [type, { post }] of webhooks) {
      for (const { description, name } of sentParameters(post)) assert.isFalse(isUnexplained(name, description), type)
    }
  })

  it("every field of requests, answers, failures and webhooks", () => {
    assert.isAbove(fields.length, 500)
    const silent = fields.filter(({ field, name }) => isUnexplained(name, field.description))
    assert.deepStrictEqual(silent.map(({ where }) => where), [])
  })

  it("every named thing", () => {
    const names = Object.keys(document.components.schemas)
    // The description of a failure is its message, which may have the words of its name.
    assert.deepStrictEqual(names.filter((name) => (componentOf(name).description ?? "").length < 8), [])
  })

  it("every header", () => {
    const silent = Object.entries(document.components.headers).filter(([name, header]) =>
      isUnexplained(name, header.description)
    )
    assert.deepStrictEqual(silent.map(([name]) => name), [])
  })
})

describe("the description shows an example of", () => {
  const hasNone = ({ media }: { readonly media: unknown }) => !isObject(media) || media["example"] === undefined
  const wheres = (found: ReadonlyArray<{ readonly where: string }>) => found.map(({ where }) => where)

  it("every request", () => {
    assert.deepStrictEqual(wheres(requests.filter(hasNone)), [])
  })

  it("every success", () => {
    assert.deepStrictEqual(wheres(answers.filter(hasNone)), [])
  })

  it("every parameter", () => {
    assert.deepStrictEqual(wheres(parameters.filter(({ parameter }) => parameter.example === undefined)), [])
  })

  it("every event", () => {
    const silent = webhooks.filter(([, { post }]) => mediaOf(post.requestBody).some(([, media]) => hasNone({ media })))
    assert.deepStrictEqual(silent.map(([type]) => type), [])
  })
})

describe("the description bounds", () => {
  const wheres = (found: ReadonlyArray<Found>) => found.map(({ where }) => where)
  const ofParameters = parameters.flatMap(({ parameter, where }) => within(where, parameter.schema))

  it("every number from below", () => {
    const numbers = [...everything, ...ofParameters].filter(({ schema }) => isNumber(schema) && !isChoice(schema))
    assert.isNotEmpty(numbers)
    assert.deepStrictEqual(
      wheres(numbers.filter(({ schema }) => (schema.minimum ?? schema.exclusiveMinimum) === undefined)),
      []
    )
  })

  it("every number of a request from above", () => {
    const numbers = [...asked, ...ofParameters].filter(({ schema }) => isNumber(schema) && !isChoice(schema))
    assert.isNotEmpty(numbers)
    assert.deepStrictEqual(
      wheres(numbers.filter(({ schema }) => (schema.maximum ?? schema.exclusiveMaximum) === undefined)),
      []
    )
  })

  it("every list of a request", () => {
    const lists = asked.filter(({ schema }) => schema.type === "array")
    assert.isNotEmpty(lists)
    assert.deepStrictEqual(wheres(lists.filter(({ schema }) => schema.maxItems === undefined)), [])
  })

  it("every text of a request", () => {
    const texts = asked.filter(({ schema }) => schema.type === "string" && !isChoice(schema) && !isMeasured(schema))
    assert.isNotEmpty(texts)
    assert.deepStrictEqual(wheres(texts.filter(({ schema }) => schema.maxLength === undefined)), [])
  })
})
