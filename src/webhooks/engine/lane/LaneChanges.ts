import { Context, DateTime, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { Instant } from "../../../platform/schema/Instant.ts"
import { one } from "../../../platform/sql/Rows.ts"
import type { EndpointId } from "../../model/EndpointId.ts"
import { type LaneLimits, noLimits } from "../../model/LaneLimits.ts"

/** The channel on which workers hear that a lane has something to do. */
export const lanesChannel = "turma_webhook_lanes"

const decodeOldest = one(Schema.Struct({ oldest: Schema.OptionFromNullOr(Instant) }))

/** How what waited is sent: attempts a second at most, and how many were due. */
export interface Drain {
  readonly rate: number
  readonly total: number
}

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
  open(lane: LaneName, limits?: LaneLimits): Effect.Effect<void>
  /** The lane of a new listener: leased for good, to the listener itself. No worker claims it, and no wake makes it due. */
  openForListener(lane: LaneName): Effect.Effect<void>
  /**
   * Something is due in lanes of enabled endpoints. Requests of a person do not wait for a hold. The caller has locked
   * the endpoints' rows, at least for share.
   */
  wake(lanes: ReadonlyArray<LaneName>, options: { readonly requested: boolean }): Effect.Effect<void>
  /** Sets the limits in `limits`. False if that changes nothing. */
  limit(lane: LaneName, limits: Partial<LaneLimits>): Effect.Effect<boolean>
  /**
   * The endpoint is enabled: its queue is due, and the breaker is normal again. With a drain, the lane is sent to no faster
   * than at its rate until all that is due now has been sent once.
   */
  enable(lane: LaneName, drain?: Drain | null): Effect.Effect<void>
  /** Changes the rate of the current drain. False without a drain. */
  changeDrain(lane: LaneName, rate: number): Effect.Effect<boolean>
  /** Ends the current drain: its deliveries go out as fast as the others. False without a drain. */
  endDrain(lane: LaneName): Effect.Effect<boolean>
  /** The endpoint is paused, disabled or deleted: nothing is due until it is enabled, and nothing is drained. */
  suspend(lane: LaneName): Effect.Effect<void>
  /**
   * Tells the worker of the lane to read the endpoint again: its address, types or secrets have changed. A new address
   * clears the end of the last certificate.
   */
  touch(lane: LaneName, options?: { readonly isElsewhere: boolean }): Effect.Effect<void>
  /**
   * Readiness: since when the lane that has waited longest for a worker has been due. Lanes that a worker has do not
   * count.
   */
  readonly oldestDue: Effect.Effect<Option.Option<DateTime.Utc>>
}>()("turma/webhooks/engine/lane/LaneChanges") {
  static readonly layer = Layer.effect(
    LaneChanges,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const now = Effect.map(DateTime.now, DateTime.toDateUtc)

      const open = Effect.fn("LaneChanges.open")(function*(
        { club_id, endpoint_id }: LaneName,
        { max_in_flight, max_per_second }: LaneLimits = noLimits
      ) {
        yield* sql`insert into webhook_lanes ${sql.insert({ club_id, endpoint_id, max_per_second, max_in_flight })}`
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

      const limit = Effect.fn("LaneChanges.limit")(function*(
        { club_id, endpoint_id }: LaneName,
        { max_in_flight, max_per_second }: Partial<LaneLimits>
      ) {
        const rows = yield* sql`
          with wanted as materialized (
            select club_id, endpoint_id,
              case when ${max_per_second === undefined} then l.max_per_second else
              ${max_per_second ?? null}::int end as max_per_second,
              case when ${max_in_flight === undefined} then l.max_in_flight else
              ${max_in_flight ?? null}::int end as max_in_flight
            from webhook_lanes l where club_id = ${club_id} and endpoint_id = ${endpoint_id}
            for no key update
          )
          update webhook_lanes l
          set max_per_second = wanted.max_per_second, max_in_flight = wanted.max_in_flight, wakes = wakes + 1
          from wanted where l.club_id = wanted.club_id and l.endpoint_id = wanted.endpoint_id
            and (l.max_per_second, l.max_in_flight) is distinct from (wanted.max_per_second, wanted.max_in_flight)
          returning 1`
        return rows.length > 0
      }, Effect.orDie)

      const enable = Effect.fn("LaneChanges.enable")(function*(
        { club_id, endpoint_id }: LaneName,
        drain: Drain | null = null
      ) {
        const at = yield* now
        const drained = drain === null
          ? sql`drain_rate = null, drain_until = null`
          : sql`
            drain_rate = ${drain.rate}, drain_until = ${at}, drain_begun_at = ${at}, drain_total = ${drain.total},
            drain_ended_at = null, drain_canceled = null`
        yield* sql`
          with woken as (
            update webhook_lanes
            set wakes = wakes + 1, breaker_epoch = breaker_epoch + 1, consecutive_failures = 0, holds = 0,
              hold_until = null, held_since = null, failing_since = null, rests = false, ${drained},
              due_at = case when lease_id is null then ${at}::timestamptz else due_at end
            where club_id = ${club_id} and endpoint_id = ${endpoint_id}
            returning 1
          )
          select pg_notify(${lanesChannel}, '') from woken`
      }, Effect.orDie)

      const changeDrain = Effect.fn("LaneChanges.changeDrain")(
        function*({ club_id, endpoint_id }: LaneName, rate: number) {
          const rows = yield* sql`
            update webhook_lanes set drain_rate = ${rate}, wakes = wakes + 1
            where club_id = ${club_id} and endpoint_id = ${endpoint_id} and drain_rate is not null
            returning 1`
          return rows.length > 0
        },
        Effect.orDie
      )

      const endDrain = Effect.fn("LaneChanges.endDrain")(function*({ club_id, endpoint_id }: LaneName) {
        const rows = yield* sql`
          update webhook_lanes
          set drain_rate = null, drain_until = null, drain_ended_at = ${yield* now}, drain_canceled = true, wakes = wakes + 1
          where club_id = ${club_id} and endpoint_id = ${endpoint_id} and drain_rate is not null
          returning 1`
        return rows.length > 0
      }, Effect.orDie)

      const suspend = Effect.fn("LaneChanges.suspend")(function*({ club_id, endpoint_id }: LaneName) {
        const at = yield* now
        yield* sql`
          with suspended as (
            update webhook_lanes
            set wakes = wakes + 1, rests = true, drain_rate = null, drain_until = null,
              drain_ended_at = case when drain_rate is null then drain_ended_at else ${at}::timestamptz end,
              drain_canceled = case when drain_rate is null then drain_canceled else true end,
              due_at = case when lease_id is null then null else due_at end
            where club_id = ${club_id} and endpoint_id = ${endpoint_id}
            returning 1
          )
          select pg_notify(${lanesChannel}, '') from suspended`
      }, Effect.orDie)

      const touch = Effect.fn("LaneChanges.touch")(function*(
        { club_id, endpoint_id }: LaneName,
        { isElsewhere }: { readonly isElsewhere: boolean } = { isElsewhere: false }
      ) {
        yield* sql`
          update webhook_lanes
          set wakes = wakes + 1, certificate_ends_at = case when not ${isElsewhere}::boolean then certificate_ends_at end
          where club_id = ${club_id} and endpoint_id = ${endpoint_id}`
      }, Effect.orDie)

      const oldestDue = Effect.gen(function*() {
        const { oldest } = yield* sql`
          select min(due_at) as oldest from webhook_lanes where due_at <= ${yield* now}`.pipe(decodeOldest)
        return oldest
      })

      return LaneChanges.of({
        open,
        openForListener,
        wake,
        limit,
        enable,
        changeDrain,
        endDrain,
        suspend,
        touch,
        oldestDue
      })
    })
  )
}
