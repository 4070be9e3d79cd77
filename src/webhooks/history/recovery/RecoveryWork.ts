import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { batchWorker } from "../../../platform/jobs/BatchWorker.ts"
import { untilDue } from "../../../platform/jobs/UntilDue.ts"
import type { WorkQueue } from "../../../platform/jobs/WorkQueue.ts"
import { inTransaction } from "../../../platform/sql/Rows.ts"
import { LaneChanges } from "../../engine/lane/LaneChanges.ts"
import { type Job, type JobName, JobsRepo } from "./JobsRepo.ts"
import { MovesRepo } from "./MovesRepo.ts"
import { nextLook, paceAfter, probesFor, roomFor, spent } from "./Pace.ts"
import { withCounted } from "./Preview.ts"
import type { BlockedBy } from "./Recovery.ts"

/** Recoveries that one tick looks at, at most. */
const mostAtOnce = 16

/** Looks at one recovery before the next has its turn: counting goes on at once. */
const mostLooks = 10

type Endpoint = Option.Option.Value<Effect.Success<ReturnType<MovesRepo["Service"]["lockEndpoint"]>>>

/** True if no delivery has moved yet. The person who started the recovery asks for its first attempt. */
const isFirst = ({ moved }: Job) => moved === 0

const blockedBy = ({ status }: Job, endpoint: Endpoint): BlockedBy | null => {
  if (status !== "running") return null
  if (endpoint.status === "paused") return "endpoint_paused"
  return endpoint.holds > 0 ? "endpoint_held" : null
}

/**
 * Works on recoveries. A look is one transaction, which has locked the endpoint, the recovery's row, and then the lane; all
 * that is known is in that row. So any number of processes may do this, and one that dies has done nothing or all of it.
 */
export class RecoveryWork extends Context.Service<RecoveryWork, {
  /** Looks at those that are due. Answers how many. */
  readonly tick: Effect.Effect<number>
  /** Counts and moves deliveries, and records their results. False if there is no work, or another process has it. */
  look(job: JobName): Effect.Effect<boolean>
}>()("turma/webhooks/history/recovery/RecoveryWork") {
  static readonly layerNoDeps = Layer.effect(
    RecoveryWork,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const jobs = yield* JobsRepo
      const lanes = yield* LaneChanges
      const moves = yield* MovesRepo

      const count = Effect.fnUntraced(function*(job: Job) {
        const { groups, last } = yield* moves.count(job)
        const preview = withCounted(job.preview, groups)
        yield* last === null ? jobs.endCount(job, preview, job.starts) : jobs.saveCount(job, preview, last)
      })

      const move = Effect.fnUntraced(function*(job: Job, most: number) {
        if (most === 0) return { moved: 0, cursor_id: job.cursor_id, reached_end: job.reached_end }
        yield* lanes.wake([job], { requested: isFirst(job) })
        const { last, moved } = yield* moves.move(job, { most, isFirst: isFirst(job) })
        return { moved, cursor_id: last ?? job.cursor_id, reached_end: last === null }
      })

      const advance = Effect.fnUntraced(function*(job: Job, endpoint: Endpoint) {
        const now = yield* DateTime.now
        const { waiting, ...ended } = yield* moves.reckon(job)
        const sent = ended.succeeded + ended.failed
        const pace = paceAfter(job, { ended: sent, waiting, now }, job.rate)
        const blocked_by = blockedBy(job, endpoint)
        const isHeld = blocked_by === "endpoint_held"
        const allowed = Math.max(
          Math.min(roomFor(pace, waiting, job.rate), isHeld ? probesFor(endpoint, waiting, now) : Infinity),
          isFirst(job) ? 1 : 0
        )
        const mayMove = job.status === "running" && !job.reached_end && blocked_by !== "endpoint_paused"
        // Before anything is moved, and for as long as something of it waits in the lane.
        if (mayMove || (waiting > 0 && job.status !== "canceled")) yield* jobs.pace(job, job.rate)
        const { cursor_id, moved, reached_end } = yield* move(job, mayMove ? allowed : 0)
        const after = spent(pace, moved, job.rate)
        const isIdle = waiting + moved === 0 && (job.status !== "running" || reached_end)
        if (isIdle) yield* jobs.pace(job, null)
        const look = nextLook(now, {
          isBlocked: endpoint.status === "paused" || endpoint.holds > 0,
          rate: mayMove ? job.rate : null,
          tokens: after.tokens
        })
        const due_at = isIdle ? null : look
        yield* jobs.saveProgress(job, { ...ended, pace: after, moved, cursor_id, reached_end, blocked_by, due_at })
        if (isIdle && job.status === "running") yield* jobs.complete(job)
      })

      const isGone = ({ is_deleted, status }: Endpoint) => is_deleted || status === "disabled"

      const look = Effect.fn("RecoveryWork.look")(function*(name: JobName) {
        const endpoint = yield* moves.lockEndpoint(name)
        const job = yield* jobs.lock(name)
        if (Option.isNone(endpoint) || Option.isNone(job)) return false
        const { status } = job.value
        if (isGone(endpoint.value) && status !== "canceled") {
          yield* jobs.cancel(job.value, endpoint.value.is_deleted ? "endpoint_deleted" : "endpoint_disabled")
        } else yield* status === "counting" ? count(job.value) : advance(job.value, endpoint.value)
        return true
      }, inTransaction(sql))

      // One that cannot be looked at does not stop the others, and is tried again by the next tick.
      const lookAgain = (name: JobName) =>
        Effect.gen(function*() {
          for (let looks = 0; looks < mostLooks && (yield* look(name)); looks++);
        }).pipe(Effect.catchCause((cause) =>
          Effect.logError("A recovery of webhook deliveries failed", { recovery_id: name.recovery_id }, cause)
        ))

      const tick = Effect.gen(function*() {
        const due = yield* jobs.due(mostAtOnce)
        yield* Effect.forEach(due, lookAgain, { discard: true })
        return due.length
      }).pipe(Effect.withSpan("RecoveryWork.tick"))

      return RecoveryWork.of({ tick, look })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([JobsRepo.layer, LaneChanges.layer, MovesRepo.layer]))
}

/** Recoveries that a worker looks at again: they count, move, or wait until what they moved has ended. */
export const waitingRecoveries: WorkQueue = {
  name: "webhook_recoveries",
  waiting: (sql) => sql`from webhook_recoveries where due_at is not null`,
  nextDue: (sql) => sql`(select min(due_at) from webhook_recoveries where due_at is not null)`
}

/** How long a look in hand may delay a shutdown. PostgreSQL rolls back a look that ends early. */
const shutdownGrace = Duration.seconds(10)

/** Works on recoveries that are due for as long as the layer lives, in any number of processes. */
export const recoveryWorkerLayer = ({ pollEvery }: { readonly pollEvery: Duration.Input }) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const { tick } = yield* RecoveryWork
    yield* batchWorker({
      tick,
      full: mostAtOnce,
      idle: yield* untilDue(waitingRecoveries, { pollEvery }),
      pollEvery,
      shutdownGrace,
      onFailure: "Recoveries of webhook deliveries are not worked on",
      onCutOff: "A recovery of webhook deliveries continues later"
    })
  }))
