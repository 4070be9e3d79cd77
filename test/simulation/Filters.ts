import { isDeepStrictEqual } from "node:util"

// Filters that endpoints have, and what each means in words of its own, so that the service's language is not judged by itself.

interface Known {
  readonly json: Readonly<Record<string, unknown>>
  readonly passes: (event: Readonly<Record<string, unknown>>) => boolean
}

const studentIn = (event: Readonly<Record<string, unknown>>) => Object(Object(event["data"])["student"])

/** A name that students have now and then. */
export const filteredName = "Ana Souza"

const known: ReadonlyArray<Known> = [
  {
    json: { field: "data.student.name", equals: filteredName },
    passes: (event) => studentIn(event)["name"] === filteredName
  },
  {
    json: {
      any: [{ field: "type", in: ["student.updated", "lesson.completed"] }, { field: "data.origin", exists: true }]
    },
    passes: ({ data, type }) =>
      type === "student.updated" || type === "lesson.completed" || typeof Object(data)["origin"] === "string"
  },
  {
    json: { not: { field: "data.student.created_at", gte: "2026-01-12T00:00:00.000Z" } },
    passes: (event) => !(Date.parse(studentIn(event)["created_at"]) >= Date.parse("2026-01-12T00:00:00.000Z"))
  }
]

/** Those that an endpoint may get, and none. */
export const filters = [...known.map(({ json }) => json), null]

/** Whether an event passes a filter, as it was stored. Every event passes none. */
export const passes = (filter: unknown, event: unknown): boolean => {
  if (filter === null) return true
  const found = known.find(({ json }) => isDeepStrictEqual(json, filter))
  if (found === undefined) throw new Error(`An endpoint has the filter ${JSON.stringify(filter)}`)
  return found.passes(Object(event))
}
