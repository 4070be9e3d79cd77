import type { Schema } from "effect"

/** More levels than any platform sends; JSON is written by recursion, so the depth has to be limited. */
const mostLevels = 100

const childrenOf = (json: Schema.Json): ReadonlyArray<Schema.Json> =>
  typeof json === "object" && json !== null ? Object.values(json) : []

const isTooLarge = (json: Schema.Json) => typeof json === "number" && !Number.isFinite(json)

/**
 * True if the value can be written as JSON again: at most 100 levels deep, and without a number that is too large.
 * Walks level by level, without recursion.
 */
export const isSerializable = (json: Schema.Json): boolean => {
  let level: ReadonlyArray<Schema.Json> = [json]
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > mostLevels || level.some(isTooLarge)) return false
    level = level.flatMap(childrenOf)
  }
  return true
}
