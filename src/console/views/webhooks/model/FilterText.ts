import type { Schemas } from "../../../../sdk/index.ts"

// A filter as it is written in a field. Pure.

/** A filter of an endpoint: JSON, whose meaning the API judges. */
export type Filter = NonNullable<Schemas["WebhookEndpoint"]["filter"]>

const isFilter = (value: unknown): value is Filter =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const valueOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The filter in a text. Null for an empty text, undefined if it is not a JSON object. */
export const filterIn = (text: string): Filter | null | undefined => {
  if (text.trim() === "") return null
  const value = valueOf(text)
  return isFilter(value) ? value : undefined
}

/** A filter, laid out to be read and changed. */
export const textOfFilter = (filter: Filter | null): string => filter === null ? "" : JSON.stringify(filter, null, 2)

/** A value of an event's field in short. */
export const textOfValue = (value: unknown): string => {
  const text = JSON.stringify(value) ?? ""
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
