import { Context, DateTime, Effect, Layer, Option, Schema, Struct } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { EventId } from "../../../events/EventType.ts"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { InstantOrNull } from "../../../platform/schema/Instant.ts"
import { scanning } from "../../../platform/sql/ReadLane.ts"
import { first, one, rows } from "../../../platform/sql/Rows.ts"
import { floorOf, timeOf } from "../../../platform/sql/Uuid7.ts"
import type { LaneName } from "../../engine/lane/LaneChanges.ts"
import { EndpointStatus } from "../../model/EndpointStatus.ts"
import { earliestIdTime } from "../../model/IdTimes.ts"
import { makeRetentionCutoffs } from "../../model/RetentionCutoffs.ts"
import type { WebhookDeliveryId } from "../../model/WebhookDeliveryId.ts"
import { headersWith } from "../../send/AttemptHeaders.ts"
import {
  type DeliveryQuery,
  WebhookAttempt,
  WebhookCounts,
  WebhookDelivery,
  type WebhookDeliveryDetail,
  WebhookEvent
} from "./Delivery.ts"
import { deliveryColumns } from "./DeliveryColumns.ts"
import {
  filtered,
  indexed,
  isFiltered,
  isNamed,
  named,
  optional,
  scanned,
  scannedForWaiting,
  whole
} from "./DeliveryConditions.ts"
import { decodePage, mostScanned, type ReadPage } from "./ReadPage.ts"

/** Attempts of one delivery that are shown at most, the newest. */
const mostAttempts = 100

/** The most deliveries that statistics count, the newest. */
const mostCounted = 100_000

const Payload = Schema.NullOr(Schema.fromJsonString(Schema.Json))
const InstantText = Schema.NullOr(Schema.DateTimeUtcFromString)
const DeliveryOfEvent = Schema.Struct({
  ...WebhookDelivery.fields,
  payload: Payload,
  /** The fields of its endpoint that explain why it was not accepted. Null if it was. */
  endpoint: Schema.NullOr(Schema.Struct({
    status: EndpointStatus,
    hold_until: InstantText,
    /** The end of the receiver's last certificate. */
    certificate_ends_at: InstantText
  }))
})
const Detail = Schema.Struct({
  ...WebhookDelivery.fields,
  payload: Payload,
  /** The end of the receiver's last certificate, if the last attempt failed at TLS. */
  certificate_ends_at: InstantOrNull,
  body_sha256: WebhookAttempt.fields.body_sha256,
  attempts: Schema.Array(Schema.Struct({
    ...Struct.omit(WebhookAttempt.fields, ["request_headers", "body_sha256"]),
    started_at: Schema.DateTimeUtcFromString,
    certificate_ends_at: InstantText,
    signature: Schema.NullOr(Schema.String)
  }))
})

/** An event that has a body and no delivery. */
const UnwantedEvent = Schema.Struct({
  ...Struct.omit(WebhookEvent.fields, ["deliveries", "diagnoses"]),
  payload: Payload
})

const withHeaders = ({ attempts, body_sha256, ...delivery }: typeof Detail.Type): StoredDetail => ({
  ...delivery,
  attempts: attempts.map(({ signature, ...attempt }) => ({
    ...attempt,
    request_headers: signature === null ? null : headersWith(delivery.event_id, attempt.started_at, signature),
    body_sha256: signature === null ? null : body_sha256
  }))
})

/** A delivery with its attempts, without what they mean, and what says that. */
type StoredDetail = Omit<WebhookDeliveryDetail, "diagnosis"> & Pick<typeof Detail.Type, "certificate_ends_at">

const decodeOfEvent = rows(DeliveryOfEvent)
const decodeDetail = first(Detail)
const decodeUnwanted = first(UnwantedEvent)
const decodeCounts = one(WebhookCounts)

