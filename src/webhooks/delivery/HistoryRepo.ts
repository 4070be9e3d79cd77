import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../clubs/Club.ts"
import type { EventId } from "../../events/EventType.ts"
import { floorOf, timeOf } from "../../sql/Uuid7.ts"
import type { LaneName } from "../dispatch/LaneChanges.ts"
import { agesOf, idsFrom, idsTo } from "./Ages.ts"
import { type DeliveryQuery, WebhookAttempt, WebhookCounts, WebhookDelivery } from "./Delivery.ts"
import { deliveryColumns } from "./DeliveryColumns.ts"

/** Attempts of one delivery that are shown at most, the newest. */
const shownAttempts = 100

/** Deliveries of a queue that are counted at most. */
export const countedDeliveries = 10_000

const Moment = Schema.NullOr(Schema.DateTimeUtcFromDate)

/** What an endpoint owes. */
export const Queue = Schema.Struct({
  /** Of deliveries, up to one more than `countedDeliveries`. */
  depth: Schema.Int,
  /** When the oldest pending delivery of those counted was created. */
  oldest_pending_at: Moment,
  /** When the first delivery is due. */
  due_at: Moment,
  /** When the first delivery is due that a person asked for, which waits for no hold. */
  requested_at: Moment
})
export type Queue = typeof Queue.Type

const decodeDeliveries = Schema.decodeUnknownEffect(Schema.Array(WebhookDelivery))
const decodeAttempts = Schema.decodeUnknownEffect(Schema.Array(WebhookAttempt))
const decodeCounts = Schema.decodeUnknownEffect(Schema.Tuple([WebhookCounts]))
const decodeQueue = Schema.decodeUnknownEffect(Schema.Tuple([Queue]))
const decodeBodies = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ body: Schema.fromJsonString(Schema.Json) }))
)

