import { Context, DateTime, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { EventType } from "../../../events/EventType.ts"
import { ClubId } from "../../../identity/ids/ClubId.ts"
import { Instant, InstantOrNull } from "../../../platform/schema/Instant.ts"
import { instant } from "../../../platform/sql/Arrays.ts"
import { first, rows } from "../../../platform/sql/Rows.ts"
import { EndpointId } from "../../model/EndpointId.ts"
import { WebhookDeliveryId } from "../../model/WebhookDeliveryId.ts"
import type { Pace } from "./Pace.ts"
import { type BlockedBy, type RecoveryCancelReason, RecoveryId, RecoveryPreview, RecoveryStatus } from "./Recovery.ts"

const JobName = Schema.Struct({ club_id: ClubId, endpoint_id: EndpointId, recovery_id: RecoveryId })
/** A recovery by its key. */
export type JobName = typeof JobName.Type

const Job = Schema.Struct({
  ...JobName.fields,
  status: RecoveryStatus,
  starts: Schema.Boolean,
  since: Instant,
  until: InstantOrNull,
  event_types: Schema.NullOr(Schema.Array(EventType)),
  newest_first: Schema.Boolean,
  rate: Schema.NullOr(Schema.Int),
  time_zone: Schema.String,
  preview: RecoveryPreview,
  cursor_id: Schema.NullOr(WebhookDeliveryId),
  reached_end: Schema.Boolean,
  moved: Schema.Int,
  room: Schema.Int,
  tokens: Schema.Number,
  tokens_at: Instant,
  created_at: Instant
})
/** A recovery as its worker has it, with its row locked. */
export type Job = typeof Job.Type

/** The progress of a started recovery after one look. */
export interface Progress {
  readonly pace: Pace
  readonly moved: number
  readonly succeeded: number
  readonly failed: number
  readonly canceled: number
  readonly cursor_id: WebhookDeliveryId | null
  readonly reached_end: boolean
  readonly blocked_by: BlockedBy | null
  readonly due_at: DateTime.Utc | null
}

const decodeNames = rows(JobName)
const decodeJob = first(Job)

/** Recoveries as workers see them. Each write belongs to the transaction that has locked the row. */
export class JobsRepo extends Context.Service<JobsRepo, {
  /** Those that are due, longest due first. */
  due(limit: number): Effect.Effect<ReadonlyArray<JobName>>
  /** `None` if it is no longer due, or if another worker has it. The caller has locked the endpoint. */
  lock(job: JobName): Effect.Effect<Option.Option<Job>>
  /** Counted as far as `cursor_id`. */
  saveCount(job: JobName, preview: RecoveryPreview, cursor_id: WebhookDeliveryId): Effect.Effect<void>
  /** Counted to the end: it is started, or waits for that. */
  endCount(job: JobName, preview: RecoveryPreview, starts: boolean): Effect.Effect<void>
  saveProgress(job: JobName, progress: Progress): Effect.Effect<void>
  /**
   * Sets the rate of recovered deliveries in the lane. Null: as fast as all others, unless another recovery is under
   * way. The caller has locked no delivery.
   */
  pace(job: JobName, rate: number | null): Effect.Effect<void>
  complete(job: JobName): Effect.Effect<void>
  cancel(job: JobName, reason: RecoveryCancelReason): Effect.Effect<void>
}>()("turma/webhooks/history/recovery/JobsRepo") {
  static readonly layer = Layer.effect(
    JobsRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const now = Effect.map(DateTime.now, DateTime.toDateUtc)
      const named = ({ club_id, endpoint_id, recovery_id }: JobName) =>
        sql`r.club_id = ${club_id} and r.endpoint_id = ${endpoint_id} and r.id = ${recovery_id}`

      const due = Effect.fnUntraced(function*(limit: number) {
        return yield* sql`
          select club_id, endpoint_id, id as recovery_id from webhook_recoveries
          where due_at <= ${yield* now} order by due_at limit ${limit}`.pipe(decodeNames)
      })

      const lock = Effect.fnUntraced(function*(job: JobName) {
        return yield* sql`
          select r.club_id, r.endpoint_id, r.id as recovery_id, r.status, r.starts, r.since, r.until, r.event_types,
            r.newest_first, r.rate, r.time_zone, r.preview, r.cursor_id, r.reached_end, r.moved, r.room, r.tokens, r.tokens_at,
            r.created_at
          from webhook_recoveries r where ${named(job)} and r.due_at <= ${yield* now}
          for update skip locked`.pipe(decodeJob)
      })

      const saveCount = Effect.fnUntraced(
        function*(job: JobName, preview: RecoveryPreview, cursor_id: WebhookDeliveryId) {
          yield* sql`
            update webhook_recoveries r
            set preview = ${JSON.stringify(preview)}::jsonb, cursor_id = ${cursor_id}::uuid, due_at = ${yield* now}
            where ${named(job)}`
        },
        Effect.orDie
      )

      const endCount = Effect.fnUntraced(function*(job: JobName, preview: RecoveryPreview, starts: boolean) {
        const at = starts ? yield* now : null
        yield* sql`
          update webhook_recoveries r
          set preview = ${JSON.stringify(preview)}::jsonb, cursor_id = null, status =
          ${starts ? "running" : "previewed"},
            due_at = ${at}::timestamptz, started_at = ${at}::timestamptz
          where ${named(job)}`
      }, Effect.orDie)

      const saveProgress = Effect.fnUntraced(function*(job: JobName, progress: Progress) {
        const { blocked_by, canceled, cursor_id, due_at, failed, moved, pace, reached_end, succeeded } = progress
        yield* sql`
          update webhook_recoveries r
          set moved = r.moved + ${moved}, succeeded = r.succeeded + ${succeeded}, failed = r.failed + ${failed},
            canceled = r.canceled + ${canceled}, cursor_id = ${cursor_id}::uuid, reached_end = ${reached_end},
            blocked_by = ${blocked_by}, room = ${pace.room}, tokens = ${pace.tokens},
            tokens_at = ${DateTime.toDateUtc(pace.tokens_at)}, due_at = ${instant(due_at)}::timestamptz
          where ${named(job)}`
      }, Effect.orDie)

      const pace = Effect.fnUntraced(function*({ club_id, endpoint_id, recovery_id }: JobName, rate: number | null) {
        yield* sql`
          update webhook_lanes set recovery_rate = ${rate}::int, wakes = wakes + 1
          where club_id = ${club_id} and endpoint_id = ${endpoint_id} and recovery_rate is distinct from ${rate}::int
            and (${rate !== null}::boolean or not exists (
              select from webhook_recoveries r
              where r.club_id = ${club_id} and r.endpoint_id = ${endpoint_id} and r.finished_at is null
                and r.status in ('running', 'paused') and r.id <> ${recovery_id}
            ))`
      }, Effect.orDie)

      const complete = Effect.fnUntraced(function*(job: JobName) {
        yield* sql`
          update webhook_recoveries r set status = 'completed', due_at = null, finished_at = ${yield* now}
          where ${named(job)}`
      }, Effect.orDie)

      const cancel = Effect.fnUntraced(function*(job: JobName, reason: RecoveryCancelReason) {
        const at = yield* now
        yield* sql`
          update webhook_recoveries r
          set status = 'canceled', cancel_reason = ${reason}, blocked_by = null, due_at = ${at}, finished_at = ${at}
          where ${named(job)}`
      }, Effect.orDie)

      return JobsRepo.of({ due, lock, saveCount, endCount, saveProgress, pace, complete, cancel })
    })
  )
}
