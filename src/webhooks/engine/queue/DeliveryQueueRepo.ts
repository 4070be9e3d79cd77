import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { scanning } from "../../../platform/sql/ReadLane.ts"
import { one } from "../../../platform/sql/Rows.ts"
import { floorOf } from "../../../platform/sql/Uuid7.ts"
import { earliestIdTime } from "../../model/IdTimes.ts"
import { makeRetentionCutoffs } from "../../model/RetentionCutoffs.ts"
import type { LaneName } from "../lane/LaneChanges.ts"
import { inBatch, lockedBatch } from "./DeliveryBatch.ts"
import { inQueue } from "./InQueue.ts"
import { QueueState, queueState } from "./QueueState.ts"

/** Deliveries of a queue that are counted at most. */
export const countedDeliveries = 10_000

const decodeQueue = one(QueueState)
const decodeCount = one(Schema.Struct({ count: Schema.Int }))

/** The deliveries of a lane that have a next attempt. */
export class DeliveryQueueRepo extends Context.Service<DeliveryQueueRepo, {
  /**
   * Takes deliveries out of the queue. A pending one is canceled. A finished one keeps its status and loses the attempt
   * that a person asked for. Changes one batch in the caller's transaction, which has locked the endpoint. Answers how
   * many it changed: fewer than `batchSize` in the last batch.
   */
  cancel(lane: LaneName, reason: "endpoint_disabled" | "endpoint_deleted"): Effect.Effect<number>
  /** Number of pending deliveries. */
  countPending(lane: LaneName): Effect.Effect<number>
  /** Number of due deliveries, at most `countedDeliveries`. */
  countDue(lane: LaneName): Effect.Effect<number>
  read(lane: LaneName): Effect.Effect<QueueState>
}>()("turma/webhooks/engine/queue/DeliveryQueueRepo") {
  static readonly layer = Layer.effect(
    DeliveryQueueRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const cutoffs = yield* makeRetentionCutoffs

      const cancel = Effect.fn("DeliveryQueueRepo.cancel")(
        function*(lane: LaneName, reason: "endpoint_disabled" | "endpoint_deleted") {
          const { history, now } = yield* cutoffs
          const queued = sql`
            ${inQueue(sql, lane)} and d.id >= ${floorOf(earliestIdTime(history))}::uuid order by d.id`
          const canceled = yield* sql`
            ${lockedBatch(sql, queued)}
            update webhook_deliveries d
            set next_attempt_at = null,
              status = case when d.status = 'pending' then 'canceled' else d.status end,
              cancel_reason = case when d.status = 'pending' then ${reason} else d.cancel_reason end,
              finished_at = coalesce(d.finished_at, ${DateTime.toDateUtc(now)})
            from batch where ${inBatch(sql)}
            returning 1`
          return canceled.length
        },
        Effect.orDie
      )

      const countPending = Effect.fn("DeliveryQueueRepo.countPending")(function*(lane: LaneName) {
        const { history } = yield* cutoffs
        const { count } = yield* sql`
          select count(*)::int as count from webhook_deliveries d
          where ${inQueue(sql, lane)} and d.status = 'pending'
            and d.id >= ${floorOf(earliestIdTime(history))}::uuid`.pipe(decodeCount)
        return count
      })

      const countDue = Effect.fn("DeliveryQueueRepo.countDue")(function*(lane: LaneName) {
        const { now, queue: oldest } = yield* cutoffs
        const { count } = yield* sql`
          select count(*)::int as count from (
            select from webhook_deliveries d
            where ${inQueue(sql, lane)} and d.next_attempt_at <= ${DateTime.toDateUtc(now)}
              and d.id >= ${floorOf(earliestIdTime(oldest))}::uuid and d.created_at > ${DateTime.toDateUtc(oldest)}
            order by d.next_attempt_at, d.id limit ${countedDeliveries}
          ) counted`.pipe(decodeCount)
        return count
      })

      const read = Effect.fn("DeliveryQueueRepo.read")(function*(lane: LaneName) {
        const { queue: oldest } = yield* cutoffs
        return yield* queueState(sql, lane, { oldest, counted: countedDeliveries }).pipe(decodeQueue, scanning)
      })

      return DeliveryQueueRepo.of({ cancel, countPending, countDue, read })
    })
  )
}
