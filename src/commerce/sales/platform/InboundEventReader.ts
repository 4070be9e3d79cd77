import { Result, type Schema } from "effect"
import { addressOf, storable } from "./BodyReader.ts"
import type { InboundRequest, Platform, SaleFact } from "./Platform.ts"

/** The facts of a body, or the field that it lacks. */
export type FactsResult = Result.Result<ReadonlyArray<SaleFact>, string>

/** Reads the facts from a body of one kind of event. */
export type FactReader = (json: Schema.Json, request: InboundRequest) => FactsResult

/** Nothing follows from the body. */
export const noFacts: FactsResult = Result.succeed([])

/** True if it is an object. */
export const isJsonObject = (json: Schema.Json | undefined): json is Schema.JsonObject =>
  typeof json === "object" && json !== null && !Array.isArray(json)

/** The value at `path`, such as `data.buyer.email`. */
export const valueAt = (json: Schema.Json, path: string): Schema.Json | undefined =>
  path.split(".").reduce<Schema.Json | undefined>(
    (found, key) => isJsonObject(found) && Object.hasOwn(found, key) ? found[key] : undefined,
    json
  )

/** The id of a notice; null if it is too long or cannot be stored. It only helps people to find the notice. */
const eventIdOf = (sent: unknown): string | null => {
  const id = typeof sent === "number" ? String(sent) : sent
  return typeof id === "string" && id !== "" && storable(id, 200) === id ? id : null
}

const nameLength = 120

/**
 * The `read` of a platform. Names are matched exactly: `invoice_unpaid` does not match `paid`. An event without a
 * reader is ignored and keeps its name.
 */
export const inboundEventReader = ({ eventId, name, persons, factReaders }: {
  /** The path of the event's name. */
  readonly name: string
  /** The platform's id of the notice. */
  readonly eventId: (json: Schema.Json, request: InboundRequest) => unknown
  /** The paths at which the person's address may be; the first valid one counts. */
  readonly persons: ReadonlyArray<string>
  readonly factReaders: ReadonlyMap<string, FactReader>
}): Platform["read"] =>
(json, request) => {
  const sent = valueAt(json, name)
  const event_name = (typeof sent === "string" ? storable(sent, nameLength) : "") || "unknown"
  const person_email = persons.map((path) => addressOf(valueAt(json, path))).find((address) => address !== null) ?? null
  const readFacts = typeof sent === "string" ? factReaders.get(sent) : undefined
  return (readFacts === undefined ? noFacts : readFacts(json, request)).pipe(Result.mapBoth({
    onFailure: (detail) => ({ _tag: "UnreadableNotice" as const, event_name, detail, person_email }),
    onSuccess: (facts) => ({
      event_name,
      external_event_id: eventIdOf(eventId(json, request)),
      person_email,
      facts
    })
  }))
}
