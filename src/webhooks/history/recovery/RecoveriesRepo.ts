import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { EventType } from "../../../events/EventType.ts"
import { audited } from "../../../identity/audit/AuditFragment.ts"
import type { UserId } from "../../../identity/ids/UserId.ts"
import { instant, texts } from "../../../platform/sql/Arrays.ts"
import { first, rows } from "../../../platform/sql/Rows.ts"
import type { LaneName } from "../../engine/lane/LaneChanges.ts"
import { firstRoom } from "./Pace.ts"
import { emptyPreview } from "./Preview.ts"
import { type RecoveryCancelReason, RecoveryId, RecoveryStatus, WebhookRecovery } from "./Recovery.ts"

/** A recovery before its first save. */
export interface NewRecovery {
  readonly id: RecoveryId
  readonly since: DateTime.Utc
  readonly until: DateTime.Utc | null
  readonly event_types: ReadonlyArray<EventType> | null
  readonly newest_first: boolean
  readonly rate: number | null
  readonly starts: boolean
  readonly time_zone: string
  readonly created_by: UserId
}

const Locked = Schema.Struct({ id: RecoveryId, status: RecoveryStatus })

const decodeRecovery = first(WebhookRecovery)
const decodeRecoveries = rows(WebhookRecovery)
const decodeLocked = first(Locked)

/** The columns of a recovery `r`, in the form of the answer. */
const columns = (sql: SqlClient.SqlClient) => {
  const total = sql`(r.preview->>'total')::int`
  const left = sql`greatest(${total} - r.moved, 0)`
  return sql`
    r.id, r.endpoint_id, r.status, r.cancel_reason, r.blocked_by, r.since, r.until, r.event_types,
    case when r.newest_first then 'newest' else 'oldest' end as "order", r.rate, r.preview,
    jsonb_build_object(
      'moved', r.moved, 'waiting', r.moved - r.succeeded - r.failed - r.canceled, 'succeeded', r.succeeded,
      'failed', r.failed, 'canceled', r.canceled,
      'remaining', case when r.reached_end then 0 else ${left} end,
      'skipped', case when r.reached_end then ${left} else 0 end
    ) as progress,
    r.created_by, r.created_at, r.started_at, r.finished_at`
}

