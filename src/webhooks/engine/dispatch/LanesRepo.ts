import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { ClockGuard } from "../../../platform/jobs/ClockGuard.ts"
import type { WorkQueue } from "../../../platform/jobs/WorkQueue.ts"
import { Instant } from "../../../platform/schema/Instant.ts"
import { uuids } from "../../../platform/sql/Arrays.ts"
import { groupCommit } from "../../../platform/sql/GroupCommit.ts"
import { Partitions } from "../../../platform/sql/Partitions.ts"
import { PooledRandomLayer } from "../../../platform/sql/PooledRandom.ts"
import { one, rows } from "../../../platform/sql/Rows.ts"
import { isTraced } from "../../../platform/tracing/KeptTrace.ts"
import type { EndpointId } from "../../model/EndpointId.ts"
import type { WebhookDeliveryId } from "../../model/WebhookDeliveryId.ts"
import { longestWait, WebhookRules } from "../../model/WebhookSettings.ts"
import { attemptsTable } from "../../model/WebhookTables.ts"
import type { LaneName } from "../lane/LaneChanges.ts"
import { recordBatch } from "./DispatchMetrics.ts"
import { laneLimits } from "./laneLimits.ts"
import {
  ClaimedLane,
  keyOf,
  LaneState,
  Lease,
  type Release,
  type Settlement,
  TakenDelivery,
  type TakeRequest,
  type TakeResult
} from "./Lease.ts"
import { sentLeases } from "./leaseArrays.ts"
import { releaseStatement } from "./releaseStatement.ts"
import { lanesOf, settleStatement } from "./settleStatement.ts"
import { takeStatement } from "./takeStatement.ts"
import { leaseOfWorker, workerMark } from "./WorkerOfLease.ts"

const decodeClaimed = rows(ClaimedLane)
const decodeLeases = rows(Lease)
const decodeOwned = rows(Schema.Struct({ lane: Schema.Int }))
const ofRequest = { number: Schema.Int }
const decodeLanes = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ ...ofRequest, state: LaneState })))
const decodeDeliveries = Schema
  .decodeUnknownEffect(Schema.Array(Schema.Struct({ ...ofRequest, ...TakenDelivery.fields })))
const decodeWithoutBody = Schema
  .decodeUnknownEffect(Schema.Array(Schema.Struct({ ...ofRequest, id: TakenDelivery.fields.id })))
const decodeDue = one(Schema.Struct({ due_at: Schema.OptionFromNullOr(Instant) }))

/** The lanes with something to do, and those whose lease ends. */
export const waitingLanes: WorkQueue = {
  name: "webhook_lanes",
  waiting: (sql) => sql`from webhook_lanes where due_at is not null`,
  nextDue: (sql) => sql`(select min(due_at) from webhook_lanes where due_at is not null)`
}

interface DeliveryName extends LaneName {
  readonly id: WebhookDeliveryId
}

/** Lanes or attempts in one statement at most. */
const batch = 512

/** The lanes that a worker does not claim: lanes of clubs that have their share, and its own. */
export interface ClaimExclusions {
  readonly clubs: ReadonlyArray<ClubId>
  readonly endpoints: ReadonlyArray<EndpointId>
}

const nothing: ClaimExclusions = { clubs: [], endpoints: [] }

/**
 * The lanes as workers see them. Every write is a compare-and-set on the lease. If our clock differs from the
 * database's, nothing is claimed, taken, settled, extended or released: a lease or a wait would get a wrong end. Leased
 * lanes then end as if their worker had died.
 */
