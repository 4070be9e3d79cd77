import { isObject, type JsonObject, mapValues } from "./Schemas.ts"

const within = (holder: unknown, contentType: string, example: string): unknown => {
  if (!isObject(holder) || !isObject(holder["content"])) return holder
  const media = holder["content"][contentType]
  return isObject(media)
    ? { ...holder, content: { ...holder["content"], [contentType]: { ...media, example } } }
    : holder
}

/**
 * `.annotate(OpenApi.Transform, withTextExample("text/csv", "…"))` on an endpoint: the example of a body or an answer
 * that is text of its own and not JSON, which no schema has.
 */
export const withTextExample = (contentType: string, example: string) => (operation: JsonObject): JsonObject => ({
  ...operation,
  ...("requestBody" in operation ? { requestBody: within(operation["requestBody"], contentType, example) } : {}),
  responses: isObject(operation["responses"])
    ? mapValues(operation["responses"], (response) => within(response, contentType, example))
    : {}
})
