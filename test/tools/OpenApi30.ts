// Our document as OpenAPI 3.0, for generators that read no later one.

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value)

const listOf = (value: unknown): ReadonlyArray<unknown> => Array.isArray(value) ? value : []

const mapValues = (node: unknown, map: (value: unknown, name: string) => unknown): Node =>
  isNode(node) ? Object.fromEntries(Object.entries(node).map(([name, value]) => [name, map(value, name)])) : {}

/** What 3.0 has no word for, or another one that is written in its place. */
const later = new Set([
  "$schema",
  "const",
  "contentMediaType",
  "contentSchema",
  "examples",
  "prefixItems",
  "propertyNames"
])

const isNull = (schema: unknown) => isNode(schema) && schema["type"] === "null"

/**
 * The schema in one with the null that may stand in its place. An enumeration does not list it, as generators want it:
 * those of 3.0 stumble over a null in it.
 */
const nullable = ({ anyOf, ...own }: Node): Node => {
  const others = listOf(anyOf).filter((one) => !isNull(one))
  const [only] = others
  if (others.length !== 1 || !isNode(only)) return { ...own, anyOf: others, nullable: true }
  return "$ref" in only
    ? { ...own, type: "object", allOf: [only], nullable: true }
    : { ...only, ...own, nullable: true }
}

const schemaOf = (schema: unknown): unknown => {
  if (!isNode(schema)) return schema
  // Whatever stands beside a reference has no meaning in 3.0.
  if ("$ref" in schema) return { $ref: schema["$ref"] }
  const { const: only, examples, ...whole } = schema
  const kept = Object.entries(whole).filter(([word]) => !later.has(word)).map(([word, value]) => {
    if (word === "properties") return [word, mapValues(value, schemaOf)]
    if (word === "anyOf" || word === "oneOf" || word === "allOf") return [word, listOf(value).map(schemaOf)]
    return [word, word === "items" || word === "additionalProperties" || word === "not" ? schemaOf(value) : value]
  })
  const [example] = listOf(examples)
  const written: Node = {
    ...Object.fromEntries(kept),
    ...only === undefined ? {} : { enum: [only] },
    ...example === undefined ? {} : { example }
  }
  return listOf(written["anyOf"]).some(isNull) ? nullable(written) : written
}

/** What is no schema as it is, with the schemas in it. */
const partOf = (value: unknown, name: string): unknown => {
  if (name === "schema") return schemaOf(value)
  if (name === "example" || name === "examples") return value
  if (Array.isArray(value)) return value.map((one) => partOf(one, ""))
  return isNode(value) ? mapValues(value, partOf) : value
}

/** Version 4.3.1 makes up examples, and comes to no end where a list holds what holds it: it gets one. */
const ending = (schema: unknown, name: string): unknown => {
  const written = schemaOf(schema)
  if (!isNode(written) || !isNode(written["properties"])) return written
  const holdsItself = (one: unknown) =>
    isNode(one) && isNode(one["items"]) && one["items"]["$ref"] === `#/components/schemas/${name}`
  const properties = mapValues(
    written["properties"],
    (one) => isNode(one) && holdsItself(one) ? { ...one, example: [] } : one
  )
  return { ...written, properties }
}

/** The document of 3.1 as one of 3.0: without the requests that we send, for which 3.0 has no place. */
export const asOpenApi30 = (document: object): object => {
  const { components, info, ...others } = Object
    .fromEntries(Object.entries(document).filter(([part]) => part !== "webhooks"))
  const { schemas, ...shared } = isNode(components) ? components : {}
  return {
    ...mapValues(others, partOf),
    openapi: "3.0.3",
    info: mapValues(info, (value, name) => name === "license" && isNode(value) ? { name: value["name"] } : value),
    components: { ...mapValues(shared, partOf), schemas: mapValues(schemas, ending) }
  }
}
