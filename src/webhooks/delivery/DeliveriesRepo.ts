import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { EventId } from "../../events/EventType.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { floorOf } from "../../platform/sql/Uuid7.ts"
import type { LaneName } from "../dispatch/LaneChanges.ts"
import { agesOf, idsFrom } from "./Ages.ts"
import { WebhookDelivery } from "./Delivery.ts"
import { deliveryColumns } from "./DeliveryColumns.ts"
import { DeliveryId } from "./DeliveryId.ts"
import { owedOf } from "./Owed.ts"

/** The message of a test and its one delivery. */
interface NewTest {
  readonly delivery_id: DeliveryId
  readonly event_id: EventId
  readonly body: Uint8Array
  readonly at: DateTime.Utc
}

/** Deliveries that one statement changes at most, so that no lane and no worker waits long for its rows. */
export const pieceSize = 2000

const decodeDeliveries = Schema.decodeUnknownEffect(Schema.Array(WebhookDelivery))
const decodeIds = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: DeliveryId })))
const decodeCount = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ count: Schema.Int })]))

/**
 * What persons and the states of endpoints do to deliveries, in the caller's transaction. Who adds work holds the
 * endpoint's row and wakes its lane first: rows are locked in the order endpoints, lanes, deliveries everywhere.
 */
