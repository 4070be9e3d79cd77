import { isObject, type JsonObject, mapValues } from "./Schemas.ts"

// Annotations for people only. If one comes twice, the last counts: it stands where the schema is used.
const annotations: ReadonlySet<string> = new Set(["title", "description", "examples", "default"])

// The meaning of these depends on the others beside them, so two parts that have some differ from one with all.
const dependent: ReadonlySet<string> = new Set([
  "additionalProperties",
  "allOf",
  "contains",
  "else",
  "if",
  "items",
  "maxContains",
  "minContains",
  "patternProperties",
  "prefixItems",
  "properties",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties"
])

// Values, not schemas.
const values: ReadonlySet<string> = new Set(["const", "default", "enum", "example", "examples"])

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** True if one object can say what these two say together. */
const agree = (one: JsonObject, other: JsonObject) => {
  const keys = Object.keys(other)
  if (keys.some((key) => dependent.has(key)) && Object.keys(one).some((key) => dependent.has(key))) return false
  return keys.every((key) => annotations.has(key) || !Object.hasOwn(one, key) || isSame(one[key], other[key]))
}

const merged = (schema: JsonObject, parts: ReadonlyArray<unknown>): JsonObject => {
  const { allOf: _, ...whole } = schema
  const left = parts.filter((part) => {
    if (!isObject(part) || !agree(whole, part)) return true
    Object.assign(whole, part)
    return false
  })
  return left.length === 0 ? whole : { ...whole, allOf: left }
}

/**
 * The same schemas, shorter: the parts of an `allOf` move into their parent, so `{ type, allOf: [{ minLength }, {
 * description }] }` is one object. A part that contradicts the parent or another part stays.
 */
export const flattened = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(flattened)
  if (!isObject(value)) return value
  const inner = Object.fromEntries(Object.entries(value).map(([key, one]) => {
    // A field may be called as a keyword is.
    if (key === "properties" && isObject(one)) return [key, mapValues(one, flattened)]
    return [key, values.has(key) ? one : flattened(one)]
  }))
  return Array.isArray(inner["allOf"]) ? merged(inner, inner["allOf"]) : inner
}
