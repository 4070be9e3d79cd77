import { Result, type Schema } from "effect"
import type { InboundRequest, Platform, SaleFact } from "./Platform.ts"
import { addressOf, storable } from "./Reading.ts"

/** What follows from a body, or the field that it lacks. */
export type Facts = Result.Result<ReadonlyArray<SaleFact>, string>

/** What a body says of one event. */
export type Teller = (json: Schema.Json, request: InboundRequest) => Facts

/** Nothing follows. */
export const nothing: Facts = Result.succeed([])

/** Whether it has fields. */
export const isJsonObject = (json: Schema.Json | undefined): json is Schema.JsonObject =>
  typeof json === "object" && json !== null && !Array.isArray(json)

/** What stands at `path`, such as `data.buyer.email`. */
export const at = (json: Schema.Json, path: string): Schema.Json | undefined =>
  path.split(".").reduce<Schema.Json | undefined>(
    (found, key) => isJsonObject(found) && Object.hasOwn(found, key) ? found[key] : undefined,
    json
  )

/** An id of a notice, only to tell it again by: one that is too long or cannot be stored is none. */
export const eventIdOf = (sent: unknown): string | null => {
  const id = typeof sent === "number" ? String(sent) : sent
  return typeof id === "string" && id !== "" && storable(id, 200) === id ? id : null
}

const nameLength = 120

/**
 * The `read` of a platform. Names are matched exactly, never by a part: `invoice_unpaid` is not `paid`. An event without a
 * teller is ignored, under its own name.
 */
export const noticeReader = ({ eventId, name, persons, tellers }: {
  /** Where the event's name stands. */
  readonly name: string
  /** The platform's id of the notice. */
  readonly eventId: (json: Schema.Json, request: InboundRequest) => unknown
  /** Where the person's address may stand; the first that is one counts. */
  readonly persons: ReadonlyArray<string>
  readonly tellers: ReadonlyMap<string, Teller>
}): Platform["read"] =>
(json, request) => {
  const sent = at(json, name)
  const event_name = (typeof sent === "string" ? storable(sent, nameLength) : "") || "unknown"
  const person_email = persons.map((path) => addressOf(at(json, path))).find((address) => address !== null) ?? null
  const tell = typeof sent === "string" ? tellers.get(sent) : undefined
  return (tell === undefined ? nothing : tell(json, request)).pipe(
    Result.mapBoth({
      onFailure: (detail) => ({ _tag: "UnreadableNotice" as const, event_name, detail, person_email }),
      onSuccess: (facts) => ({
        event_name,
        external_event_id: eventIdOf(eventId(json, request)),
        person_email,
        facts
      })
    })
  )
}
