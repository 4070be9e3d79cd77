import { Context, DateTime, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { one } from "../../platform/sql/Rows.ts"
import type { EndpointId } from "../model/EndpointId.ts"

/** The channel on which workers hear that a lane has something to do. */
export const lanesChannel = "turma_webhook_lanes"

const decodeOldest = one(Schema.Struct({ oldest: Schema.OptionFromNullOr(Schema.DateTimeUtcFromDate) }))

/** A lane is named by its endpoint. */
export interface LaneName {
  readonly club_id: ClubId
  readonly endpoint_id: EndpointId
}

/**
 * Changes of lanes from outside the dispatcher, in the caller's transaction. Each change counts as a wake, so the worker
 * that has the lane sees it before giving the lane back. Workers are notified when the transaction commits.
 */
export class LaneChanges extends Context.Service<LaneChanges, {
  /** The lane of a new endpoint, with nothing to do. */
  open(lane: LaneName): Effect.Effect<void>
  /** The lane of a new listener: leased for good, to the listener itself. No worker claims it, and no wake makes it due. */
  openForListener(lane: LaneName): Effect.Effect<void>
  /**
   * Something is due in lanes of enabled endpoints. What a person requested does not wait for a hold. The caller has
   * locked the endpoints' rows, at least for share.
   */
  wake(lanes: ReadonlyArray<LaneName>, options: { readonly requested: boolean }): Effect.Effect<void>
  /** The endpoint is enabled: its queue is due, and the breaker is normal again. */
  enable(lane: LaneName): Effect.Effect<void>
  /** The endpoint is paused, disabled or deleted: nothing is due until it is enabled. */
  suspend(lane: LaneName): Effect.Effect<void>
  /** The worker that has the lane should read the endpoint again: its address, types or secrets have changed. */
  touch(lane: LaneName): Effect.Effect<void>
  /**
   * Readiness: since when the lane that has waited longest for a worker has been due. Lanes that a worker has do not
   * count.
   */
  readonly oldestDue: Effect.Effect<Option.Option<DateTime.Utc>>
}>()("turma/webhooks/lane/LaneChanges") {
  static readonly layer = Layer.effect(
    LaneChanges,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const now = Effect.map(DateTime.now, DateTime.toDateUtc)

      const open = Effect.fn("LaneChanges.open")(function*({ club_id, endpoint_id }: LaneName) {
        yield* sql`insert into webhook_lanes ${sql.insert({ club_id, endpoint_id })}`
      }, Effect.orDie)

      const openForListener = Effect.fn("LaneChanges.openForListener")(function*({ club_id, endpoint_id }: LaneName) {
        yield* sql`insert into webhook_lanes ${sql.insert({ club_id, endpoint_id, lease_id: endpoint_id })}`
      }, Effect.orDie)

      // Every statement that changes several lanes locks them in this order, so that there is no deadlock.
      const wake = Effect.fn("LaneChanges.wake")(function*(
        lanes: ReadonlyArray<LaneName>,
        { requested }: { readonly requested: boolean }
      ) {
        if (lanes.length === 0) return
        const at = yield* now
        const due = requested ? sql`${at}::timestamptz` : sql`greatest(l.hold_until, ${at}::timestamptz)`
        yield* sql`
          with locked as materialized (
            select l.club_id, l.endpoint_id
            from unnest(
              ${lanes.map(({ club_id }) => club_id)}::uuid[], ${lanes.map(({ endpoint_id }) => endpoint_id)}::uuid[]
            ) as sent (club_id, endpoint_id)
            join webhook_endpoints e
              on e.club_id = sent.club_id and e.id = sent.endpoint_id and e.status = 'enabled' and e.deleted_at is null
            join webhook_lanes l on l.club_id = sent.club_id and l.endpoint_id = sent.endpoint_id
            order by l.club_id, l.endpoint_id
            for update of l
          ), woken as (
            update webhook_lanes l
            set wakes = l.wakes + 1,
              due_at = case when l.lease_id is null then least(l.due_at, ${due}) else l.due_at end
            from locked where l.club_id = locked.club_id and l.endpoint_id = locked.endpoint_id
            returning 1
          )
          select pg_notify(${lanesChannel}, '') from (select from woken limit 1) any_woken`
      }, Effect.orDie)

      const enable = Effect.fn("LaneChanges.enable")(function*({ club_id, endpoint_id }: LaneName) {
        const at = yield* now
        yield* sql`
          with woken as (
            update webhook_lanes
            set wakes = wakes + 1, breaker_epoch = breaker_epoch + 1, consecutive_failures = 0, holds = 0,
              hold_until = null, held_since = null, failing_since = null, rests = false,
              due_at = case when lease_id is null then ${at}::timestamptz else due_at end
            where club_id = ${club_id} and endpoint_id = ${endpoint_id}
            returning 1
          )
          select pg_notify(${lanesChannel}, '') from woken`
      }, Effect.orDie)

      const suspend = Effect.fn("LaneChanges.suspend")(function*({ club_id, endpoint_id }: LaneName) {
        yield* sql`
          with suspended as (
            update webhook_lanes
            set wakes = wakes + 1, rests = true, due_at = case when lease_id is null then null else due_at end
            where club_id = ${club_id} and endpoint_id = ${endpoint_id}
            returning 1
          )
          select pg_notify(${lanesChannel}, '') from suspended`
      }, Effect.orDie)

      const touch = Effect.fn("LaneChanges.touch")(function*({ club_id, endpoint_id }: LaneName) {
        yield* sql`
          update webhook_lanes set wakes = wakes + 1 where club_id = ${club_id} and endpoint_id = ${endpoint_id}`
      }, Effect.orDie)

      const oldestDue = Effect.gen(function*() {
        const { oldest } = yield* sql`
          select min(due_at) as oldest from webhook_lanes where due_at <= ${yield* now}`.pipe(decodeOldest)
        return oldest
      })

      return LaneChanges.of({ open, openForListener, wake, enable, suspend, touch, oldestDue })
    })
  )
}
