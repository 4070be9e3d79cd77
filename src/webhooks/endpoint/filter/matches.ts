import { DateTime, Option, Schema } from "effect"
import { Timestamp } from "../../../platform/http/Timestamp.ts"
import type { FieldPath, Filter, Leaf } from "./Filter.ts"

/** A field that no own property leads to. */
export const absent = Symbol("absent")

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The value of a field, by own properties of objects alone: nothing is inherited, and arrays have no fields. */
export const valueAt = (body: unknown, path: FieldPath): unknown => {
  let value = body
  for (const name of path) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return absent
    value = value[name]
  }
  return value
}

const asMoment = Schema.decodeUnknownOption(Timestamp)

/** Moments that were read from texts of an event: reading one costs as much as a hundred comparisons. */
export type Moments = Map<string, number | undefined>

const momentIn = (text: string, moments: Moments) => {
  if (!moments.has(text)) moments.set(text, Option.getOrUndefined(Option.map(asMoment(text), DateTime.toEpochMillis)))
  return moments.get(text)
}

const numberOf = (value: unknown, kind: "number" | "moment", moments: Moments): number | undefined => {
  if (kind === "number") return typeof value === "number" ? value : undefined
  return typeof value === "string" ? momentIn(value, moments) : undefined
}

const isScalar = (value: unknown) =>
  value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean"

/** True if a value meets the condition about its field. Types are respected: `1` is not `"1"`. */
const meets = (leaf: Leaf, value: unknown, moments: Moments = new Map()): boolean => {
  switch (leaf.is) {
    case "equals":
      return value === leaf.value
    case "in":
      return isScalar(value) && leaf.values.has(value)
    case "exists":
      return (value !== absent && value !== null) === leaf.wanted
    case "range": {
      const number = numberOf(value, leaf.kind, moments)
      if (number === undefined) return false
      const { gt, gte, lt, lte } = leaf
      return (gt === undefined || number > gt) && (gte === undefined || number >= gte) &&
        (lt === undefined || number < lt) && (lte === undefined || number <= lte)
    }
  }
}

/**
 * True if an event passes the filter of an endpoint. `body` is the whole event, as it is sent; `moments` is shared by all
 * filters that are asked about it.
 */
export const matches = (filter: Filter, body: unknown, moments: Moments = new Map()): boolean => {
  switch (filter.is) {
    case "all":
      return filter.of.every((one) => matches(one, body, moments))
    case "any":
      return filter.of.some((one) => matches(one, body, moments))
    case "not":
      return !matches(filter.of, body, moments)
    default:
      return meets(filter, valueAt(body, filter.path), moments)
  }
}

/** A condition about a field, its place in the filter, and its result. */
export interface Judgement {
  readonly place: string
  readonly field: string
  /** `absent` if the field does not exist. */
  readonly value: unknown
  readonly matches: boolean
}

/** Every condition about a field, in the order in which they are written. */
export const judge = (filter: Filter, body: unknown, place = "filter"): ReadonlyArray<Judgement> => {
  switch (filter.is) {
    case "all":
    case "any":
      return filter.of.flatMap((one, index) => judge(one, body, `${place}.${filter.is}[${index}]`))
    case "not":
      return judge(filter.of, body, `${place}.not`)
    default: {
      const value = valueAt(body, filter.path)
      return [{ place, field: filter.path.join("."), value, matches: meets(filter, value) }]
    }
  }
}

/** The places of the conditions that keep the filter from a match. Empty if it matches. */
export const reasons = (filter: Filter, body: unknown, wanted = true, place = "filter"): ReadonlyArray<string> => {
  if (matches(filter, body) === wanted) return []
  switch (filter.is) {
    case "all":
    case "any":
      return filter.of.flatMap((one, index) => reasons(one, body, wanted, `${place}.${filter.is}[${index}]`))
    case "not":
      return reasons(filter.of, body, !wanted, `${place}.not`)
    default:
      return [place]
  }
}
