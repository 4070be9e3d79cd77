import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { EventId } from "../../../events/EventType.ts"
import { ClubId } from "../../../identity/ids/ClubId.ts"
import type { StudentId } from "../../../identity/ids/StudentId.ts"
import { blobs, booleans, instants, texts, uuids, withoutLastNulls } from "../../../platform/sql/Arrays.ts"
import { rows } from "../../../platform/sql/Rows.ts"
import { floorOf } from "../../../platform/sql/Uuid7.ts"
import type { KeptTrace } from "../../../platform/tracing/KeptTrace.ts"
import { StoredFilter } from "../../endpoint/filter/StoredFilter.ts"
import { EndpointId } from "../../model/EndpointId.ts"
import { numberIn, positionOf } from "../../model/FeedPosition.ts"
import type { WebhookDeliveryId } from "../../model/WebhookDeliveryId.ts"

/** An endpoint that gets new deliveries. */
export const Receiver = Schema.Struct({
  club_id: ClubId,
  id: EndpointId,
  status: Schema.Literals(["enabled", "paused"]),
  event_types: Schema.Array(Schema.String),
  filter: StoredFilter,
  /** The endpoint's place in the order of facts and endpoints. Null before it has one. */
  place: Schema.NullOr(Schema.Int)
})
export type Receiver = typeof Receiver.Type

/** An event, and its body as it will be sent, in bytes. Null if the body is past its age already. */
export interface NewEvent {
  readonly club_id: ClubId
  readonly id: EventId
  readonly type: string
  readonly student_id: StudentId
  readonly occurred_at: DateTime.Utc
  readonly body: Uint8Array | null
  /** The trace of its request or work. */
  readonly trace: KeptTrace
}

/** A message on its way to one endpoint. */
export interface NewDelivery {
  readonly club_id: ClubId
  readonly endpoint_id: EndpointId
  readonly id: WebhookDeliveryId
  readonly event_id: EventId
  readonly event_type: string
  readonly student_id: StudentId
  /** Its body would be past its age already, so it is not sent. */
  readonly expired: boolean
}

/** The statements of an assembly, in the transaction of its batch. */
export class AssemblyRepo extends Context.Service<AssemblyRepo, {
  /**
   * The endpoints of these clubs that list one of these types and are enabled or paused. Their rows are locked: they stay
   * so until the transaction ends.
   */
  lockReceivers(clubs: ReadonlyArray<ClubId>, types: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<Receiver>>
  /**
   * Gives each event the next place in the feed of its club, in the order of their ids. Writes the messages of those
   * with a body. Locks the ends of these feeds, club after club, until the transaction ends: so nobody reads a place
   * before all earlier ones. Call it once in a transaction, since two calls would lock in no order.
   */
  insertEvents(events: ReadonlyArray<NewEvent>, created_at: DateTime.Utc): Effect.Effect<void>
  /** Due at once. */
  insertDeliveries(deliveries: ReadonlyArray<NewDelivery>, created_at: DateTime.Utc): Effect.Effect<void>
}>()("turma/webhooks/events/assembly/AssemblyRepo") {
  static readonly layer = Layer.effect(
    AssemblyRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const decodeReceivers = rows(Receiver)

      const lockReceivers = Effect.fnUntraced(function*(clubs: ReadonlyArray<ClubId>, types: ReadonlyArray<string>) {
        return yield* sql`
            select club_id, id, status, event_types, filter, place::float8 as place from webhook_endpoints
            where club_id = any(${uuids(clubs)}) and event_types && ${texts(types)}
              and status in ('enabled', 'paused') and deleted_at is null
            order by club_id, id
            for share`.pipe(decodeReceivers)
      })

      const insertEvents = Effect.fnUntraced(
        function*(events: ReadonlyArray<NewEvent>, created_at: DateTime.Utc) {
          const at = sql`${DateTime.toDateUtc(created_at)}::timestamptz`
          const end = positionOf(
            sql,
            sql`greatest(feed.position, excluded.position)`,
            sql`${numberIn(sql, sql`feed.position`)} + ${numberIn(sql, sql`excluded.position`)}`
          )
          const position = positionOf(
            sql,
            sql`ends.position`,
            sql`${numberIn(sql, sql`ends.position`)} - counted.count
              + row_number() over (partition by new.club_id order by new.id)`
          )
          yield* sql`
            with new as materialized (
              select * from unnest(
                ${uuids(events.map(({ club_id }) => club_id))}, ${uuids(events.map(({ id }) => id))},
                ${texts(events.map(({ type }) => type))}, ${uuids(events.map(({ student_id }) => student_id))},
                ${instants(events.map(({ occurred_at }) => occurred_at))}, ${blobs(events.map(({ body }) => body))},
                ${blobs(withoutLastNulls(events.map(({ trace }) => trace)))}
              ) as new (club_id, id, type, student_id, occurred_at, body, trace)
            ), counted as materialized (
              select club_id, count(*) as count from new group by club_id
            ), ends as (
              insert into webhook_feeds as feed (club_id, position)
              select club_id,
              ${positionOf(sql, sql`${floorOf(created_at)}::uuid`, sql`count`)} from counted order by club_id
              on conflict (club_id) do update set position = ${end}
              returning club_id, position
            ), messages as (
              insert into webhook_messages (club_id, id, type, student_id, occurred_at, created_at, body, trace)
              select club_id, id, type, student_id, occurred_at, ${at}, body, trace from new where body is not null
            )
            insert into webhook_feed_events (club_id, position, event_id, type, student_id, occurred_at, created_at)
            select new.club_id, ${position}, new.id, new.type, new.student_id, new.occurred_at, ${at}
            from new join counted using (club_id) join ends using (club_id)`
        },
        Effect.orDie
      )

      const insertDeliveries = Effect.fnUntraced(
        function*(deliveries: ReadonlyArray<NewDelivery>, created_at: DateTime.Utc) {
          const at = sql`${DateTime.toDateUtc(created_at)}::timestamptz`
          yield* sql`
            insert into webhook_deliveries (
              club_id, endpoint_id, id, event_id, event_type, student_id, status, cancel_reason, body_erased, trigger,
              next_attempt_at, created_at, finished_at
            )
            select club_id, endpoint_id, id, event_id, event_type, student_id,
              case when expired then 'canceled' else 'pending' end, case when expired then 'expired' end, expired,
              'schedule', case when not expired then ${at} end, ${at}, case when expired then ${at} end
            from unnest(
              ${uuids(deliveries.map(({ club_id }) => club_id))},
              ${uuids(deliveries.map(({ endpoint_id }) => endpoint_id))},
              ${uuids(deliveries.map(({ id }) => id))}, ${uuids(deliveries.map(({ event_id }) => event_id))},
              ${texts(deliveries.map(({ event_type }) => event_type))},
              ${uuids(deliveries.map(({ student_id }) => student_id))},
              ${booleans(deliveries.map(({ expired }) => expired))}
            ) as new (club_id, endpoint_id, id, event_id, event_type, student_id, expired)`
        },
        Effect.orDie
      )

      return AssemblyRepo.of({ lockReceivers, insertEvents, insertDeliveries })
    })
  )
}
