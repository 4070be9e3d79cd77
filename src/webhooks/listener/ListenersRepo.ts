import { Context, DateTime, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { audited } from "../../identity/audit/AuditFragment.ts"
import { ClubId } from "../../identity/ids/ClubId.ts"
import { Instant } from "../../platform/schema/Instant.ts"
import { texts, uuids } from "../../platform/sql/Arrays.ts"
import { first, one, rows } from "../../platform/sql/Rows.ts"
import { floorOf } from "../../platform/sql/Uuid7.ts"
import { type Settlement, TakenDelivery } from "../engine/dispatch/Lease.ts"
import { lanesOf, settleStatement } from "../engine/dispatch/settleStatement.ts"
import type { LaneName } from "../engine/lane/LaneChanges.ts"
import { inQueue } from "../engine/queue/InQueue.ts"
import { EndpointId } from "../model/EndpointId.ts"
import { earliestIdTime } from "../model/IdTimes.ts"
import { makeRetentionCutoffs } from "../model/RetentionCutoffs.ts"
import type { WebhookDeliveryId } from "../model/WebhookDeliveryId.ts"

/** The channel on which processes tell each other that a poll has begun to wait. */
export const pollsChannel = "turma_webhook_polls"

/** Listeners that one statement finds at most. */
const batch = 100

const Listening = Schema.Struct({ listening_until: Instant })

const LockedLane = Schema.Struct({ breaker_epoch: Schema.Int, consecutive_failures: Schema.Int })

const { attempts_count, id, once, status, step } = TakenDelivery.fields
/** A delivery as it is while the lane is locked: no other result of it is being recorded. */
const Owed = Schema.Struct({ id, attempts_count, once, status, step })
export type Owed = typeof Owed.Type

const decodeListening = first(Listening)
const decodeLane = first(LockedLane)
const decodeOwed = rows(Owed)
const decodeDue = one(Schema.Struct({ due_at: Schema.OptionFromNullOr(Instant) }))
const decodeIds = rows(Schema.Struct({ endpoint_id: EndpointId }))
const decodeLanes = rows(Schema.Struct({ club_id: ClubId, endpoint_id: EndpointId }))

/** A lane as it was when it was last read. */
export interface SeenLane extends LaneName {
  readonly wakes: string
}

/** Listeners and their lanes as those see them that poll. Deleted ones are never found. */
export class ListenersRepo extends Context.Service<ListenersRepo, {
  find(lane: LaneName): Effect.Effect<Option.Option<typeof Listening.Type>>
  /** Moves the time at which it is deleted without another poll. */
  keep(lane: LaneName, listening_until: DateTime.Utc): Effect.Effect<void>
  /** The time when the first delivery outside of `except` is due. `None` without one. */
  nextDue(
    lane: LaneName,
    except: ReadonlyArray<WebhookDeliveryId>
  ): Effect.Effect<Option.Option<DateTime.Utc>>
  /** The lanes that something woke or changed since they were read. */
  changed(lanes: ReadonlyArray<SeenLane>): Effect.Effect<ReadonlyArray<EndpointId>>
  /** Tells every process that this poll of the listener waits from now on. */
  announcePoll(lane: LaneName, poll_id: string): Effect.Effect<void>
  /** Locks the lane until the transaction ends: results are recorded one batch after the other. */
  lockLane(lane: LaneName): Effect.Effect<Option.Option<typeof LockedLane.Type>>
  /**
   * The deliveries that a listener may still record an attempt of. They are in the queue, or left it after `since`, for
   * example by a cancellation during the attempt.
   */
  owed(
    lane: LaneName,
    ids: ReadonlyArray<WebhookDeliveryId>,
    since: DateTime.Utc
  ): Effect.Effect<ReadonlyArray<Owed>>
  /** Writes attempts, deliveries and the lane, as a worker does. The caller has locked the lane. */
  settle(settlements: ReadonlyArray<Settlement>): Effect.Effect<void>
  /** Listeners that were to be deleted by then. Answers a batch at most. */
  unpolled(at: DateTime.Utc): Effect.Effect<ReadonlyArray<LaneName>>
}>()("turma/webhooks/listener/ListenersRepo") {
  /** The most that `unpolled` answers. */
  static readonly batch = batch

  static readonly layer = Layer.effect(
    ListenersRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const cutoffs = yield* makeRetentionCutoffs

      const ofListener = ({ club_id, endpoint_id }: LaneName) =>
        sql`e.club_id = ${club_id} and e.id = ${endpoint_id} and e.kind = 'listener' and e.deleted_at is null`

      const find = Effect.fn("ListenersRepo.find")((lane: LaneName) =>
        sql`select e.listening_until from webhook_endpoints e where ${ofListener(lane)}`.pipe(decodeListening)
      )

      const keep = Effect.fn("ListenersRepo.keep")(function*(lane: LaneName, listening_until: DateTime.Utc) {
        yield* sql`
          update webhook_endpoints e set listening_until = ${DateTime.toDateUtc(listening_until)}
          where ${ofListener(lane)}`
      }, Effect.orDie)

      const nextDue = Effect.fn("ListenersRepo.nextDue")(function*(
        lane: LaneName,
        except: ReadonlyArray<WebhookDeliveryId>
      ) {
        const { queue: oldest } = yield* cutoffs
        const { due_at } = yield* sql`
            select (
              select d.next_attempt_at from webhook_deliveries d
              where ${inQueue(sql, lane)} and d.id >= ${floorOf(earliestIdTime(oldest))}::uuid
                and d.created_at > ${DateTime.toDateUtc(oldest)} and d.id <> all(${uuids(except)})
              order by d.next_attempt_at, d.id limit 1
            ) as due_at`.pipe(decodeDue)
        return due_at
      })

      const changed = Effect.fn("ListenersRepo.changed")(function*(lanes: ReadonlyArray<SeenLane>) {
        const found = yield* sql`
          select l.endpoint_id
          from unnest(
            ${uuids(lanes.map(({ club_id }) => club_id))}, ${uuids(lanes.map(({ endpoint_id }) => endpoint_id))},
            ${texts(lanes.map(({ wakes }) => wakes))}
          ) as seen (club_id, endpoint_id, wakes)
          join webhook_lanes l using (club_id, endpoint_id)
          where l.wakes <> seen.wakes::bigint`.pipe(decodeIds)
        return found.map(({ endpoint_id }) => endpoint_id)
      })

      const announcePoll = Effect.fn("ListenersRepo.announcePoll")(
        function*({ endpoint_id }: LaneName, poll_id: string) {
          yield* sql`select pg_notify(${pollsChannel}, ${`${endpoint_id} ${poll_id}`})`
        },
        Effect.orDie
      )

      const lockLane = Effect.fn("ListenersRepo.lockLane")((lane: LaneName) =>
        sql`
          select l.breaker_epoch, l.consecutive_failures
          from webhook_endpoints e join webhook_lanes l on l.club_id = e.club_id and l.endpoint_id = e.id
          where ${ofListener(lane)} for update of l`.pipe(decodeLane)
      )

      const owed = Effect.fn("ListenersRepo.owed")(function*(
        { club_id, endpoint_id }: LaneName,
        ids: ReadonlyArray<WebhookDeliveryId>,
        since: DateTime.Utc
      ) {
        return yield* sql`
            select d.id, d.attempts_count, d.once, d.status, d.rung as step
            from unnest(${uuids(ids)}) as sent (id)
            join webhook_deliveries d on d.club_id = ${club_id} and d.endpoint_id = ${endpoint_id} and d.id = sent.id
            where d.next_attempt_at is not null
              or (d.status = 'canceled' and d.finished_at > ${DateTime.toDateUtc(since)})`.pipe(decodeOwed)
      })

      const settle = Effect.fn("ListenersRepo.settle")(function*(settlements: ReadonlyArray<Settlement>) {
        yield* audited((audit) => settleStatement(sql, settlements, lanesOf(settlements), audit.before))
      }, Effect.orDie)

      const unpolled = Effect.fn("ListenersRepo.unpolled")((at: DateTime.Utc) =>
        sql`
          select e.club_id, e.id as endpoint_id from webhook_endpoints e
          where e.listening_until <= ${DateTime.toDateUtc(at)} and e.deleted_at is null
          order by e.listening_until limit ${batch}`.pipe(decodeLanes)
      )

      return ListenersRepo.of({ find, keep, nextDue, changed, announcePoll, lockLane, owed, settle, unpolled })
    })
  )
}
