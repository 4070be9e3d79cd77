import { isObject, type JsonObject, mapValues } from "../../platform/http/document/Schemas.ts"
import { keyShape } from "../../platform/idempotency/Idempotency.ts"
import { unmarked } from "./Marks.ts"

// The faults of a call that prevent its request. The API itself checks the values.

/** The deepest nesting of arguments. No operation takes half of that, and a walk through them ends. */
const deepest = 16

/** True if a value has more levels than `levels`. */
const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === "object" && value !== null &&
  (levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1)))

/** Texts as the API knows them, at any depth: a model may send a marked one back. */
const plain = (value: unknown): unknown => {
  if (typeof value === "string") return unmarked(value)
  if (Array.isArray(value)) return value.map(plain)
  return isObject(value) ? mapValues(value, plain) : value
}

/** The values of a call as the API knows them; undefined where they are nested too deeply. */
export const plainValues = (given: JsonObject): JsonObject | undefined =>
  isDeeper(given, deepest) ? undefined : mapValues(given, plain)

/** Said of such a call. */
export const tooDeep = `The arguments must not be nested more than ${deepest} deep`

const mostNamed = 5

/** The fault in the names of the arguments, if there is one. */
export const namesFault = (given: JsonObject, known: ReadonlyArray<string>, required: ReadonlyArray<string>) => {
  const unknown = Object.keys(given).filter((name) => !known.includes(name))
  const takes = known.length === 0 ? "It takes no arguments." : `It takes: ${known.join(", ")}.`
  if (unknown.length > 0) {
    return `No such argument: ${unknown.slice(0, mostNamed).map((name) => name.slice(0, 64)).join(", ")}. ${takes}`
  }
  const missing = required.filter((name) => given[name] === undefined)
  return missing.length > 0 ? `Missing: ${missing.join(", ")}. ${takes}` : undefined
}

/** The fault of an argument that must be one value (a text, a number or a switch), if there is one. */
export const scalarsFault = (given: JsonObject, names: ReadonlyArray<string>) => {
  const wrong = names.find((name) =>
    given[name] !== undefined && !["string", "number", "boolean"].includes(typeof given[name])
  )
  return wrong === undefined ? undefined : `${wrong} must be one value`
}

/** `.` and `..` would lead to another route, and half of a surrogate pair is in no URL. */
const isSegment = (text: string) => text !== "." && text !== ".." && text.isWellFormed()

/** The fault of an argument in the path, if there is one: each is one segment of it. */
export const segmentsFault = (given: JsonObject, names: ReadonlyArray<string>) => {
  const empty = names.find((name) => given[name] === undefined || given[name] === "")
  if (empty !== undefined) return `${empty} must not be empty`
  const wrong = names.find((name) => !isSegment(String(given[name])))
  return wrong === undefined ? undefined : `${wrong} must be an id`
}

/** The fault of the key that makes a call repeatable, if there is one. */
export const keyFault = (name: string, value: unknown) =>
  value === undefined || keyShape.test(String(value))
    ? undefined
    : `${name} must have 1 to 255 printable ASCII characters`
