import { isObject, type JsonObject, mapValues, refTo } from "./Schemas.ts"

// The generator writes out the inside of a text, such as the data of an event of a stream, even if it is a component.

/** The same schemas, where the content of a text that is one of them refers to it, which shows its examples, too. */
export const withNamedContents = (schemas: Record<string, unknown>): Record<string, unknown> => {
  const names =
    new Map(Object.entries(schemas).flatMap(([name, schema]) =>
      isObject(schema) && isObject(schema["properties"]) ? [[JSON.stringify(schema["properties"]), name]] : []
    ))
  const named = (schema: JsonObject): JsonObject => {
    const { examples: _, contentSchema, ...text } = schema
    const content = isObject(contentSchema) ? names.get(JSON.stringify(contentSchema["properties"])) : undefined
    return content === undefined ? schema : { ...text, contentSchema: { $ref: refTo(content) } }
  }
  return mapValues(
    schemas,
    (schema) => JSON.parse(JSON.stringify(schema), (_, value: unknown) => isObject(value) ? named(value) : value)
  )
}
