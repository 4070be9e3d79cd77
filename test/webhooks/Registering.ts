import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { EventId } from "../../src/events/EventType.ts"
import { Partitions } from "../../src/platform/sql/Partitions.ts"
import { EndpointId } from "../../src/webhooks/model/EndpointId.ts"
import { WebhookDeliveryId } from "../../src/webhooks/model/WebhookDeliveryId.ts"
import { AppLayer, at, foundClub, listAt, send } from "../harness/App.ts"
import { begin } from "./engine/retention/Rows.ts"

// Makes endpoints as administrators do, over HTTP, at an address that needs no resolver.

export const publicUrl = "https://93.184.215.14/hooks"

/** The app, with the partitions of its webhook tables. */
export const WebhooksLayer = Partitions.layer.pipe(Layer.provideMerge(AppLayer))

/** A club on the Saturday on which every test begins. Its tables have partitions for the ten days before. */
export const foundOnSaturday = Effect.andThen(begin("10 days"), foundClub())

type Founded = Effect.Success<typeof foundOnSaturday>

/** The path and token of a request: the club's path and a session's token. */
export interface Asking {
  readonly path: string
  readonly token: string
}

const defaultTarget = (body: unknown) => Object.hasOwn(Object(body), "inbox_id") ? {} : { url: publicUrl }

export const create = ({ path, token }: Asking, body: unknown = {}, headers = {}) =>
  send("POST", `${path}/webhook-endpoints`, {
    token,
    headers,
    body: { ...defaultTarget(body), event_types: ["student.created"], ...Object(body) }
  })

/** An endpoint of the club. `path` is the endpoint's own path. */
export const register = Effect.fn("register")(function*(club: Founded, body: unknown = {}) {
  const { json, text } = yield* create(club, body)
  const id = Schema.decodeUnknownOption(EndpointId)(at(json, "data", "id"))
  if (id._tag === "None") return yield* Effect.die(new Error(text))
  return {
    club,
    club_id: club.id,
    endpoint_id: id.value,
    path: `${club.path}/webhook-endpoints/${id.value}`,
    token: club.token,
    secret: String(at(json, "data", "secret"))
  }
})
export type Registered = Effect.Success<ReturnType<typeof register>>

export const read = ({ path, token }: Asking) => send("GET", path, { token })
export const patch = ({ path, token }: Asking, body: unknown) => send("PATCH", path, { token, body })
export const setStatus = (endpoint: Asking, status: string) => patch(endpoint, { status })
export const sendTest = ({ path, token }: Asking, headers = {}) => send("POST", `${path}/test`, { token, headers })
export const list = ({ path, token }: Asking, query = "") => send("GET", `${path}/deliveries${query}`, { token })
export const readDelivery = ({ path, token }: Asking, id: string) => send("GET", `${path}/deliveries/${id}`, { token })
export const resend = ({ path, token }: Asking, id: string) =>
  send("POST", `${path}/deliveries/${id}/resend`, { token })
export const recover = ({ path, token }: Asking, since: unknown) =>
  send("POST", `${path}/recover`, { token, body: { since } })

export const idsIn = (answer: { readonly json: unknown }) => listAt(answer.json, "data").map((item) => at(item, "id"))

/** The fields of `data` with these names. */
export const fieldsOf = (answer: { readonly json: unknown }, ...names: ReadonlyArray<string>) =>
  Object.fromEntries(names.map((name) => [name, at(answer.json, "data", name)]))

const Moment = Schema.NullOr(Schema.DateTimeUtcFromDate)
const Lane = Schema.Struct({
  due_at: Moment,
  wakes: Schema.Int,
  breaker_epoch: Schema.Int,
  consecutive_failures: Schema.Int,
  holds: Schema.Int,
  hold_until: Moment,
  failing_since: Moment
})

/** The lane of the endpoint as it is now. */
export const laneNow = Effect.fnUntraced(function*({ club_id, endpoint_id }: Registered) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select due_at, wakes::int, breaker_epoch, consecutive_failures, holds, hold_until, failing_since from webhook_lanes
    where club_id = ${club_id} and endpoint_id = ${endpoint_id}`
  return yield* Schema.decodeUnknownEffect(Lane)(rows[0])
})

/** Sets columns of the lane, as a worker would. */
export const setLane = Effect.fnUntraced(function*(
  { club_id, endpoint_id }: Registered,
  columns: Readonly<Record<string, unknown>>
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
      update webhook_lanes set ${sql.update(columns)} where club_id = ${club_id} and endpoint_id = ${endpoint_id}`
})

const Owed = Schema.Array(Schema.Struct({
  id: WebhookDeliveryId,
  event_id: EventId,
  status: Schema.String,
  trigger: Schema.String,
  once: Schema.Boolean,
  rung: Schema.Int,
  next_attempt_at: Moment
}))

/** The endpoint's deliveries with an attempt due, oldest first. */
export const owedNow = Effect.fnUntraced(function*({ club_id, endpoint_id }: Registered) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select id, event_id, status, trigger, once, rung, next_attempt_at from webhook_deliveries
    where club_id = ${club_id} and endpoint_id = ${endpoint_id} and next_attempt_at is not null order by id`
  return yield* Schema.decodeUnknownEffect(Owed)(rows)
})