export class DeliveriesRepo extends Context.Service<DeliveriesRepo, {
  /** None once it is past its age. */
  find(lane: LaneName, id: DeliveryId): Effect.Effect<Option.Option<WebhookDelivery>>
  /** Due at once. */
  insertTest(lane: LaneName, test: NewTest): Effect.Effect<void>
  /**
   * Due at once, by a person's request: a pending delivery stays on its schedule, any other gets exactly one attempt and
   * keeps its status until that has ended. None without a body.
   */
  resend(lane: LaneName, id: DeliveryId): Effect.Effect<Option.Option<WebhookDelivery>>
  /**
   * Those created since then that failed, or were canceled because the endpoint was disabled, are pending again for one
   * attempt, if they have a body. A piece of them, those after the given one: answers which, in their order, fewer than
   * `pieceSize` for the last one. Two that do this at once change each delivery once.
   */
  recover(
    lane: LaneName,
    since: DateTime.Utc,
    after: Option.Option<DeliveryId>
  ): Effect.Effect<ReadonlyArray<DeliveryId>>
  /**
   * Nothing is owed any more: what is pending is canceled, and what is finished keeps its status without the attempt that
   * somebody asked for. A piece of the queue: says how many, fewer than `pieceSize` for the last one.
   */
  cancelQueue(lane: LaneName, reason: "endpoint_disabled" | "endpoint_deleted"): Effect.Effect<number>
  /** How many are pending. */
  countPending(lane: LaneName): Effect.Effect<number>
}>()("turma/webhooks/DeliveriesRepo") {
  static readonly layer = Layer.effect(
    DeliveriesRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const ages = yield* agesOf
      const now = Effect.map(DateTime.now, DateTime.toDateUtc)

      const of = ({ club_id, endpoint_id }: LaneName) => sql`d.club_id = ${club_id} and d.endpoint_id = ${endpoint_id}`

      const find = Effect.fn("DeliveriesRepo.find")(function*(lane: LaneName, id: DeliveryId) {
        const { bodies, history } = yield* ages
        const rows = yield* sql`
          select ${deliveryColumns(sql, bodies)} from webhook_deliveries d
          where ${of(lane)} and d.id = ${id} and d.created_at > ${DateTime.toDateUtc(history)}`
        return Option.fromUndefinedOr((yield* decodeDeliveries(rows))[0])
      }, Effect.orDie)

      const insertMessage = (club_id: ClubId, { at, body, event_id }: NewTest) => {
        const created_at = DateTime.toDateUtc(at)
        const message = { club_id, id: event_id, type: "webhook.test", occurred_at: created_at, created_at, body }
        return sql`insert into webhook_messages ${sql.insert(message)}`
      }

      const insertTest = Effect.fn("DeliveriesRepo.insertTest")(function*(lane: LaneName, test: NewTest) {
        yield* insertMessage(lane.club_id, test)
        const created_at = DateTime.toDateUtc(test.at)
        yield* sql`
          insert into webhook_deliveries ${
          sql.insert({
            club_id: lane.club_id,
            endpoint_id: lane.endpoint_id,
            id: test.delivery_id,
            event_id: test.event_id,
            event_type: "webhook.test",
            status: "pending",
            trigger: "test",
            next_attempt_at: created_at,
            created_at
          })
        }`
      }, Effect.orDie)

      // Reads what it changes as it is when the row is locked: a result or an erasure may have come first.
      const resend = Effect.fn("DeliveriesRepo.resend")(function*(lane: LaneName, id: DeliveryId) {
        const { bodies, now } = yield* ages
        const rows = yield* sql`
          update webhook_deliveries d
          set trigger = 'manual', once = d.once or d.status <> 'pending',
            next_attempt_at = least(d.next_attempt_at, ${DateTime.toDateUtc(now)}::timestamptz)
          where ${of(lane)} and d.id = ${id} and not d.body_erased and d.created_at > ${DateTime.toDateUtc(bodies)}
          returning ${deliveryColumns(sql, bodies)}`
        return Option.fromUndefinedOr((yield* decodeDeliveries(rows))[0])
      }, Effect.orDie)

      // A piece of the rows that are wanted, held: what is more waits for the next call, and others wait for nobody long.
      const piece = (wanted: Statement.Fragment) =>
        sql`
          with piece as materialized (
            select d.club_id, d.endpoint_id, d.id from webhook_deliveries d where ${wanted} limit ${pieceSize} for update
          )`
      const inPiece = sql`d.club_id = piece.club_id and d.endpoint_id = piece.endpoint_id and d.id = piece.id`

      const recover = Effect.fn("DeliveriesRepo.recover")(function*(
        lane: LaneName,
        since: DateTime.Utc,
        after: Option.Option<DeliveryId>
      ) {
        const { bodies, now } = yield* ages
        const from = Option.match(after, {
          onNone: () => sql`d.id >= ${floorOf(idsFrom(DateTime.max(since, bodies)))}::uuid`,
          onSome: (id) => sql`d.id > ${id}::uuid`
        })
        const wanted = sql`
          ${of(lane)} and ${from}
            and d.status in ('failed', 'canceled') and (d.status = 'failed' or d.cancel_reason = 'endpoint_disabled')
            and d.created_at >= ${DateTime.toDateUtc(since)} and d.created_at > ${DateTime.toDateUtc(bodies)}
            and not d.body_erased
          order by d.id`
        const recovered = yield* sql`
          ${piece(wanted)}
          update webhook_deliveries d
          set status = 'pending', cancel_reason = null, finished_at = null, once = true, trigger = 'recover',
            next_attempt_at = ${DateTime.toDateUtc(now)}
          from piece where ${inPiece}
          returning d.id`.pipe(Effect.flatMap(decodeIds))
        return recovered.map(({ id }) => id).toSorted()
      }, Effect.orDie)

      const cancelQueue = Effect.fn("DeliveriesRepo.cancelQueue")(
        function*(lane: LaneName, reason: "endpoint_disabled" | "endpoint_deleted") {
          const { history } = yield* ages
          const owed = sql`
            ${owedOf(sql, lane)} and d.id >= ${floorOf(idsFrom(history))}::uuid order by d.id`
          const canceled = yield* sql`
            ${piece(owed)}
            update webhook_deliveries d
            set next_attempt_at = null,
              status = case when d.status = 'pending' then 'canceled' else d.status end,
              cancel_reason = case when d.status = 'pending' then ${reason} else d.cancel_reason end,
              finished_at = coalesce(d.finished_at, ${yield* now})
            from piece where ${inPiece}
            returning 1`
          return canceled.length
        },
        Effect.orDie
      )

      const countPending = Effect.fn("DeliveriesRepo.countPending")(function*(lane: LaneName) {
        const { history } = yield* ages
        const [{ count }] = yield* sql`
          select count(*)::int as count from webhook_deliveries d
          where ${owedOf(sql, lane)} and d.status = 'pending'
            and d.id >= ${floorOf(idsFrom(history))}::uuid`.pipe(Effect.flatMap(decodeCount))
        return count
      }, Effect.orDie)

      return DeliveriesRepo.of({ find, insertTest, resend, recover, cancelQueue, countPending })
    })
  )
}
