import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClubId } from "../../identity/ids/ClubId.ts"
import { floorOf } from "../../platform/sql/Uuid7.ts"
import { idsTo } from "../delivery/Ages.ts"
import { owedOf } from "../delivery/Owed.ts"
import type { LaneName } from "../dispatch/LaneChanges.ts"
import { EndpointId } from "../endpoint/EndpointId.ts"

/** Rows in one statement at most: none of them holds locks for long. */
export const batch = 5000

const decodeLanes = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ club_id: ClubId, endpoint_id: EndpointId }))
)

/** What age ends. Each answers how many rows it changed, at most a batch, and passes over rows that others hold. */
export class RetentionRepo extends Context.Service<RetentionRepo, {
  /** Endpoints that are disabled or deleted and whose queue is not empty. */
  abandoned(): Effect.Effect<ReadonlyArray<LaneName>>
  /** Cancels deliveries that are pending and were created by then (contract, Delivery: `expired`). */
  expire(created: DateTime.Utc): Effect.Effect<number>
  /** Finished deliveries created by then get no further attempt that a person asked for. */
  forgetOwed(created: DateTime.Utc): Effect.Effect<number>
  /** Removes endpoints deleted by then, with their lanes, that no delivery names any more. */
  removeEndpoints(deleted: DateTime.Utc): Effect.Effect<number>
  /** Removes secrets that a rotation replaced and that have signed until then. */
  removeSecrets(expired: DateTime.Utc): Effect.Effect<number>
}>()("turma/webhooks/RetentionRepo") {
  static readonly layer = Layer.effect(
    RetentionRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const now = Effect.map(DateTime.now, DateTime.toDateUtc)

      /** Deliveries that are owed an attempt and were created by then, held. */
      const owed = (created: DateTime.Utc) =>
        sql`
          select club_id, endpoint_id, id from webhook_deliveries
          where next_attempt_at is not null
            and id < ${floorOf(idsTo(created))}::uuid
            and created_at <= ${DateTime.toDateUtc(created)}`

      const expire = Effect.fn("RetentionRepo.expire")(function*(created: DateTime.Utc) {
        const expired = yield* sql`
          with old as materialized (${owed(created)} and status = 'pending' limit ${batch} for update skip locked)
          update webhook_deliveries d
          set status = 'canceled', cancel_reason = 'expired', finished_at = ${yield* now}, next_attempt_at = null
          from old where d.club_id = old.club_id and d.endpoint_id = old.endpoint_id and d.id = old.id
          returning 1`
        return expired.length
      }, Effect.orDie)

      const forgetOwed = Effect.fn("RetentionRepo.forgetOwed")(function*(created: DateTime.Utc) {
        const forgotten = yield* sql`
          with old as materialized (${owed(created)} and status <> 'pending' limit ${batch} for update skip locked)
          update webhook_deliveries d set next_attempt_at = null
          from old where d.club_id = old.club_id and d.endpoint_id = old.endpoint_id and d.id = old.id
          returning 1`
        return forgotten.length
      }, Effect.orDie)

      const removeEndpoints = Effect.fn("RetentionRepo.removeEndpoints")(function*(deleted: DateTime.Utc) {
        const removed = yield* sql`
          with old as materialized (
            select e.club_id, e.id from webhook_endpoints e
            where e.deleted_at <= ${DateTime.toDateUtc(deleted)} and not exists (
              select from webhook_deliveries d where d.club_id = e.club_id and d.endpoint_id = e.id
            )
            order by e.club_id, e.id limit ${batch} for update skip locked
          ), lanes as (
            delete from webhook_lanes l using old where l.club_id = old.club_id and l.endpoint_id = old.id
          )
          delete from webhook_endpoints e using old where e.club_id = old.club_id and e.id = old.id
          returning 1`
        return removed.length
      }, Effect.orDie)

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

      // The sweep is for what a process left behind that died between two pieces, so they are few.
      const abandoned = Effect.fn("RetentionRepo.abandoned")(function*() {
        const rows = yield* sql`
          select e.club_id, e.id as endpoint_id from webhook_endpoints e
          where (e.status = 'disabled' or e.deleted_at is not null) and exists (
            select from webhook_deliveries d
            where ${owedOf(sql, { club_id: sql`e.club_id`, endpoint_id: sql`e.id` })}
          )`
        return yield* decodeLanes(rows)
      }, Effect.orDie)

      return RetentionRepo.of({ abandoned, expire, forgetOwed, removeEndpoints, removeSecrets })
    })
  )
}
