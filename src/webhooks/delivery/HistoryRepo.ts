import { Context, DateTime, Effect, Layer, Option, Schema, Struct } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { EventId } from "../../events/EventType.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { floorOf, timeOf } from "../../platform/sql/Uuid7.ts"
import type { LaneName } from "../dispatch/LaneChanges.ts"
import { agesOf, idsFrom, idsTo } from "./Ages.ts"
import { type DeliveryQuery, WebhookAttempt, WebhookCounts, WebhookDelivery } from "./Delivery.ts"
import { deliveryColumns } from "./DeliveryColumns.ts"
import type { DeliveryId } from "./DeliveryId.ts"
import { owedOf } from "./Owed.ts"

/** Attempts of one delivery that are shown at most, the newest. */
const shownAttempts = 100

/** Deliveries of a queue that are counted at most. */
export const countedDeliveries = 10_000

/** Deliveries that one page looks at, at most, where a filter has no index. */
const readDeliveries = 50_000

/** Deliveries that statistics are made of at most, the newest. */
const summedDeliveries = 100_000

const Moment = Schema.NullOr(Schema.DateTimeUtcFromDate)

/** What an endpoint owes. */
const Queue = Schema.Struct({
  /** Of deliveries, up to one more than `countedDeliveries`. */
  depth: Schema.Int,
  /** When the oldest pending delivery of those counted was created. */
  oldest_pending_at: Moment,
  /** When the first delivery is due. */
  due_at: Moment,
  /** When the first delivery is due that a person asked for, which waits for no hold. */
  requested_at: Moment
})

const Payload = Schema.NullOr(Schema.fromJsonString(Schema.Json))
const DeliveryOfEvent = Schema.Struct({ ...WebhookDelivery.fields, payload: Payload })
const Detail = Schema.Struct({
  ...DeliveryOfEvent.fields,
  attempts: Schema.Array(Schema.Struct({ ...WebhookAttempt.fields, started_at: Schema.DateTimeUtcFromString }))
})

const decodeRead = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ ...WebhookDelivery.fields, passes: Schema.Boolean, is_last: Schema.Boolean }))
)
const decodeOfEvent = Schema.decodeUnknownEffect(Schema.Array(DeliveryOfEvent))
const decodeDetail = Schema.decodeUnknownEffect(Schema.Array(Detail))
const decodeCounts = Schema.decodeUnknownEffect(Schema.Tuple([WebhookCounts]))
const decodeQueue = Schema.decodeUnknownEffect(Schema.Tuple([Queue]))

