import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { first } from "../../../platform/sql/Rows.ts"
import { EndpointStatus } from "../../model/EndpointStatus.ts"
import type { LaneName } from "../lane/LaneChanges.ts"
import { batchSize } from "./DeliveryBatch.ts"
import { DeliveryQueueRepo } from "./DeliveryQueueRepo.ts"

const decodeEndpoint = first(Schema.Struct({ status: EndpointStatus, is_deleted: Schema.Boolean }))

/**
 * Empties the queues of endpoints that are disabled or deleted (contract, Delivery). Works in batches, the first of them
 * with the change of the endpoint: however long a queue is, its rows are never locked for long.
 */
export class QueueCancellation extends Context.Service<QueueCancellation, {
  /** The first batch, in the caller's transaction, which has locked the endpoint. */
  begin(lane: LaneName, reason: "endpoint_disabled" | "endpoint_deleted"): Effect.Effect<void>
  /** The rest, each batch in a transaction of its own, for as long as the endpoint stays as it is. */
  finish(lane: LaneName): Effect.Effect<void>
}>()("turma/webhooks/engine/queue/QueueCancellation") {
  static readonly layerNoDeps = Layer.effect(
    QueueCancellation,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const queue = yield* DeliveryQueueRepo

      // A worker that looks at them cancels them; those that were never started, or rest, would wait for a look for ever.
      const recoveriesAreDue = Effect.fnUntraced(function*({ club_id, endpoint_id }: LaneName) {
        const at = DateTime.toDateUtc(yield* DateTime.now)
        yield* sql`
          update webhook_recoveries set due_at = ${at}
          where club_id = ${club_id} and endpoint_id = ${endpoint_id} and finished_at is null`
      }, Effect.orDie)

      const begin = (lane: LaneName, reason: "endpoint_disabled" | "endpoint_deleted") =>
        Effect.andThen(recoveriesAreDue(lane), Effect.asVoid(queue.cancel(lane, reason)))

      // The endpoint is locked, so it stays disabled or deleted until the batch is canceled.
      const cancelBatch = Effect.fnUntraced(function*(lane: LaneName) {
        const endpoint = yield* sql`
          select status, deleted_at is not null as is_deleted from webhook_endpoints
          where club_id = ${lane.club_id} and id = ${lane.endpoint_id} for update`.pipe(decodeEndpoint)
        if (Option.isNone(endpoint)) return 0
        const { is_deleted, status } = endpoint.value
        if (status !== "disabled" && !is_deleted) return 0
        // The lane is locked before its deliveries, as everywhere, so that two transactions never wait for each other.
        yield* sql`
          select from webhook_lanes where club_id = ${lane.club_id} and endpoint_id = ${lane.endpoint_id} for update`
        return yield* queue.cancel(lane, is_deleted ? "endpoint_deleted" : "endpoint_disabled")
      }, sql.withTransaction)

      const finish = Effect.fn("QueueCancellation.finish")(
        (lane: LaneName) => Effect.repeat(cancelBatch(lane), { while: (canceled) => canceled === batchSize }),
        Effect.asVoid,
        Effect.orDie
      )

      return QueueCancellation.of({ begin, finish })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(DeliveryQueueRepo.layer))
}
