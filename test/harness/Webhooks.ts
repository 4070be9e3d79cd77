import { DateTime, Effect, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { EventId, type EventType } from "../../src/events/EventType.ts"
import type { ClubId } from "../../src/identity/ids/ClubId.ts"
import { Partitions } from "../../src/platform/sql/Partitions.ts"
import { Sealing } from "../../src/platform/sql/Sealing.ts"
import { CancelReason, DeliveryStatus, Trigger } from "../../src/webhooks/model/DeliveryStatus.ts"
import { bindingOfSecret, EndpointId } from "../../src/webhooks/model/EndpointId.ts"
import type { EndpointStatus } from "../../src/webhooks/model/EndpointStatus.ts"
import { WebhookDeliveryId } from "../../src/webhooks/model/WebhookDeliveryId.ts"
import { webhookTables } from "../../src/webhooks/model/WebhookTables.ts"

// Rows as the engine finds them, without the API. Values that must be unique are.

const newId = Effect.gen(function*() {
  return yield* (yield* SecureRandom.SecureRandom).uuidV7()
}).pipe(Effect.provide(SecureRandom.layerWebCrypto))

const decodeSlot = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ slot: Schema.Int })]))

const now = Effect.map(DateTime.now, DateTime.toDateUtc)

type Columns = Readonly<Record<string, unknown>>

/** The row of an endpoint with all its columns, and its lane with nothing to do. */
export const insertEndpoint = Effect.fn("insertEndpoint")(function*(
  row: { readonly club_id: ClubId; readonly id: EndpointId } & Columns
) {
  const sql = yield* SqlClient.SqlClient
  const { club_id, id: endpoint_id } = row
  yield* sql`insert into webhook_endpoints ${sql.insert(row)}`
  yield* sql`insert into webhook_lanes ${sql.insert({ club_id, endpoint_id })}`
})

/** The row of a delivery with all its columns, and its message unless another delivery has it already. */
export const insertDelivery = Effect.fn("insertDelivery")(function*(
  row: { readonly club_id: ClubId; readonly event_id: string; readonly event_type: string } & Columns,
  message: { readonly body: Uint8Array; readonly created_at: Date } & Columns
) {
  const sql = yield* SqlClient.SqlClient
  const { club_id, event_id: id, event_type: type } = row
  const occurred_at = message.created_at
  yield* sql`
    insert into webhook_messages ${sql.insert({ club_id, id, type, occurred_at, ...message })} on conflict do nothing`
  yield* sql`insert into webhook_deliveries ${sql.insert(row)}`
})

/** Each endpoint gets the next slot, so a club may have up to 20. */
export const makeEndpoint = Effect.fn("makeEndpoint")(function*(
  club: { readonly id: ClubId },
  given: {
    readonly url?: string
    readonly status?: EndpointStatus
    readonly event_types?: ReadonlyArray<EventType>
    readonly secret?: Uint8Array
  } = {}
) {
  const sql = yield* SqlClient.SqlClient
  const sealing = yield* Sealing
  const endpoint = {
    id: EndpointId.make(yield* newId),
    url: "https://receiver.example/hook",
    status: "enabled" satisfies EndpointStatus,
    event_types: ["student.created"] satisfies ReadonlyArray<EventType>,
    secret: new Uint8Array(32).fill(7),
    ...given
  }
  const at = yield* now
  const [{ slot }] = yield* decodeSlot(yield* sql`
    select count(*)::int + 1 as slot from webhook_endpoints where club_id = ${club.id}`)
  yield* insertEndpoint({
    ...endpoint,
    club_id: club.id,
    slot,
    description: "",
    disabled_reason: endpoint.status === "disabled" ? "manual" : null,
    disabled_at: endpoint.status === "disabled" ? at : null,
    secret: yield* sealing.seal(endpoint.secret, bindingOfSecret(endpoint.id)),
    created_at: at,
    updated_at: at
  })
  return { ...endpoint, club_id: club.id, endpoint_id: endpoint.id }
})
/** A sealed previous secret that signs until `expires_at`. */
export const insertPreviousSecret = Effect.fn("insertPreviousSecret")(function*(
  { club_id, endpoint_id }: { readonly club_id: ClubId; readonly endpoint_id: EndpointId },
  number: number,
  secret: Uint8Array,
  expires_at: DateTime.Utc
) {
  const sql = yield* SqlClient.SqlClient
  const row = { club_id, endpoint_id, number, secret, expires_at: DateTime.toDateUtc(expires_at) }
  yield* sql`insert into webhook_previous_secrets ${sql.insert(row)}`
})