/** What was sent and what came of it. What is past its age is not there, whether or not it is deleted yet. */
export class HistoryRepo extends Context.Service<HistoryRepo, {
  /** The newest first, from the one before `before` on; one more than the limit tells that there are more. */
  list(
    lane: LaneName,
    query: DeliveryQuery,
    before: Option.Option<string>
  ): Effect.Effect<ReadonlyArray<WebhookDelivery>>
  /** The newest, oldest first. */
  attempts(club_id: ClubId, delivery: WebhookDelivery): Effect.Effect<ReadonlyArray<WebhookAttempt>>
  /** The body of an event, parsed; none once it is erased or past its age. */
  body(club_id: ClubId, event_id: EventId): Effect.Effect<Option.Option<Schema.Json>>
  /** To all endpoints, deleted ones too, oldest first. */
  ofEvent(club_id: ClubId, event_id: EventId): Effect.Effect<ReadonlyArray<WebhookDelivery>>
  /** Of the deliveries created from this moment on. */
  stats(lane: LaneName, from: DateTime.Utc): Effect.Effect<typeof WebhookCounts.Type>
  queue(lane: LaneName): Effect.Effect<Queue>
}>()("turma/webhooks/HistoryRepo") {
  static readonly layer = Layer.effect(
    HistoryRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const ages = yield* agesOf

      const of = ({ club_id, endpoint_id }: LaneName) => sql`d.club_id = ${club_id} and d.endpoint_id = ${endpoint_id}`

      const optional = <A>(value: A | undefined, condition: (value: A) => ReturnType<typeof of>) =>
        value === undefined ? sql`true` : condition(value)

      // What is pending is owed: the index of what is owed then finds it among much that is finished.
      const passing = ({ event_type, since, status, student_id, until }: DeliveryQuery) =>
        sql`
          ${optional(status, (status) => sql`d.status = ${status}`)}
          and ${status === "pending" ? sql`d.next_attempt_at is not null` : sql`true`}
          and ${optional(event_type, (type) => sql`d.event_type = ${type}`)}
          and ${optional(student_id, (id) => sql`d.student_id = ${id}`)}
          and ${optional(since, (at) => sql`d.created_at >= ${DateTime.toDateUtc(at)}`)}
          and ${
          optional(until, (at) =>
            sql`
              d.created_at < ${DateTime.toDateUtc(at)} and d.id < ${floorOf(idsTo(at))}::uuid`)
        }`

      const list = Effect.fn("HistoryRepo.list")(
        function*(lane: LaneName, query: DeliveryQuery, before: Option.Option<string>) {
          const { bodies, history } = yield* ages
          const oldest = DateTime.max(history, query.since ?? history)
          const rows = yield* sql`
            select ${deliveryColumns(sql, bodies)} from webhook_deliveries d
            where ${of(lane)} and d.id >= ${floorOf(idsFrom(oldest))}::uuid
              and d.created_at > ${DateTime.toDateUtc(history)} and ${passing(query)}
              and ${optional(Option.getOrUndefined(before), (id) => sql`d.id < ${id}`)}
            order by d.id desc limit ${query.limit + 1}`
          return yield* decodeDeliveries(rows)
        },
        Effect.orDie
      )

      const attempts = Effect.fn("HistoryRepo.attempts")(
        function*(club_id: ClubId, { created_at, id }: WebhookDelivery) {
          const oldest = (yield* ages).attempts
          const rows = yield* sql`
            select id, delivery_id, number, trigger, started_at, duration_ms, status_code, error, response_body,
              retry_after_seconds
            from webhook_attempts
            where club_id = ${club_id} and delivery_id = ${id}
              and id >= ${floorOf(idsFrom(DateTime.max(oldest, created_at)))}::uuid
              and started_at > ${DateTime.toDateUtc(oldest)}
            order by id desc limit ${shownAttempts}`
          return (yield* decodeAttempts(rows)).toReversed()
        },
        Effect.orDie
      )

      const body = Effect.fn("HistoryRepo.body")(function*(club_id: ClubId, event_id: EventId) {
        const { bodies } = yield* ages
        const rows = yield* sql`
          select convert_from(body, 'UTF8') as body from webhook_messages
          where club_id = ${club_id} and id = ${event_id} and body is not null
            and created_at > ${DateTime.toDateUtc(bodies)}`.pipe(Effect.flatMap(decodeBodies))
        return Option.map(Option.fromUndefinedOr(rows[0]), ({ body }) => body)
      }, Effect.orDie)

      const ofEvent = Effect.fn("HistoryRepo.ofEvent")(function*(club_id: ClubId, event_id: EventId) {
        const { bodies, history } = yield* ages
        const oldest = DateTime.max(history, timeOf(event_id))
        const rows = yield* sql`
          select ${deliveryColumns(sql, bodies)} from webhook_deliveries d
          where d.club_id = ${club_id} and d.event_id = ${event_id} and d.id >= ${floorOf(idsFrom(oldest))}::uuid
            and d.created_at > ${DateTime.toDateUtc(history)}
          order by d.id`
        return yield* decodeDeliveries(rows)
      }, Effect.orDie)

      const stats = Effect.fn("HistoryRepo.stats")(function*(lane: LaneName, from: DateTime.Utc) {
        const [counts] = yield* sql`
          select count(*) filter (where d.status = 'succeeded')::int as succeeded,
            count(*) filter (where d.status = 'failed')::int as failed,
            count(*) filter (where d.status = 'canceled')::int as canceled,
            count(*) filter (where d.status = 'pending')::int as pending,
            percentile_disc(0.5) within group (order by d.last_duration_ms) as p50_ms,
            percentile_disc(0.95) within group (order by d.last_duration_ms) as p95_ms
          from webhook_deliveries d
          where ${of(lane)} and d.id >= ${floorOf(idsFrom(from))}::uuid and d.created_at >= ${DateTime.toDateUtc(from)}
        `.pipe(Effect.flatMap(decodeCounts))
        return counts
      }, Effect.orDie)

      // As workers take it: what has grown too old to be sent is not part of it.
      const queue = Effect.fn("HistoryRepo.queue")(function*(lane: LaneName) {
        const { queue: oldest } = yield* ages
        const owed = sql`
          ${of(lane)} and d.next_attempt_at is not null and d.id >= ${floorOf(idsFrom(oldest))}::uuid
            and d.created_at > ${DateTime.toDateUtc(oldest)}`
        const first = sql`order by d.next_attempt_at, d.id limit`
        const [found] = yield* sql`
          with counted as materialized (
            select d.status, d.created_at from webhook_deliveries d where ${owed} ${first} ${countedDeliveries + 1}
          )
          select count(*)::int as depth, min(created_at) filter (where status = 'pending') as oldest_pending_at,
            (select d.next_attempt_at from webhook_deliveries d where ${owed} ${first} 1) as due_at,
            (
              select d.next_attempt_at from webhook_deliveries d
              where ${owed} and d.trigger <> 'schedule' ${first} 1
            ) as requested_at
          from counted`.pipe(Effect.flatMap(decodeQueue))
        return found
      }, Effect.orDie)

      return HistoryRepo.of({ list, attempts, body, ofEvent, stats, queue })
    })
  )
}
