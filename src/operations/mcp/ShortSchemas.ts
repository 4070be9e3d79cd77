import { Schema } from "effect"
import { flattened } from "../../platform/http/document/Flattened.ts"
import { isObject, type JsonObject, mapValues } from "../../platform/http/document/Schemas.ts"

// A schema of the contract as JSON Schema, in one piece and short: an agent reads those of all its tools at once.

/** A schema, and those that it names. */
export interface SchemaDocument {
  readonly schema: unknown
  readonly definitions: JsonObject
}

/** With its definitions, as a client sends or receives it. */
export const documentOf = (schema: Schema.Top): SchemaDocument => {
  const { definitions, schema: root } = Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error" })
  return { schema: flattened(root), definitions: mapValues(definitions, flattened) }
}

const prefix = "#/$defs/"

/** The object that a schema stands for, whether by name or itself. */
export const resolved = (node: unknown, { definitions }: SchemaDocument): JsonObject => {
  if (!isObject(node)) return {}
  const { $ref, ...own } = node
  if (typeof $ref !== "string" || !$ref.startsWith(prefix)) return node
  const target = definitions[$ref.slice(prefix.length)]
  return { ...(isObject(target) ? target : {}), ...own }
}

/** Values, not schemas. */
const values: ReadonlySet<string> = new Set(["const", "default", "enum", "examples", "required"])

/** A request's schemas are never as deep. */
const deepest = 12

/** The same without references, and without what only repeats: the pattern of a UUID, examples beyond the first. */
export const inline = (node: unknown, document: SchemaDocument, depth = 0): JsonObject => {
  const { examples, pattern, ...rest } = resolved(node, document)
  if (depth > deepest) return {}
  const inner = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(inner)
    return isObject(one) ? inline(one, document, depth + 1) : one
  }
  const whole = Object.entries(rest).map(([key, one]) => {
    if (key === "properties" && isObject(one)) return [key, mapValues(one, inner)]
    return [key, values.has(key) ? one : inner(one)]
  })
  return {
    ...Object.fromEntries(whole),
    ...(pattern === undefined || rest["format"] !== undefined ? {} : { pattern }),
    ...(Array.isArray(examples) && examples.length > 0 ? { examples: examples.slice(0, 1) } : {})
  }
}

/** The alternatives of a schema besides null: itself, or the others of an `anyOf`. */
export const alternativesOf = (node: JsonObject, document: SchemaDocument): ReadonlyArray<JsonObject> => {
  const { anyOf } = node
  return (Array.isArray(anyOf) ? anyOf.map((one) => resolved(one, document)) : [node]).filter(({ type }) =>
    type !== "null"
  )
}