/** What was sent and what came of it. What is past its age is not there, whether or not it is deleted yet. */
export class HistoryRepo extends Context.Service<HistoryRepo, {
  /**
   * The newest first, from the one before `before` on; one more than the limit tells that there are more. Looks at 50 000
   * at most, in some milliseconds: `read_to` is the last of them, where there may be more and the page is not full.
   */
  list(
    lane: LaneName,
    query: DeliveryQuery,
    before: Option.Option<string>
  ): Effect.Effect<{ readonly deliveries: ReadonlyArray<WebhookDelivery>; readonly read_to: DeliveryId | undefined }>
  /**
   * As it is at one moment: with its payload, null once it is erased or past its age, and its newest attempts, oldest
   * first.
   */
  detail(lane: LaneName, id: DeliveryId): Effect.Effect<Option.Option<typeof Detail.Type>>
  /** To all endpoints, deleted ones too, oldest first, at one moment. The payload is with the first one alone. */
  ofEvent(club_id: ClubId, event_id: EventId): Effect.Effect<ReadonlyArray<typeof DeliveryOfEvent.Type>>
  /** Of the deliveries created from this moment on, the newest 100 000 of them. */
  stats(lane: LaneName, from: DateTime.Utc): Effect.Effect<typeof WebhookCounts.Type>
  queue(lane: LaneName): Effect.Effect<typeof Queue.Type>
}>()("turma/webhooks/HistoryRepo") {
  static readonly layer = Layer.effect(
    HistoryRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const ages = yield* agesOf

      const of = ({ club_id, endpoint_id }: LaneName) => sql`d.club_id = ${club_id} and d.endpoint_id = ${endpoint_id}`

      const optional = <A>(value: A | undefined, condition: (value: A) => ReturnType<typeof of>) =>
        value === undefined ? sql`true` : condition(value)

      // What an index finds among much else. What is pending is owed, and there is one of what failed or was canceled.
      const found = ({ since, status, student_id, until }: DeliveryQuery) =>
        sql`
          ${status === "pending" ? sql`d.status = 'pending' and d.next_attempt_at is not null` : sql`true`}
          and ${status === "failed" || status === "canceled" ? sql`d.status in ('failed', 'canceled')` : sql`true`}
          and ${optional(student_id, (id) => sql`d.student_id = ${id}`)}
          and ${optional(since, (at) => sql`d.created_at >= ${DateTime.toDateUtc(at)}`)}
          and ${
          optional(until, (at) =>
            sql`
              d.created_at < ${DateTime.toDateUtc(at)} and d.id < ${floorOf(idsTo(at))}::uuid`)
        }`

      // The rest is looked for among those: an index of types would cost each delivery a fifth more to write. The last
      // one that is looked at comes along, whether it passes or not.
      const passing = (rows: Statement.Fragment, { event_type, limit, status }: DeliveryQuery) => {
        const passes = sql`(
          ${optional(event_type, (type) => sql`d.event_type = ${type}`)}
          and ${optional(status, (status) => sql`d.status = ${status}`)}
        )`
        return sql`
          select d.*, ${passes} as passes, d.place = ${readDeliveries} as is_last from (
            select d.*, row_number() over (order by d.id desc) as place from webhook_deliveries d where ${rows}
            order by d.id desc limit ${readDeliveries}
          ) d
          where ${passes} or d.place = ${readDeliveries} order by d.id desc limit ${limit + 1}`
      }

      const list = Effect.fn("HistoryRepo.list")(
        function*(lane: LaneName, query: DeliveryQuery, before: Option.Option<string>) {
          const { bodies, history } = yield* ages
          const oldest = DateTime.max(history, query.since ?? history)
          const wanted = sql`
            ${of(lane)} and d.id >= ${floorOf(idsFrom(oldest))}::uuid
              and d.created_at > ${DateTime.toDateUtc(history)} and ${found(query)}
              and ${optional(Option.getOrUndefined(before), (id) => sql`d.id < ${id}`)}`
          const { event_type, status = "pending" } = query
          const page = event_type === undefined && status === "pending"
            ? sql`
              select d.*, true as passes, false as is_last from webhook_deliveries d where ${wanted}
              order by d.id desc limit ${query.limit + 1}`
            : passing(wanted, query)
          const rows = yield* sql`
            select ${deliveryColumns(sql, bodies)}, d.passes, d.is_last from (${page}) d order by d.id desc
          `.pipe(Effect.flatMap(decodeRead))
          return {
            deliveries: rows.filter(({ passes }) => passes).map(Struct.omit(["passes", "is_last"])),
            read_to: rows.find(({ is_last }) => is_last)?.id
          }
        },
        Effect.orDie
      )

      // Each read is one statement, which sees one moment: a result or an erasure is in all of it or in none.
      const payload = (bodies: DateTime.Utc) =>
        sql`(
          select convert_from(m.body, 'UTF8') from webhook_messages m
          where m.club_id = d.club_id and m.id = d.event_id and m.created_at > ${DateTime.toDateUtc(bodies)}
            and not d.body_erased and d.created_at > ${DateTime.toDateUtc(bodies)}
        )`

      const detail = Effect.fn("HistoryRepo.detail")(function*(lane: LaneName, id: DeliveryId) {
        const { attempts: oldest, bodies, history } = yield* ages
        const from = idsFrom(DateTime.max(oldest, timeOf(id)))
        const rows = yield* sql`
          select ${deliveryColumns(sql, bodies)}, ${payload(bodies)} as payload, (
            select coalesce(json_agg(a order by a.id), '[]') from (
              select id, delivery_id, number, trigger, started_at, duration_ms, status_code, error, response_body,
                retry_after_seconds
              from webhook_attempts
              where club_id = d.club_id and delivery_id = d.id and id >= ${floorOf(from)}::uuid
                and started_at > ${DateTime.toDateUtc(oldest)}
              order by id desc limit ${shownAttempts}
            ) a
          ) as attempts
          from webhook_deliveries d
          where ${of(lane)} and d.id = ${id} and d.created_at > ${DateTime.toDateUtc(history)}`
        return Option.fromUndefinedOr((yield* decodeDetail(rows))[0])
      }, Effect.orDie)

      const ofEvent = Effect.fn("HistoryRepo.ofEvent")(function*(club_id: ClubId, event_id: EventId) {
        const { bodies, history } = yield* ages
        const oldest = DateTime.max(history, timeOf(event_id))
        const rows = yield* sql`
          select ${deliveryColumns(sql, bodies)},
            case when row_number() over (order by d.id) = 1 then ${payload(bodies)} end as payload
          from webhook_deliveries d
          where d.club_id = ${club_id} and d.event_id = ${event_id} and d.id >= ${floorOf(idsFrom(oldest))}::uuid
            and d.created_at > ${DateTime.toDateUtc(history)}
          order by d.id`
        return yield* decodeOfEvent(rows)
      }, Effect.orDie)

      const stats = Effect.fn("HistoryRepo.stats")(function*(lane: LaneName, from: DateTime.Utc) {
        const [counts] = yield* sql`
          with summed as materialized (
            select d.status, d.last_duration_ms, row_number() over (order by d.id desc) as place from webhook_deliveries d
            where ${of(lane)} and d.id >= ${floorOf(idsFrom(from))}::uuid and d.created_at >= ${
          DateTime.toDateUtc(from)
        }
            order by d.id desc limit ${summedDeliveries + 1}
          )
          select (select count(*) from summed) > ${summedDeliveries} as capped,
            count(*) filter (where status = 'succeeded')::int as succeeded,
            count(*) filter (where status = 'failed')::int as failed,
            count(*) filter (where status = 'canceled')::int as canceled,
            count(*) filter (where status = 'pending')::int as pending,
            percentile_disc(0.5) within group (order by last_duration_ms) as p50_ms,
            percentile_disc(0.95) within group (order by last_duration_ms) as p95_ms
          from summed where place <= ${summedDeliveries}`.pipe(Effect.flatMap(decodeCounts))
        return counts
      }, Effect.orDie)

      // As workers take it: what has grown too old to be sent is not part of it.
      const queue = Effect.fn("HistoryRepo.queue")(function*(lane: LaneName) {
        const { queue: oldest } = yield* ages
        const owed = sql`
          ${owedOf(sql, lane)} and d.id >= ${floorOf(idsFrom(oldest))}::uuid
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

      return HistoryRepo.of({ list, detail, ofEvent, stats, queue })
    })
  )
}
