import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClubId } from "../../../identity/ids/ClubId.ts"
import type { PartitionRange } from "../../../platform/sql/Partitions.ts"
import { rows } from "../../../platform/sql/Rows.ts"
import { floorOf } from "../../../platform/sql/Uuid7.ts"
import { EndpointId } from "../../model/EndpointId.ts"
import { latestIdTime } from "../../model/IdTimes.ts"
import type { LaneName } from "../lane/LaneChanges.ts"
import { inQueue } from "../queue/InQueue.ts"

/** Rows that one statement changes at most, so that its locks are short. */
export const batch = 5000

const decodeLanes = rows(Schema.Struct({ club_id: ClubId, endpoint_id: EndpointId }))

/** The statements of `Retention`. Each answers how many rows it changed, at most a batch, and skips locked rows. */
export class RetentionRepo extends Context.Service<RetentionRepo, {
  /** True if a message with an id of this range was created later. */
  hasMessages(range: PartitionRange, later: DateTime.Utc): Effect.Effect<boolean>
  /** Endpoints that are disabled or deleted and whose queue is not empty. */
  lanesToCancel(): Effect.Effect<ReadonlyArray<LaneName>>
  /** Cancels deliveries that are pending and were created by then (contract, Delivery: `expired`). */
  expire(created: DateTime.Utc): Effect.Effect<number>
  /** Clears `next_attempt_at` of finished deliveries created by then: the attempt that a person asked for is not made. */
  endResends(created: DateTime.Utc): Effect.Effect<number>
  /** Removes endpoints deleted by then, and after `since`, that have no deliveries (any more), with their lanes. */
  removeEndpoints(deleted: DateTime.Utc, since?: DateTime.Utc): Effect.Effect<number>
  /** Removes counts of attempts of quarters of an hour that had begun by then. */
  removeCounts(ended: DateTime.Utc): Effect.Effect<number>
  /** Removes notices sent by then. */
  removeNotices(told: DateTime.Utc): Effect.Effect<number>
  /** Removes recoveries begun by then. */
  removeRecoveries(made: DateTime.Utc): Effect.Effect<number>
  /** Removes previous secrets that expired by then. */
  removeSecrets(expired: DateTime.Utc): Effect.Effect<number>
}>()("turma/webhooks/engine/retention/RetentionRepo") {
  static readonly layer = Layer.effect(
    RetentionRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const now = Effect.map(DateTime.now, DateTime.toDateUtc)

      const hasMessages = Effect.fn("RetentionRepo.hasMessages")(
        function*({ from, to }: PartitionRange, later: DateTime.Utc) {
          const found = yield* sql`
          select 1 from webhook_messages
          where id >= ${floorOf(from)}::uuid and id < ${floorOf(to)}::uuid and created_at > ${DateTime.toDateUtc(later)}
          limit 1`
          return found.length > 0
        },
        Effect.orDie
      )

      /** Deliveries with a next attempt that were created by then. */
      const queuedBefore = (created: DateTime.Utc) =>
        sql`
          select club_id, endpoint_id, id from webhook_deliveries
          where next_attempt_at is not null
            and id < ${floorOf(latestIdTime(created))}::uuid
            and created_at <= ${DateTime.toDateUtc(created)}`

      const expire = Effect.fn("RetentionRepo.expire")(function*(created: DateTime.Utc) {
        const expired = yield* sql`
          with old as materialized (
          ${queuedBefore(created)} and status = 'pending' limit ${batch} for update skip locked)
          update webhook_deliveries d
          set status = 'canceled', cancel_reason = 'expired', finished_at = ${yield* now}, next_attempt_at = null
          from old where d.club_id = old.club_id and d.endpoint_id = old.endpoint_id and d.id = old.id
          returning 1`
        return expired.length
      }, Effect.orDie)

      const endResends = Effect.fn("RetentionRepo.endResends")(function*(created: DateTime.Utc) {
        const cleared = yield* sql`
          with old as materialized (
          ${queuedBefore(created)} and status <> 'pending' limit ${batch} for update skip locked)
          update webhook_deliveries d set next_attempt_at = null
          from old where d.club_id = old.club_id and d.endpoint_id = old.endpoint_id and d.id = old.id
          returning 1`
        return cleared.length
      }, Effect.orDie)

      const removeEndpoints = Effect.fn("RetentionRepo.removeEndpoints")(
        function*(deleted: DateTime.Utc, since?: DateTime.Utc) {
          const later = since === undefined ? sql`true` : sql`e.deleted_at > ${DateTime.toDateUtc(since)}`
          const removed = yield* sql`
          with old as materialized (
            select e.club_id, e.id from webhook_endpoints e
            where e.deleted_at <= ${DateTime.toDateUtc(deleted)} and ${later} and not exists (
              select from webhook_deliveries d where d.club_id = e.club_id and d.endpoint_id = e.id
            )
            order by e.club_id, e.id limit ${batch} for update skip locked
          ), notices as (
            delete from webhook_notices n using old where n.club_id = old.club_id and n.endpoint_id = old.id
          ), recoveries as (
            delete from webhook_recoveries r using old where r.club_id = old.club_id and r.endpoint_id = old.id
          ), counts as (
            delete from webhook_counts c using old where c.club_id = old.club_id and c.endpoint_id = old.id
          ), lanes as (
            delete from webhook_lanes l using old where l.club_id = old.club_id and l.endpoint_id = old.id
          )
          delete from webhook_endpoints e using old where e.club_id = old.club_id and e.id = old.id
          returning 1`
          return removed.length
        },
        Effect.orDie
      )

      const removeSecrets = Effect.fn("RetentionRepo.removeSecrets")(function*(expired: DateTime.Utc) {
        const removed = yield* sql`
          with old as materialized (
            select club_id, endpoint_id, number from webhook_previous_secrets
            where expires_at <= ${DateTime.toDateUtc(expired)}
            limit ${batch} for update skip locked
          )
          delete from webhook_previous_secrets p using old
          where p.club_id = old.club_id and p.endpoint_id = old.endpoint_id and p.number = old.number
          returning 1`
        return removed.length
      }, Effect.orDie)

      /** Removes rows of an endpoint's table whose time had come by then, a batch at most. `key` names a row of the endpoint. */
      const removing = (
        name: string,
        { at, key, table }: { readonly at: string; readonly key: string; readonly table: string }
      ) =>
        Effect.fn(`RetentionRepo.${name}`)(function*(until: DateTime.Utc) {
          const removed = yield* sql`
            with old as materialized (
              select club_id, endpoint_id, ${sql(key)} as key from ${sql(table)}
              where ${sql(at)} <= ${DateTime.toDateUtc(until)}
              order by ${sql(at)} limit ${batch} for update skip locked
            )
            delete from ${sql(table)} t using old
            where t.club_id = old.club_id and t.endpoint_id = old.endpoint_id and t.${sql(key)} = old.key
            returning 1`
          return removed.length
        }, Effect.orDie)

      const removeCounts = removing("removeCounts", { table: "webhook_counts", key: "at", at: "at" })
      const removeNotices = removing("removeNotices", { table: "webhook_notices", key: "day", at: "at" })
      const removeRecoveries = removing("removeRecoveries", {
        table: "webhook_recoveries",
        key: "id",
        at: "created_at"
      })

      // Only a process that died between two batches leaves a queue behind, so they are few.
      const lanesToCancel = Effect.fn("RetentionRepo.lanesToCancel")(function*() {
        return yield* sql`
          select e.club_id, e.id as endpoint_id from webhook_endpoints e
          where (e.status = 'disabled' or e.deleted_at is not null) and exists (
            select from webhook_deliveries d
            where ${inQueue(sql, { club_id: sql`e.club_id`, endpoint_id: sql`e.id` })}
          )`.pipe(decodeLanes)
      })

      return RetentionRepo.of({
        hasMessages,
        lanesToCancel,
        expire,
        endResends,
        removeEndpoints,
        removeCounts,
        removeNotices,
        removeRecoveries,
        removeSecrets
      })
    })
  )
}