export class LanesRepo extends Context.Service<LanesRepo, {
  /** Claims up to `limit` lanes that are due, longest due first. */
  claim(limit: number, except?: ClaimExclusions): Effect.Effect<ReadonlyArray<ClaimedLane>>
  /** Extends the leases. Answers those that are still leased. */
  heartbeat(leases: ReadonlyArray<Lease>): Effect.Effect<ReadonlyArray<Lease>>
  /** Reads a lane and what may be started in it. Fibers that ask together share a statement, as in the next two. */
  take(request: TakeRequest): Effect.Effect<TakeResult>
  /** Commits attempt, delivery and breaker together. False, and nothing is written, once the lease is lost. */
  settle(settlement: Settlement): Effect.Effect<boolean>
  /**
   * Releases the lane. False, and it stays leased, if something woke it since the last take, or if the lease is lost.
   */
  release(release: Release): Effect.Effect<boolean>
  /** Ends the drain: all deliveries that waited at the enabling have started, and its rate no longer counts. */
  endDrain(lease: Lease, drain_until: DateTime.Utc): Effect.Effect<void>
  /** The time when the next lane is due, or when the next lease ends. `None` if no lane has work. */
  nextDue(except: ClaimExclusions): Effect.Effect<Option.Option<DateTime.Utc>>
}>()("turma/webhooks/engine/dispatch/LanesRepo") {
  static readonly layerNoDeps = Layer.effect(
    LanesRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const partitions = yield* Partitions
      const rules = yield* WebhookRules
      const guard = yield* ClockGuard
      const queueAge = longestWait(rules)
      const traced = isTraced(yield* Effect.context())
      const mark = workerMark(process.pid, yield* random.uuidV4())
      const leaseEnd = Effect.map(DateTime.now, (now) => DateTime.toDateUtc(DateTime.addDuration(now, rules.lease)))

      // A lane that this worker holds becomes due when its lease could not be extended. It is not claimed a second time.
      const isClaimable = ({ clubs, endpoints }: ClaimExclusions) =>
        sql`club_id <> all(${uuids(clubs)}) and endpoint_id <> all(${uuids(endpoints)})`

      const claim = Effect.fn("LanesRepo.claim")(function*(limit: number, except: ClaimExclusions = nothing) {
        if (!(yield* guard.agrees)) return []
        return yield* sql`
          with due as materialized (
            select club_id, endpoint_id, lease_id is not null as taken_over from webhook_lanes
            where due_at <= ${DateTime.toDateUtc(yield* DateTime.now)} and ${isClaimable(except)}
            order by due_at
            limit ${limit}
            for update skip locked
          )
          update webhook_lanes l set lease_id =
          ${leaseOfWorker(yield* random.uuidV7(), mark)}, due_at = ${yield* leaseEnd}
          from due where l.club_id = due.club_id and l.endpoint_id = due.endpoint_id
          returning l.club_id, l.endpoint_id, l.lease_id, l.wakes::text, l.breaker_epoch, l.consecutive_failures, l.holds,
            l.hold_until, l.failing_since,
            ${laneLimits(sql)} || jsonb_build_object(
              'taken_over', due.taken_over, 'full_at', l.tokens_full_at, 'recovery_full_at', l.recovery_full_at
            ) as limits
        `.pipe(decodeClaimed)
      }, Effect.orDie)

      const heartbeat = Effect.fn("LanesRepo.heartbeat")(function*(leases: ReadonlyArray<Lease>) {
        // These leases run out. They are not lost yet: no other worker has them.
        if (leases.length === 0 || !(yield* guard.agrees)) return leases
        // A row that is locked is passed over: nobody can claim the lane meanwhile, so it is not lost.
        return yield* sql`
          with asked as materialized (
            select l.club_id, l.endpoint_id, l.lease_id
            from ${sentLeases(sql, leases)} join webhook_lanes l using (club_id, endpoint_id, lease_id)
          ), locked as materialized (
            select l.club_id, l.endpoint_id from asked
            join webhook_lanes l using (club_id, endpoint_id, lease_id)
            order by l.club_id, l.endpoint_id
            for update of l skip locked
          ), extended as (
            update webhook_lanes l set due_at = ${yield* leaseEnd}
            from locked where l.club_id = locked.club_id and l.endpoint_id = locked.endpoint_id
          )
          select club_id, endpoint_id, lease_id from asked`.pipe(decodeLeases)
      }, Effect.orDie)

      // A delivery that was assembled long after its fact may outlive its message. In the queue, workers would take it
      // again and again.
      const expire = Effect.fnUntraced(function*(deliveries: ReadonlyArray<DeliveryName>) {
        if (deliveries.length === 0) return
        const at = DateTime.toDateUtc(yield* DateTime.now)
        yield* sql`
          update webhook_deliveries d
          set next_attempt_at = null, body_erased = true,
            status = case when d.status = 'pending' then 'canceled' else d.status end,
            cancel_reason = case when d.status = 'pending' then 'expired' else d.cancel_reason end,
            finished_at = coalesce(d.finished_at, ${at}::timestamptz)
          from (
            select d.club_id, d.endpoint_id, d.id
            from unnest(
              ${uuids(deliveries.map(({ club_id }) => club_id))},
              ${uuids(deliveries.map(({ endpoint_id }) => endpoint_id))}, ${uuids(deliveries.map(({ id }) => id))}
            ) as sent (club_id, endpoint_id, id)
            join webhook_deliveries d using (club_id, endpoint_id, id)
            order by d.id
            for update of d skip locked
          ) expired
          where d.club_id = expired.club_id and d.endpoint_id = expired.endpoint_id and d.id = expired.id
            and d.next_attempt_at is not null`
      })

      const take = groupCommit<TakeRequest, TakeResult>({
        atOnce: 3,
        limit: batch,
        run: Effect.fn("LanesRepo.take")(function*(requests) {
          yield* recordBatch("take", requests.length)
          if (!(yield* guard.agrees)) return requests.map(() => Option.none())
          const oldest = DateTime.subtractDuration(yield* guard.ageing, queueAge)
          const taken = yield* takeStatement(sql, requests, { now: yield* DateTime.now, oldest, traced })
          // The attempts are signed and timed by our clock.
          if (!(yield* guard.agrees)) return requests.map(() => Option.none())
          const withoutBody = yield* decodeWithoutBody(taken.filter(({ body, id }) => id !== null && body === null))
          yield* expire(withoutBody.flatMap(({ id, number }) =>
            requests.slice(number, number + 1).map(({ lease }) => ({ ...lease, id }))
          ))
          const lanes = new Map((yield* decodeLanes(taken.filter(({ id }) =>
            id === null
          ))).map(({ number, state }) => [number, state]))
          const deliveries = Map.groupBy(
            yield* decodeDeliveries(taken.filter(({ body }) =>
              body !== null
            )),
            ({ number }) => number
          )
          return requests.map((_, number) =>
            Option.map(
              Option.fromUndefinedOr(lanes.get(number)),
              (lane) => ({ lane, deliveries: deliveries.get(number) ?? [] })
            )
          )
        }, Effect.orDie)
      })

      const settle = groupCommit<Settlement, boolean>({
        limit: batch,
        run: Effect.fn("LanesRepo.settle")(function*(settlements) {
          yield* recordBatch("settle", settlements.length)
          if (!(yield* guard.agrees)) return settlements.map(() => false)
          yield* partitions.ensure([attemptsTable], yield* DateTime.now)
          const lanes = lanesOf(settlements)
          const owned = new Set((yield* settleStatement(sql, settlements, lanes).pipe(decodeOwned)).map(({ lane }) =>
            lane
          ))
          return lanes.numbers.map((number) => owned.has(number))
        }, Effect.orDie)
      })

      const release = groupCommit<Release, boolean>({
        limit: batch,
        run: Effect.fn("LanesRepo.release")(function*(releases) {
          yield* recordBatch("release", releases.length)
          if (!(yield* guard.agrees)) return releases.map(() => false)
          const oldest = DateTime.subtractDuration(yield* guard.ageing, queueAge)
          const leases = yield* releaseStatement(sql, releases, yield* DateTime.now, oldest).pipe(decodeLeases)
          const released = new Set(leases.map(keyOf))
          return releases.map(({ lease }) => released.has(keyOf(lease)))
        }, Effect.orDie)
      })

      const endDrain = Effect.fn("LanesRepo.endDrain")(
        function*({ club_id, endpoint_id, lease_id }: Lease, drain_until: DateTime.Utc) {
          yield* sql`
            update webhook_lanes
            set drain_rate = null, drain_until = null, drain_ended_at = ${DateTime.toDateUtc(yield* DateTime.now)},
              drain_canceled = false
            where club_id = ${club_id} and endpoint_id = ${endpoint_id} and lease_id = ${lease_id}
              and drain_until = ${DateTime.toDateUtc(drain_until)}`
        },
        Effect.orDie
      )

      const nextDue = Effect.fnUntraced(function*(except: ClaimExclusions) {
        if (!(yield* guard.agrees)) return Option.none()
        const { due_at } = yield* sql`
          select min(due_at) as due_at from webhook_lanes
          where due_at is not null and ${isClaimable(except)}`.pipe(decodeDue)
        return due_at
      })

      return LanesRepo.of({ claim, heartbeat, take, settle, release, endDrain, nextDue })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(PooledRandomLayer))
}
