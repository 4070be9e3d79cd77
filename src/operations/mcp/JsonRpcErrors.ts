import { Option } from "effect"
import { isObject, type JsonObject } from "../../platform/http/document/Schemas.ts"
import { decodeJson } from "./Json.ts"

// The library adds names of its own to the error of an answer, and to what it did not expect the whole of its cause.

/** JSON-RPC's error for an internal fault (JSON-RPC 2.0, Error object). */
const internal = { code: -32_603, message: "Internal error" }

const isCode = (code: unknown): code is number => Number.isInteger(code) && code !== 0 && code !== 1

/** `code`, `message` and what the protocol's own errors have as `data`: nothing else. */
const plainError = ({ _tag, code, data, message }: JsonObject): JsonObject => {
  if (!isCode(code)) return internal
  const isCause = _tag === "Cause" || _tag === "Defect"
  return { code, message: String(message), ...(isCause || data === undefined ? {} : { data }) }
}

const plainMessage = (message: unknown): unknown => {
  if (!isObject(message) || !isObject(message["error"])) return message
  const { error, id, ...rest } = message
  // It names no message if the id is unknown.
  return { ...rest, id: id === internal.code ? null : id ?? null, error: plainError(error) }
}

/** The text of a message or a batch, with errors as JSON-RPC has them. */
export const withPlainErrors = (text: string): string => {
  if (!text.includes(`"error"`)) return text
  const read = Option.getOrUndefined(decodeJson(text))
  const isFailure = (message: unknown) => isObject(message) && isObject(message["error"])
  if (Array.isArray(read)) return read.some(isFailure) ? JSON.stringify(read.map(plainMessage)) : text
  return isFailure(read) ? JSON.stringify(plainMessage(read)) : text
}