/** Recoveries as persons make, read and change them. */
export class RecoveriesRepo extends Context.Service<RecoveriesRepo, {
  /** `None` also if the endpoint is deleted. */
  find(lane: LaneName, id: RecoveryId): Effect.Effect<Option.Option<WebhookRecovery>>
  /** Newest first, from the one before `before` on; one more than the limit if there are more. */
  list(
    lane: LaneName,
    page: { readonly before: Option.Option<string>; readonly limit: number }
  ): Effect.Effect<ReadonlyArray<WebhookRecovery>>
  /** The one that has not ended, which is locked. The caller has locked the endpoint. */
  lockOpen(lane: LaneName): Effect.Effect<Option.Option<typeof Locked.Type>>
  /** Locks this one. The caller has locked the endpoint. */
  lock(lane: LaneName, id: RecoveryId): Effect.Effect<Option.Option<typeof Locked.Type>>
  /** False, and nothing is inserted, if another one of the endpoint has not ended. */
  insert(lane: LaneName, recovery: NewRecovery): Effect.Effect<boolean>
  /** Starts it, or goes on: it is due. */
  run(lane: LaneName, id: RecoveryId): Effect.Effect<void>
  /** It starts once it is counted. */
  startLater(lane: LaneName, id: RecoveryId): Effect.Effect<void>
  pause(lane: LaneName, id: RecoveryId): Effect.Effect<void>
  cancel(lane: LaneName, id: RecoveryId, reason: RecoveryCancelReason): Effect.Effect<void>
  /** False, and nothing changes, if it has ended or does not exist. */
  setRate(lane: LaneName, id: RecoveryId, rate: number | null): Effect.Effect<boolean>
}>()("turma/webhooks/history/recovery/RecoveriesRepo") {
  static readonly layer = Layer.effect(
    RecoveriesRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const now = Effect.map(DateTime.now, DateTime.toDateUtc)

      const ofLane = ({ club_id, endpoint_id }: LaneName) =>
        sql`r.club_id = ${club_id} and r.endpoint_id = ${endpoint_id}`
      const named = (lane: LaneName, id: RecoveryId) => sql`${ofLane(lane)} and r.id = ${id}`
      const living = sql`
        exists (
          select from webhook_endpoints e
          where e.club_id = r.club_id and e.id = r.endpoint_id and e.deleted_at is null
        )`

      const find = Effect.fn("RecoveriesRepo.find")(function*(lane: LaneName, id: RecoveryId) {
        return yield* sql`
          select ${columns(sql)} from webhook_recoveries r where ${named(lane, id)} and ${living}`.pipe(decodeRecovery)
      })

      const list = Effect.fn("RecoveriesRepo.list")(function*(
        lane: LaneName,
        { before, limit }: { readonly before: Option.Option<string>; readonly limit: number }
      ) {
        const earlier = Option.match(before, { onNone: () => sql`true`, onSome: (id) => sql`r.id < ${id}` })
        return yield* sql`
          select ${columns(sql)} from webhook_recoveries r where ${ofLane(lane)} and ${earlier}
          order by r.id desc limit ${limit + 1}`.pipe(decodeRecoveries)
      })

      const lockOpen = Effect.fn("RecoveriesRepo.lockOpen")(function*(lane: LaneName) {
        return yield* sql`
          select r.id, r.status from webhook_recoveries r where ${ofLane(lane)} and r.finished_at is null
          for update`.pipe(decodeLocked)
      })

      const lock = Effect.fn("RecoveriesRepo.lock")(function*(lane: LaneName, id: RecoveryId) {
        return yield* sql`
          select r.id, r.status from webhook_recoveries r where ${named(lane, id)} for update`.pipe(decodeLocked)
      })

      const insert = Effect.fn("RecoveriesRepo.insert")(function*(lane: LaneName, recovery: NewRecovery) {
        const at = yield* now
        const { event_types, since, until, ...columns } = recovery
        const row = {
          ...lane,
          ...columns,
          since: DateTime.toDateUtc(since),
          until: instant(until),
          event_types: event_types === null ? null : texts(event_types),
          status: "counting",
          preview: JSON.stringify(emptyPreview),
          room: firstRoom,
          tokens_at: at,
          due_at: at,
          created_at: at
        }
        const inserted = yield* audited((audit) =>
          sql`${audit.with} insert into webhook_recoveries ${sql.insert(row)} on conflict do nothing returning 1`
        )
        return inserted.length > 0
      }, Effect.orDie)

      const set = Effect.fnUntraced(
        function*(lane: LaneName, id: RecoveryId, changes: (at: Date) => Readonly<Record<string, unknown>>) {
          const at = yield* now
          yield* audited((audit) =>
            sql`
              ${audit.with}
              update webhook_recoveries r set ${sql.update(changes(at))} where ${named(lane, id)}`
          )
        },
        Effect.orDie
      )

      const run = Effect.fn("RecoveriesRepo.run")(function*(lane: LaneName, id: RecoveryId) {
        const at = yield* now
        yield* audited((audit) =>
          sql`
            ${audit.with}
            update webhook_recoveries r
            set status = 'running', due_at = ${at}, started_at = coalesce(r.started_at, ${at}::timestamptz)
            where ${named(lane, id)}`
        )
      }, Effect.orDie)

      const setRate = Effect.fn("RecoveriesRepo.setRate")(
        function*(lane: LaneName, id: RecoveryId, rate: number | null) {
          const at = yield* now
          const changed = yield* audited((audit) =>
            sql`
              ${audit.with}
              update webhook_recoveries r
              set rate = ${rate}::int, due_at = case when r.due_at is not null then least(r.due_at, ${at}) end
              where ${named(lane, id)} and r.finished_at is null
              returning 1`
          )
          return changed.length > 0
        },
        Effect.orDie
      )

      return RecoveriesRepo.of({
        find,
        list,
        lockOpen,
        lock,
        insert,
        run,
        startLater: (lane, id) => set(lane, id, () => ({ starts: true })),
        pause: (lane, id) => set(lane, id, (at) => ({ status: "paused", blocked_by: null, due_at: at })),
        cancel: (lane, id, cancel_reason) =>
          set(lane, id, (at) => ({ status: "canceled", cancel_reason, blocked_by: null, due_at: at, finished_at: at })),
        setRate
      })
    })
  )
}
