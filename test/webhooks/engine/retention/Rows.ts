import { DateTime, type Duration, Effect, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { ClubId } from "../../../../src/identity/ids/ClubId.ts"
import type { StudentId } from "../../../../src/identity/ids/StudentId.ts"
import { Partitions } from "../../../../src/platform/sql/Partitions.ts"
import { floorOf } from "../../../../src/platform/sql/Uuid7.ts"
import { EndpointId } from "../../../../src/webhooks/model/EndpointId.ts"
import { WebhookDeliveryId } from "../../../../src/webhooks/model/WebhookDeliveryId.ts"
import { webhookTables } from "../../../../src/webhooks/model/WebhookTables.ts"
import { makeClub, makeStudent } from "../../../harness/Makers.ts"
import { insertDelivery, insertEndpoint } from "../../../harness/Webhooks.ts"

// Rows of any age as the engine leaves them. Each maker inserts a row and returns it.

export const saturday = DateTime.makeUnsafe("2026-11-21T10:00:00Z")

/** This long before the Saturday on which every test begins. */
export const ago = (duration: Duration.Input) => DateTime.subtractDuration(saturday, duration)

/** Sets the clock to Saturday, and makes partitions for this long before. */
export const begin = Effect.fnUntraced(function*(since: Duration.Input) {
  yield* TestClock.setTime(DateTime.toEpochMillis(saturday))
  yield* Effect.flatMap(Partitions, ({ ensure }) => ensure(webhookTables, ago(since)))
})

/** A new UUIDv7 of that moment. */
export const idAt = (at: DateTime.Utc) =>
  Effect.map(
    Effect.flatMap(SecureRandom.SecureRandom, (random) => random.uuidV4()),
    (uuid) => `${floorOf(at).slice(0, 14)}7${uuid.slice(15)}`
  ).pipe(Effect.provide(SecureRandom.layerWebCrypto))

/** A club with an endpoint and its lane, slot 1. */
export const makeEndpoint = Effect.fn("makeEndpoint")(function*(
  given: { readonly club?: { readonly id: ClubId }; readonly [column: string]: unknown } = {}
) {
  const { club = yield* makeClub(), ...columns } = given
  const lane = { club_id: club.id, endpoint_id: EndpointId.make(yield* idAt(saturday)) }
  const at = DateTime.toDateUtc(ago("119 days"))
  const row = {
    slot: 1,
    url: "https://hooks.example/in?token=s3cret",
    description: "",
    event_types: ["student.created"],
    status: "enabled",
    secret: "deleted_at" in columns ? null : new Uint8Array([1]),
    created_at: at,
    updated_at: at,
    ...columns
  }
  yield* insertEndpoint({ club_id: club.id, id: lane.endpoint_id, ...row })
  return { club, ...lane }
})
export type MadeEndpoint = Effect.Success<ReturnType<typeof makeEndpoint>>

/** A message about a student of the endpoint's club, and its delivery: pending, unless `given` says otherwise. */
export const makeDelivery = Effect.fn("makeDelivery")(function*(
  { club, club_id, endpoint_id }: MadeEndpoint,
  created: DateTime.Utc,
  given: { readonly student_id?: StudentId; readonly event_type?: string; readonly [column: string]: unknown } = {}
) {
  const { event_type = "student.created", student_id = (yield* makeStudent(club)).id, ...columns } = given
  const [id, event_id] = [WebhookDeliveryId.make(yield* idAt(created)), yield* idAt(created)]
  const created_at = DateTime.toDateUtc(created)
  const body = new TextEncoder().encode(`{"id":"${event_id}"}`)
  const row = { event_id, event_type, student_id, status: "pending", trigger: "schedule", created_at }
  const due = "status" in columns ? {} : { next_attempt_at: DateTime.toDateUtc(DateTime.add(created, { days: 200 })) }
  yield* insertDelivery({ club_id, endpoint_id, id, ...row, ...due, ...columns }, { body, created_at, student_id })
  return { club_id, id, event_id, student_id }
})
export type MadeDelivery = Effect.Success<ReturnType<typeof makeDelivery>>

/** Columns of a delivery that has ended. */
export const ended = (status: "succeeded" | "failed") => ({ status, finished_at: DateTime.toDateUtc(saturday) })

/** A failed attempt with the start of its response, unless `columns` say otherwise. */
export const makeAttempt = Effect.fn("makeAttempt")(function*(
  delivery: MadeDelivery,
  started: DateTime.Utc,
  columns: Readonly<Record<string, unknown>> = {}
) {
  const sql = yield* SqlClient.SqlClient
  const attempt = { id: yield* idAt(started), number: 1, trigger: "schedule", started_at: DateTime.toDateUtc(started) }
  const result = { duration_ms: 7, status_code: 500, error: "http_status", response_body: "no room for Bia Lima" }
  yield* sql`
    insert into webhook_attempts
    ${sql.insert({ club_id: delivery.club_id, delivery_id: delivery.id, ...attempt, ...result, ...columns })}`
})

const Delivery = Schema.Struct({
  status: Schema.String,
  cancel_reason: Schema.NullOr(Schema.String),
  body_erased: Schema.Boolean,
  next_attempt_at: Schema.NullOr(Schema.DateTimeUtcFromDate),
  finished_at: Schema.NullOr(Schema.DateTimeUtcFromDate)
})
const decodeDelivery = Schema.decodeUnknownEffect(Delivery)

/** The current delivery, without the columns that no test here changes. */
export const deliveryNow = Effect.fnUntraced(function*({ club_id, id }: MadeDelivery) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select status, cancel_reason, body_erased, next_attempt_at, finished_at from webhook_deliveries
    where club_id = ${club_id} and id = ${id}`
  return yield* decodeDelivery(rows[0])
})

/** The text of a message; null once it is erased. */
export const bodyNow = Effect.fnUntraced(function*({ club_id, event_id }: MadeDelivery) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ body: string | null }>`
    select convert_from(body, 'UTF8') as body from webhook_messages where club_id = ${club_id} and id = ${event_id}`
  return row?.body
})

/** The stored responses of a delivery's attempts. */
export const responsesNow = Effect.fnUntraced(function*({ club_id, id }: MadeDelivery) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ response_body: string | null }>`
    select response_body from webhook_attempts where club_id = ${club_id} and delivery_id = ${id} order by id`
  return rows.map(({ response_body }) => response_body)
})

/** The stored signatures of a delivery's attempts. */
export const signaturesNow = Effect.fnUntraced(function*({ club_id, id }: MadeDelivery) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ signature: string | null }>`
    select signature from webhook_attempts where club_id = ${club_id} and delivery_id = ${id} order by id`
  return rows.map(({ signature }) => signature)
})
