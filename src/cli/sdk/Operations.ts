import { type ApiDocument, type JsonSchema, type Listed, resolved } from "../../operations/documentation/ApiDocument.ts"

/** An operation as the SDK calls it. */
export interface Operation extends Listed {
  /** The successful answers, by content type; undefined for an answer without a body. */
  readonly answers: ReadonlyArray<readonly [contentType: string, schema: JsonSchema] | undefined>
  readonly kind: "Call" | "List" | "Stream"
  /** Facts that a client needs before a call: `body`, `open`, `key`, `list`, `stream`. */
  readonly flags: ReadonlyArray<string>
}

const answersOf = ({ responses }: Listed): Operation["answers"] =>
  Object.entries(responses).filter(([status]) => status.startsWith("2")).flatMap(([, { content }]) =>
    content === undefined
      ? [undefined]
      : Object.entries(content).map(([type, { schema = {} }]) => [type, schema] as const)
  )

/** True if these are pages: `data` are the items, or has them as `entries`. */
const isListIn = (document: ApiDocument) => (schema: JsonSchema) => {
  const { data } = resolved(document, schema).properties ?? {}
  if (data === undefined) return false
  const { properties, type } = resolved(document, data)
  return type === "array" || properties?.["entries"]?.type === "array"
}

/** True if an operation takes an `Idempotency-Key`. */
export const takesKey = ({ parameters }: Pick<Listed, "parameters">): boolean =>
  parameters.some(({ name }) => name === "Idempotency-Key")

/** Every operation of the contract, in its order. */
export const operationsIn = (document: ApiDocument): ReadonlyArray<Operation> => {
  const isList = isListIn(document)
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const listed = { ...operation, path, method: method.toUpperCase() }
      const answers = answersOf(listed)
      const isStream = answers.some((answer) => answer?.[0] === "text/event-stream")
      const isPaged = method === "get" &&
        answers.some((answer) => answer?.[0] === "application/json" && isList(answer[1]))
      const flags = {
        body: operation.requestBody?.required === true,
        open: operation.security?.length === 0,
        key: takesKey(listed),
        list: isPaged,
        stream: isStream
      }
      return {
        ...listed,
        answers,
        kind: isStream ? "Stream" : isPaged ? "List" : "Call",
        flags: Object.entries(flags).filter(([, holds]) => holds).map(([flag]) => flag)
      } as const
    })
  )
}
