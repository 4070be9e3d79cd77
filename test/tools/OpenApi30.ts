// Our document as OpenAPI 3.0, for generators that do not read a later version.

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value)

const listOf = (value: unknown): ReadonlyArray<unknown> => Array.isArray(value) ? value : []

const mapValues = (node: unknown, map: (value: unknown, name: string) => unknown): Node =>
  isNode(node) ? Object.fromEntries(Object.entries(node).map(([name, value]) => [name, map(value, name)])) : {}

/** Keywords that 3.0 lacks, or for which it has another keyword. */
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
 * The schema and its alternative null in one schema. An enumeration does not list the null: generators for 3.0 fail on
 * a null in it.
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
  // In 3.0 the fields beside a reference have no meaning.
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

/** The other parts of the document, with the schemas in them rewritten. */
const partOf = (value: unknown, name: string): unknown => {
  if (name === "schema") return schemaOf(value)
  if (name === "example" || name === "examples") return value
  if (Array.isArray(value)) return value.map((one) => partOf(one, ""))
  return isNode(value) ? mapValues(value, partOf) : value
}

/** Version 4.3.1 invents examples and never ends if a list contains its own parent. So such a list gets an example. */
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

/** The document of 3.1 as one of 3.0. It omits the webhooks, because 3.0 has no place for them. */
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