/** Deliveries and their results. Rows past their age never appear, even before their deletion. */
export class DeliveryHistoryRepo extends Context.Service<DeliveryHistoryRepo, {
  /**
   * The newest first, from the one before `before` on; one more than the limit if there are more. Scans 25 000 at most,
   * and 5 000 of the queue for pending deliveries, in some milliseconds. `read_to` is the last scanned one, if there
   * may be more and the page is not full.
   */
  list(lane: LaneName, query: DeliveryQuery, before: Option.Option<string>): Effect.Effect<ReadPage>
  /**
   * A delivery at one moment, with its payload, which is null once it is erased or past its age, and its newest attempts,
   * oldest first.
   */
  detail(lane: LaneName, id: WebhookDeliveryId): Effect.Effect<Option.Option<StoredDetail>>
  /** The deliveries to all endpoints, deleted ones too, oldest first, at one moment. Only the first has the payload. */
  ofEvent(club_id: ClubId, event_id: EventId): Effect.Effect<ReadonlyArray<typeof DeliveryOfEvent.Type>>
  /**
   * An event that no endpoint wanted, as long as its body is kept. `None` if it has a delivery, or is not an event of
   * the club.
   */
  unwanted(club_id: ClubId, event_id: EventId): Effect.Effect<Option.Option<typeof UnwantedEvent.Type>>
  /** Counts the deliveries created from this moment on, at most the newest 100 000. */
  stats(lane: LaneName, from: DateTime.Utc): Effect.Effect<typeof WebhookCounts.Type>
}>()("turma/webhooks/history/delivery/DeliveryHistoryRepo") {
  static readonly layer = Layer.effect(
    DeliveryHistoryRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const cutoffs = yield* makeRetentionCutoffs

      const ofLane = ({ club_id, endpoint_id }: LaneName) =>
        sql`d.club_id = ${club_id} and d.endpoint_id = ${endpoint_id}`

      const list = Effect.fn("DeliveryHistoryRepo.list")(function*(
        lane: LaneName,
        query: DeliveryQuery,
        before: Option.Option<string>
      ) {
        const { bodies, history } = yield* cutoffs
        const oldest = DateTime.max(history, query.since ?? history)
        const placed = sql`
            d.id >= ${floorOf(earliestIdTime(oldest))}::uuid and d.created_at > ${DateTime.toDateUtc(history)}
              and ${optional(sql, Option.getOrUndefined(before), (id) => sql`d.id < ${id}`)}`
        const rows = sql`${placed} and ${indexed(sql, query)}`
        const wanted = sql`${ofLane(lane)} and ${rows}`
        const bounds = { limit: query.limit, most: sql`${mostScanned}` }
        const keys = isNamed(query)
          ? scanned(
            sql,
            sql`d.club_id = ${lane.club_id} and ${placed} and ${named(sql, query)}`,
            sql`(d.endpoint_id = ${lane.endpoint_id} and ${filtered(sql, query)})`,
            bounds
          )
          : query.status === "pending"
          ? scannedForWaiting(sql, { ofLane: ofLane(lane), rows, passes: filtered(sql, query) }, bounds)
          : isFiltered(query)
          ? scanned(sql, wanted, filtered(sql, query), bounds)
          : undefined
        const page = keys !== undefined ? whole(sql, lane.club_id, keys) : sql`
            select d.*, true as passes, false as is_last from webhook_deliveries d where ${wanted}
            order by d.id desc limit ${query.limit + 1}`
        const read = sql`
            select ${deliveryColumns(sql, bodies)}, d.passes, d.is_last from (${page}) d order by d.id desc
          `.pipe(decodePage)
        return yield* (isFiltered(query) ? scanning(read) : read)
      })

      // Each read is one statement, which sees one moment: all of its parts have a result or an erasure, or no part has
      // it.
      const ofBody = (value: Statement.Fragment, bodies: DateTime.Utc) =>
        sql`(
          select ${value} from webhook_messages m
          where m.club_id = d.club_id and m.id = d.event_id and m.created_at > ${DateTime.toDateUtc(bodies)}
            and not d.body_erased and d.created_at > ${DateTime.toDateUtc(bodies)}
        )`

      const certificate = sql`
        case when d.last_error = 'tls' then (
          select l.certificate_ends_at from webhook_lanes l where l.club_id = d.club_id and l.endpoint_id = d.endpoint_id
        ) end as certificate_ends_at`

      // One value for each row, read by keys alone.
      const endpoint = sql`
        case when d.status <> 'succeeded' then (
          select json_build_object(
            'status', e.status, 'hold_until', l.hold_until, 'certificate_ends_at', l.certificate_ends_at
          )
          from webhook_endpoints e join webhook_lanes l on l.club_id = e.club_id and l.endpoint_id = e.id
          where e.club_id = d.club_id and e.id = d.endpoint_id
        ) end as endpoint`

      const payload = (bodies: DateTime.Utc) => ofBody(sql`convert_from(m.body, 'UTF8')`, bodies)

      const detail = Effect.fn("DeliveryHistoryRepo.detail")(function*(lane: LaneName, id: WebhookDeliveryId) {
        const { attempts: oldest, bodies, history } = yield* cutoffs
        const from = earliestIdTime(DateTime.max(oldest, timeOf(id)))
        const found = yield* sql`
          select ${deliveryColumns(sql, bodies)}, ${certificate}, ${payload(bodies)} as payload,
            ${ofBody(sql`encode(sha256(m.body), 'hex')`, bodies)} as body_sha256, (
            select coalesce(json_agg(a order by a.id), '[]') from (
              select id, delivery_id, number, trigger, started_at, duration_ms, status_code, error, response_body,
                retry_after_seconds, connection_reused, peer_address, tls_version, certificate_ends_at,
                case when not d.body_erased then signature end as signature,
                case when num_nonnulls(lookup_ms, connect_ms, tls_ms, send_ms, wait_ms, read_ms) > 0
                  then json_build_object(
                    'lookup_ms', lookup_ms, 'connect_ms', connect_ms, 'tls_ms', tls_ms, 'send_ms', send_ms,
                    'wait_ms', wait_ms, 'read_ms', read_ms
                  )
                end as phases
              from webhook_attempts
              where club_id = d.club_id and delivery_id = d.id and id >= ${floorOf(from)}::uuid
                and started_at > ${DateTime.toDateUtc(oldest)}
              order by id desc limit ${mostAttempts}
            ) a
          ) as attempts
          from webhook_deliveries d
          where ${ofLane(lane)} and d.id = ${id} and d.created_at > ${DateTime.toDateUtc(history)}`.pipe(decodeDetail)
        return Option.map(found, withHeaders)
      })

      const ofEvent = Effect.fn("DeliveryHistoryRepo.ofEvent")(function*(club_id: ClubId, event_id: EventId) {
        const { bodies, history } = yield* cutoffs
        const oldest = DateTime.max(history, timeOf(event_id))
        return yield* sql`
          select ${deliveryColumns(sql, bodies)}, ${endpoint},
            case when row_number() over (order by d.id) = 1 then ${payload(bodies)} end as payload
          from webhook_deliveries d
          where d.club_id = ${club_id} and d.event_id = ${event_id} and d.id >= ${floorOf(earliestIdTime(oldest))}::uuid
            and d.created_at > ${DateTime.toDateUtc(history)}
          order by d.id`.pipe(decodeOfEvent)
      })

      const unwanted = Effect.fn("DeliveryHistoryRepo.unwanted")(function*(club_id: ClubId, event_id: EventId) {
        const { bodies } = yield* cutoffs
        return yield* sql`
          select m.id, m.type, m.student_id, m.created_at, m.body is null as payload_purged,
            convert_from(m.body, 'UTF8') as payload
          from webhook_messages m
          where m.club_id = ${club_id} and m.id = ${event_id} and m.created_at > ${DateTime.toDateUtc(bodies)}
            and not exists (select from webhook_deliveries d where d.club_id = ${club_id} and d.event_id = ${event_id})
        `.pipe(decodeUnwanted)
      })

      const stats = Effect.fn("DeliveryHistoryRepo.stats")(function*(lane: LaneName, from: DateTime.Utc) {
        return yield* sql`
          with counted as materialized (
            select d.status, d.last_duration_ms, row_number() over (order by d.id desc) as place from webhook_deliveries d
            where ${ofLane(lane)} and d.id >= ${floorOf(earliestIdTime(from))}::uuid and d.created_at >=
            ${DateTime.toDateUtc(from)}
            order by d.id desc limit ${mostCounted + 1}
          )
          select (select count(*) from counted) > ${mostCounted} as capped,
            count(*) filter (where status = 'succeeded')::int as succeeded,
            count(*) filter (where status = 'failed')::int as failed,
            count(*) filter (where status = 'canceled')::int as canceled,
            count(*) filter (where status = 'pending')::int as pending,
            percentile_disc(0.5) within group (order by last_duration_ms) as p50_ms,
            percentile_disc(0.95) within group (order by last_duration_ms) as p95_ms
          from counted where place <= ${mostCounted}`.pipe(decodeCounts, scanning)
      })

      return DeliveryHistoryRepo.of({ list, detail, ofEvent, unwanted, stats })
    })
  )
}