export type MadeEndpoint = Effect.Success<ReturnType<typeof makeEndpoint>>

/** A message and its delivery to one endpoint, by default pending and due at once. It wakes the lane. */
export const makeDelivery = Effect.fn("makeDelivery")(function*(
  endpoint: Pick<MadeEndpoint, "club_id" | "endpoint_id">,
  given: {
    readonly body?: string
    readonly trigger?: Trigger
    readonly status?: DeliveryStatus
    readonly next_attempt_at?: DateTime.Utc
    readonly event_id?: EventId
  } = {}
) {
  const sql = yield* SqlClient.SqlClient
  const at = yield* now
  yield* (yield* Partitions).ensure(webhookTables, yield* DateTime.now)
  const id = WebhookDeliveryId.make(yield* newId)
  const event_id = given.event_id ?? EventId.make(yield* newId)
  const { body = `{"id":"${event_id}"}`, trigger = "schedule", status = "pending" } = given
  const row = {
    club_id: endpoint.club_id,
    endpoint_id: endpoint.endpoint_id,
    id,
    event_id,
    event_type: "student.created",
    status,
    trigger,
    created_at: at,
    cancel_reason: status === "canceled" ? "endpoint_disabled" : null,
    finished_at: status === "pending" ? null : at,
    next_attempt_at: given.next_attempt_at === undefined
      ? (status === "pending" ? at : null)
      : DateTime.toDateUtc(given.next_attempt_at)
  }
  yield* insertDelivery(row, { body: Buffer.from(body), created_at: at })
  yield* sql`
    update webhook_lanes set wakes = wakes + 1,
      due_at = case when lease_id is not null then due_at else least(due_at, greatest(
        ${row.next_attempt_at}::timestamptz, case when ${trigger} = 'schedule' then hold_until end
      )) end
    where club_id = ${endpoint.club_id} and endpoint_id = ${endpoint.endpoint_id}`
  return { id, event_id, body }
})

const Instant = Schema.NullOr(Schema.DateTimeUtcFromDate)

const DeliveryRow = Schema.Struct({
  status: DeliveryStatus,
  cancel_reason: Schema.NullOr(CancelReason),
  body_erased: Schema.Boolean,
  attempts_count: Schema.Int,
  rung: Schema.Int,
  trigger: Trigger,
  once: Schema.Boolean,
  next_attempt_at: Instant,
  finished_at: Instant,
  last_status_code: Schema.NullOr(Schema.Int),
  last_error: Schema.NullOr(Schema.String)
})

const AttemptRow = Schema.Struct({
  number: Schema.Int,
  trigger: Trigger,
  started_at: Schema.DateTimeUtcFromDate,
  status_code: Schema.NullOr(Schema.Int),
  error: Schema.NullOr(Schema.String),
  response_body: Schema.NullOr(Schema.String),
  retry_after_seconds: Schema.NullOr(Schema.Int),
  connection_reused: Schema.NullOr(Schema.Boolean),
  signature: Schema.NullOr(Schema.String)
})

const LaneRow = Schema.Struct({
  due_at: Instant,
  lease_id: Schema.NullOr(Schema.String),
  breaker_epoch: Schema.Int,
  consecutive_failures: Schema.Int,
  holds: Schema.Int,
  hold_until: Instant,
  failing_since: Instant,
  last_success_at: Instant,
  last_failure_at: Instant
})

const decodeDelivery = Schema.decodeUnknownEffect(Schema.Tuple([DeliveryRow]))
const decodeAttempts = Schema.decodeUnknownEffect(Schema.Array(AttemptRow))
const decodeLane = Schema.decodeUnknownEffect(Schema.Tuple([LaneRow]))

/** The row of a delivery. */
export const deliveryRow = Effect.fn("deliveryRow")(function*(id: WebhookDeliveryId) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* decodeDelivery(yield* sql`select * from webhook_deliveries where id = ${id}`)
  return row
})

/** The rows of a delivery's attempts, oldest first. */
export const attemptRows = Effect.fn("attemptRows")(function*(id: WebhookDeliveryId) {
  const sql = yield* SqlClient.SqlClient
  return yield* decodeAttempts(yield* sql`select * from webhook_attempts where delivery_id = ${id} order by number`)
})

/** The row of an endpoint's lane. */
export const laneRow = Effect.fn("laneRow")(function*({ endpoint_id }: Pick<MadeEndpoint, "endpoint_id">) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* decodeLane(yield* sql`select * from webhook_lanes where endpoint_id = ${endpoint_id}`)
  return row
})
