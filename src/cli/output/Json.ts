import { Schema } from "effect"

/** A thing of the API as it was answered, fields that this version does not know among them. */
export type Thing = Readonly<Record<string, Schema.Json>>

export const Thing = Schema.Record(Schema.String, Schema.Json)

const isThing = Schema.is(Thing)

/** The value at this path of a thing, in words; empty for null and for a missing one. */
export const textAt = (thing: Thing, ...path: readonly [string, ...Array<string>]): string => {
  const [name, second, ...rest] = path
  const value = thing[name]
  if (second !== undefined) return isThing(value) ? textAt(value, second, ...rest) : ""
  if (value === null || value === undefined) return ""
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value.join(", ")
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}
