import { Context, DateTime, Effect, Layer, type Option } from "effect"
import { SqlClient } from "effect/sql"
import type { EventId } from "../../../events/EventType.ts"
import { audited } from "../../../identity/audit/AuditFragment.ts"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { first } from "../../../platform/sql/Rows.ts"
import { keptTrace } from "../../../platform/tracing/KeptTrace.ts"
import type { LaneName } from "../../engine/lane/LaneChanges.ts"
import { makeRetentionCutoffs } from "../../model/RetentionCutoffs.ts"
import type { WebhookDeliveryId } from "../../model/WebhookDeliveryId.ts"
import { WebhookDelivery } from "./Delivery.ts"
import { deliveryColumns } from "./DeliveryColumns.ts"

/** The message of a test and its one delivery. */
interface NewTest {
  readonly delivery_id: WebhookDeliveryId
  readonly event_id: EventId
  readonly body: Uint8Array
  readonly at: DateTime.Utc
}

const decodeDelivery = first(WebhookDelivery)

/**
 * Changes of deliveries that persons ask for, in the caller's transaction. The caller first locks the endpoint's row and
 * wakes its lane: rows are locked in the order endpoints, lanes, deliveries everywhere.
 */
export class DeliveriesRepo extends Context.Service<DeliveriesRepo, {
  /** `None` once it is past its age. */
  find(lane: LaneName, id: WebhookDeliveryId): Effect.Effect<Option.Option<WebhookDelivery>>
  /** Due at once. */
  insertTest(lane: LaneName, test: NewTest): Effect.Effect<void>
  /**
   * Makes it due at once, for a person. A pending delivery stays on its schedule. Any other gets exactly one attempt
   * and keeps its status until that ends. `None` without a body.
   */
  resend(lane: LaneName, id: WebhookDeliveryId): Effect.Effect<Option.Option<WebhookDelivery>>
}>()("turma/webhooks/history/delivery/DeliveriesRepo") {
  static readonly layer = Layer.effect(
    DeliveriesRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const cutoffs = yield* makeRetentionCutoffs

      const ofLane = ({ club_id, endpoint_id }: LaneName) =>
        sql`d.club_id = ${club_id} and d.endpoint_id = ${endpoint_id}`

      const find = Effect.fn("DeliveriesRepo.find")(function*(lane: LaneName, id: WebhookDeliveryId) {
        const { bodies, history } = yield* cutoffs
        return yield* sql`
          select ${deliveryColumns(sql, bodies)} from webhook_deliveries d
          where ${ofLane(lane)} and d.id = ${id} and d.created_at > ${DateTime.toDateUtc(history)}`.pipe(decodeDelivery)
      })

      const insertMessage = Effect.fnUntraced(function*(club_id: ClubId, { at, body, event_id }: NewTest) {
        const created_at = DateTime.toDateUtc(at)
        const trace = yield* keptTrace
        const message = {
          club_id,
          id: event_id,
          type: "webhook.test",
          occurred_at: created_at,
          created_at,
          body,
          trace
        }
        yield* sql`insert into webhook_messages ${sql.insert(message)}`
      })

      const insertTest = Effect.fn("DeliveriesRepo.insertTest")(function*(lane: LaneName, test: NewTest) {
        yield* insertMessage(lane.club_id, test)
        const created_at = DateTime.toDateUtc(test.at)
        const row = {
          club_id: lane.club_id,
          endpoint_id: lane.endpoint_id,
          id: test.delivery_id,
          event_id: test.event_id,
          event_type: "webhook.test",
          status: "pending",
          trigger: "test",
          next_attempt_at: created_at,
          created_at
        }
        yield* audited((audit) => sql`${audit.with} insert into webhook_deliveries ${sql.insert(row)}`)
      }, Effect.orDie)

      // Reads the row as it is when it is locked: a result or an erasure may have come first.
      const resend = Effect.fn("DeliveriesRepo.resend")(function*(lane: LaneName, id: WebhookDeliveryId) {
        const { bodies, now } = yield* cutoffs
        return yield* audited((audit) =>
          sql`
            ${audit.with}
            update webhook_deliveries d
            set trigger = 'manual', recovery_id = null, once = d.once or d.status <> 'pending',
              next_attempt_at = least(d.next_attempt_at, ${DateTime.toDateUtc(now)}::timestamptz)
            where ${ofLane(lane)} and d.id = ${id} and not d.body_erased and d.created_at >
            ${DateTime.toDateUtc(bodies)}
            returning ${deliveryColumns(sql, bodies)}`
        ).pipe(decodeDelivery)
      })

      return DeliveriesRepo.of({ find, insertTest, resend })
    })
  )
}
