import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { audited } from "../../../identity/audit/AuditFragment.ts"
import { scanning } from "../../../platform/sql/ReadLane.ts"
import { one, rows } from "../../../platform/sql/Rows.ts"
import { floorOf } from "../../../platform/sql/Uuid7.ts"
import type { LaneName } from "../../engine/lane/LaneChanges.ts"
import { inBatch, lockedBatch } from "../../engine/queue/DeliveryBatch.ts"
import { earliestIdTime } from "../../model/IdTimes.ts"
import { makeRetentionCutoffs } from "../../model/RetentionCutoffs.ts"
import { WebhookDeliveryId } from "../../model/WebhookDeliveryId.ts"
import { Recoverable } from "./Delivery.ts"

/** Deliveries that one statement of a preview looks at, at most. */
const previewBatch = 10_000

/** Batches of a preview, at most. */
export const mostPreviewBatches = 10

const Counted = Schema.Struct({
  failed: Recoverable.fields.failed,
  endpoint_disabled: Recoverable.fields.endpoint_disabled,
  student_removed: Schema.Int,
  expired: Schema.Int,
  payload_purged: Schema.Int,
  oldest_created_at: Recoverable.fields.oldest_created_at,
  newest_created_at: Recoverable.fields.newest_created_at,
  /** The last one of a whole batch; null after the last batch. */
  last: Schema.NullOr(WebhookDeliveryId)
})

const decodeIds = rows(Schema.Struct({ id: WebhookDeliveryId }))
const decodeCounted = one(Counted)

/** The deliveries that a recovery sends again (contract, Delivery behavior 8), to change them or to count them. */
export class RecoverRepo extends Context.Service<RecoverRepo, {
  /**
   * Makes deliveries created since then pending again for one attempt, if they have a body and failed, or were canceled
   * because the endpoint was disabled. Changes one batch, after the given id, and answers its ids in order: fewer than
   * `batchSize` for the last batch. Of two callers at once, each delivery is changed by one. The caller has locked the
   * endpoint's row and woken its lane.
   */
  recover(
    lane: LaneName,
    since: DateTime.Utc,
    after: Option.Option<WebhookDeliveryId>
  ): Effect.Effect<ReadonlyArray<WebhookDeliveryId>>
  /** Counts one batch of what failed or was canceled since then, after the given id. */
  count(
    lane: LaneName,
    since: DateTime.Utc,
    after: Option.Option<WebhookDeliveryId>
  ): Effect.Effect<typeof Counted.Type>
}>()("turma/webhooks/history/delivery/RecoverRepo") {
  static readonly layer = Layer.effect(
    RecoverRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const cutoffs = yield* makeRetentionCutoffs

      /** Failed and canceled deliveries, in the order of an index of their own. */
      const unsent = (
        { club_id, endpoint_id }: LaneName,
        since: DateTime.Utc,
        after: Option.Option<WebhookDeliveryId>
      ) => {
        const from = Option.match(after, {
          onNone: () => sql`d.id >= ${floorOf(earliestIdTime(since))}::uuid`,
          onSome: (id) => sql`d.id > ${id}::uuid`
        })
        return sql`
          d.club_id = ${club_id} and d.endpoint_id = ${endpoint_id} and ${from}
            and d.status in ('failed', 'canceled') and d.created_at >= ${DateTime.toDateUtc(since)}`
      }

      const mayBeSent = sql`(d.status = 'failed' or d.cancel_reason = 'endpoint_disabled')`
      const hasBody = (bodies: DateTime.Utc) =>
        sql`(d.created_at > ${DateTime.toDateUtc(bodies)} and not d.body_erased)`

      const recover = Effect.fn("RecoverRepo.recover")(function*(
        lane: LaneName,
        since: DateTime.Utc,
        after: Option.Option<WebhookDeliveryId>
      ) {
        const { bodies, now } = yield* cutoffs
        const from = DateTime.max(since, bodies)
        const recoverable = sql`${unsent(lane, from, after)} and ${mayBeSent} and ${hasBody(bodies)} order by d.id`
        const recovered = yield* audited((audit) =>
          sql`
            ${lockedBatch(sql, recoverable, audit.before)}
            update webhook_deliveries d
            set status = 'pending', cancel_reason = null, finished_at = null, once = true, trigger = 'recover',
              recovery_id = null,
              next_attempt_at = ${DateTime.toDateUtc(now)}
            from batch where ${inBatch(sql)}
            returning d.id`
        ).pipe(decodeIds)
        return recovered.map(({ id }) => id).toSorted()
      })

      const count = Effect.fn("RecoverRepo.count")(function*(
        lane: LaneName,
        since: DateTime.Utc,
        after: Option.Option<WebhookDeliveryId>
      ) {
        const { bodies } = yield* cutoffs
        return yield* sql`
          with unsent as materialized (
            select d.id, d.status, d.cancel_reason, d.created_at, ${mayBeSent} as wanted,
            ${hasBody(bodies)} as has_body,
              row_number() over (order by d.id) as place
            from webhook_deliveries d where ${unsent(lane, since, after)} order by d.id limit ${previewBatch}
          )
          select count(*) filter (where wanted and has_body and status = 'failed')::int as failed,
            count(*) filter (where wanted and has_body and status = 'canceled')::int as endpoint_disabled,
            count(*) filter (where cancel_reason = 'student_removed')::int as student_removed,
            count(*) filter (where cancel_reason = 'expired')::int as expired,
            count(*) filter (where wanted and not has_body)::int as payload_purged,
            min(created_at) filter (where wanted and has_body) as oldest_created_at,
            max(created_at) filter (where wanted and has_body) as newest_created_at,
            (select id from unsent where place = ${previewBatch}) as last
          from unsent`.pipe(decodeCounted, scanning)
      })

      return RecoverRepo.of({ recover, count })
    })
  )
}
