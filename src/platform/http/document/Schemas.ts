// JSON Schema as the finished document has it.

/** A schema, or any other object of the document. */
export type JsonObject = Record<string, unknown>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const refTo = (name: string) => `#/components/schemas/${name}`

/** The name of the component that a schema stands for; undefined where it is the schema itself. */
export const targetOf = ({ $ref }: JsonObject): string | undefined =>
  typeof $ref === "string" && $ref.startsWith(refTo("")) ? $ref.slice(refTo("").length) : undefined

/** The names of all components that a value refers to. */
export const refsIn = (value: unknown): ReadonlyArray<string> => {
  const names: Array<string> = []
  JSON.stringify(value, (_, value: unknown) => {
    const name = isObject(value) ? targetOf(value) : undefined
    if (name !== undefined) names.push(name)
    return value
  })
  return names
}

export const mapValues = <A, B>(record: Record<string, A>, map: (value: A, key: string) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]))

const withoutTheirs = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutTheirs)
  return isObject(value) ? withoutExamples(value) : value
}

/** The same schema without the examples of its parts, which one of the whole shows. */
export const withoutExamples = (schema: JsonObject): JsonObject => {
  const entries = Object.entries(schema).filter(([key]) => key !== "examples").map(([key, value]) => {
    // A field may be called as a keyword is.
    if (key === "properties" && isObject(value)) return [key, mapValues(value, withoutTheirs)]
    return [key, key === "enum" || key === "const" || key === "default" ? value : withoutTheirs(value)]
  })
  return Object.fromEntries(entries)
}
