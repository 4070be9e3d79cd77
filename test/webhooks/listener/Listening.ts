import { Effect, Schema } from "effect"
import { EndpointId } from "../../../src/webhooks/model/EndpointId.ts"
import { WebhookDeliveryId } from "../../../src/webhooks/model/WebhookDeliveryId.ts"
import { at, type foundClub, listAt, send } from "../../harness/App.ts"
import type { Asking } from "../Registering.ts"

// Uses listeners as administrators do, over HTTP.

type Founded = Effect.Success<ReturnType<typeof foundClub>>

export const createListener = ({ path, token }: Asking, body: unknown = {}, headers = {}) =>
  send("POST", `${path}/webhook-listeners`, {
    token,
    headers,
    body: { event_types: ["student.created"], ...Object(body) }
  })

const readId = Schema.decodeUnknownSync(EndpointId)

/** A listener of the club. `path` is its own path, `endpoint` is the endpoint behind it. */
export const startListening = Effect.fn("startListening")(function*(club: Founded, body: unknown = {}) {
  const { json } = yield* createListener(club, body)
  const id = readId(at(json, "data", "id"))
  const { token } = club
  return {
    club,
    club_id: club.id,
    endpoint_id: id,
    path: `${club.path}/webhook-listeners/${id}`,
    endpoint: { path: `${club.path}/webhook-endpoints/${id}`, token },
    token,
    secret: String(at(json, "data", "secret"))
  }
})
export type Listening = Effect.Success<ReturnType<typeof startListening>>

export const poll = ({ path, token }: Asking, query = "") => send("GET", `${path}/deliveries${query}`, { token })

const Handed = Schema.Struct({
  delivery_id: WebhookDeliveryId,
  event_id: Schema.String,
  attempt: Schema.Int,
  receipt: Schema.String,
  headers: Schema.Record(Schema.String, Schema.String),
  body: Schema.String
})
export type Handed = typeof Handed.Type
const readHanded = Schema.decodeUnknownSync(Schema.Array(Handed))

/** The deliveries in the answer to a poll. */
export const handedIn = ({ json }: { readonly json: unknown }) => readHanded(listAt(json, "data", "deliveries"))

export const polled = (listener: Asking, query = "") => Effect.map(poll(listener, query), handedIn)

/** The result of a delivery from a poll: an accepted attempt, unless the test says otherwise. */
export const resultOf = ({ delivery_id, receipt }: Handed, given: Readonly<Record<string, unknown>> = {}) => ({
  delivery_id,
  receipt,
  status_code: 200,
  error: null,
  duration_ms: 12,
  ...given
})

export const tell = ({ path, token }: Asking, ...results: ReadonlyArray<unknown>) =>
  send("POST", `${path}/results`, { token, body: { results } })

/** How many results counted, and how many did not. */
export const toldIn = ({ json }: { readonly json: unknown }) => [
  at(json, "data", "recorded"),
  at(json, "data", "ignored")
]
