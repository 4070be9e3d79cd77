import { DateTime, Redacted, Result, type Schema } from "effect"
import type {
  InboundRequest,
  Notice,
  Platform,
  UnreadableNotice
} from "../../../../src/commerce/sales/platform/Platform.ts"

/** A made-up body in a documented shape, and its content: times as text, the tax document hidden. */
export interface Fixture {
  readonly of: string
  readonly body: Schema.JsonObject
  readonly headers?: Readonly<Record<string, string>>
  readonly says: Schema.JsonObject
}

/** The tax document of every made-up buyer. */
export const document = "11122233344"

/** A tax document as JSON shows it. */
export const hidden = "<redacted:document>"

/** The moment at which every request here arrived. */
export const receivedAt = DateTime.makeUnsafe("2026-11-21T12:00:00Z")

/** A request with these parts. */
export const requestOf = (
  parts: Partial<Omit<InboundRequest, "body">> & { readonly body?: string }
): InboundRequest => ({
  headers: {},
  query: new URLSearchParams(),
  received_at: receivedAt,
  ...parts,
  body: new TextEncoder().encode(parts.body ?? "")
})

/** The platform's reading of the body. */
export const readBy = (platform: Platform, body: Schema.Json, headers: Readonly<Record<string, string>> = {}) =>
  platform.read(body, requestOf({ headers, body: JSON.stringify(body) }))

/** The reading as JSON shows it. */
export const shown = (read: Result.Result<Notice, UnreadableNotice>): unknown =>
  JSON.parse(JSON.stringify(Result.merge(read)))

/** All tax documents of the reading, in plain text. */
export const documentsIn = (read: Result.Result<Notice, UnreadableNotice>): ReadonlyArray<string> =>
  (Result.isSuccess(read) ? read.success.facts : []).flatMap((fact) =>
    fact.kind === "linked" || fact.buyer === null || fact.buyer.document === null
      ? []
      : [Redacted.value(fact.buyer.document)]
  )

const isObject = (json: Schema.Json | undefined): json is Schema.JsonObject =>
  typeof json === "object" && json !== null && !Array.isArray(json)

/** The object with another value at `path`, such as `data.buyer.email`. The value undefined removes the key. */
export const changed = (json: Schema.JsonObject, path: string, value: Schema.Json | undefined): Schema.JsonObject => {
  const [key = "", ...rest] = path.split(".")
  const { [key]: before, ...others } = json
  if (rest.length > 0) return { ...others, [key]: changed(isObject(before) ? before : {}, rest.join("."), value) }
  return value === undefined ? others : { ...others, [key]: value }
}

/** A notice of the event about the person, with these facts. */
export const notice = (
  event_name: string,
  external_event_id: string | null,
  person_email: string | null,
  ...facts: ReadonlyArray<Schema.JsonObject>
): Schema.JsonObject => ({ event_name, external_event_id, person_email, facts })

/** The reading of a body that lacks a field. */
export const unreadable = (event_name: string, person_email: string | null, detail: string): Schema.JsonObject => ({
  _tag: "UnreadableNotice",
  event_name,
  detail,
  person_email
})
