import { eventTypes } from "../../events/EventTypes.ts"
import { isObject } from "../../platform/http/document/Schemas.ts"

const namesIn = (schema: unknown): ReadonlyArray<string> => {
  if (Array.isArray(schema)) return schema.flatMap(namesIn)
  if (!isObject(schema)) return []
  const { properties, ...others } = schema
  return [
    ...(isObject(properties) ? Object.entries(properties).flatMap(([name, one]) => [name, ...namesIn(one)]) : []),
    ...Object.values(others).flatMap(namesIn)
  ]
}

/** The fields of our own events: in JSON of any kind, every other name is somebody's words. */
export const ownNames: ReadonlySet<string> = new Set(eventTypes.flatMap(({ schema }) => namesIn(schema)))
