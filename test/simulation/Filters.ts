import { isDeepStrictEqual } from "node:util"

// Filters of endpoints, and the meaning of each in separate code: the service's filter language must not judge itself.

interface Known {
  readonly json: Readonly<Record<string, unknown>>
  readonly passes: (event: Readonly<Record<string, unknown>>) => boolean
}

const studentIn = (event: Readonly<Record<string, unknown>>) => Object(Object(event["data"])["student"])

/** A name that some students have. */
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

/** The filters that an endpoint may get, and null for an endpoint without one. */
export const filters = [...known.map(({ json }) => json), null]

/** True if an event passes a filter, as it was stored. Every event passes null. */
export const passes = (filter: unknown, event: unknown): boolean => {
  if (filter === null) return true
  const found = known.find(({ json }) => isDeepStrictEqual(json, filter))
  if (found === undefined) throw new Error(`An endpoint has the filter ${JSON.stringify(filter)}`)
  return found.passes(Object(event))
}
