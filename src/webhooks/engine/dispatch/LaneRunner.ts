import { Context, DateTime, Duration, Effect, Layer, Metric, Option, Ref } from "effect"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { WebhookRules } from "../../model/WebhookSettings.ts"
import type { TargetsFull } from "../../send/Targets.ts"
import type { AttemptCapacity } from "./AttemptCapacity.ts"
import { Attempts } from "./Attempts.ts"
import { afterFailure, afterSuccess, allowance, type Breaker, isHeld, shouldDisable } from "./Breaker.ts"
import { putOffs } from "./DispatchMetrics.ts"
import type { EndedAttempt } from "./EndedAttempt.ts"
import { FailingEndpoints } from "./FailingEndpoints.ts"
import { forkUntilEnd } from "./forkUntilEnd.ts"
import type { HeaderCache } from "./HeaderCache.ts"
import { LaneCrowd } from "./LaneCrowd.ts"
import { LaneCursor } from "./LaneCursor.ts"
import { LanePace } from "./LanePace.ts"
import { LaneProgress } from "./LaneProgress.ts"
import type { LaneSignal } from "./LaneSignal.ts"
import { LanesRepo } from "./LanesRepo.ts"
import type { ClaimedLane, LaneState, Lease, TakenDelivery, TakeResult } from "./Lease.ts"
import { retrying } from "./retrying.ts"
import type { SecretCache } from "./SecretCache.ts"

/** How long a lane may go on while others may be waiting for its slot. */
const turn = Duration.seconds(1)

/** The state of the dispatcher, for the lanes that it runs. */
export interface DispatcherState {
  readonly capacity: AttemptCapacity
  /** True once nothing new may be started. */
  isStopping(): boolean
  /** True while this club may hold no further lane, so that others may be waiting for the slot of this one. */
  isAtShare(club: ClubId): boolean
}

/** A lane while this worker holds it. */
interface RunningLane {
  readonly lease: Lease
  readonly signal: LaneSignal
  readonly progress: LaneProgress
  readonly cursor: LaneCursor
  readonly pace: LanePace
  readonly crowd: LaneCrowd
  /** Runs an attempt until the lane ends. */
  readonly fork: (attempt: Effect.Effect<void>) => void
  readonly secretsAt: SecretCache
  readonly ownHeaders: HeaderCache
  /** The lane's row, and every attempt that has ended here since, recorded or not. */
  readonly breaker: Ref.Ref<Breaker>
  /** The lane's breaker epoch as of the last take, like `wakes`. */
  breakerEpoch: number
  wakes: string
  /** True if the last read left out recovered deliveries: the rate of recoveries had no tokens. */
  hasWithheld: boolean
}

const breakerOf = ({ consecutive_failures, failing_since, hold_until, holds }: Breaker): Breaker => ({
  consecutive_failures,
  failing_since,
  hold_until,
  holds
})

const latest = (one: DateTime.Utc | null, other: DateTime.Utc | null) =>
  one === null || other === null ? one ?? other : DateTime.max(one, other)

const waitUntil = (signal: LaneSignal, at: DateTime.Utc) =>
  Effect.flatMap(
    DateTime.now,
    (now) => Effect.raceFirst(signal.wait, Effect.sleep(DateTime.distance(now, DateTime.max(now, at))))
  )

/** Works on one lane that was claimed: sends what is due and gives the lane back. */
export class LaneRunner extends Context.Service<LaneRunner, {
  /** Ends when the lane is released or its lease is lost. Waking `signal` makes it read the table again. */
  run(claimed: ClaimedLane, dispatcher: DispatcherState, signal: LaneSignal): Effect.Effect<void>
}>()("turma/webhooks/engine/dispatch/LaneRunner") {
  static readonly layerNoDeps = Layer.effect(
    LaneRunner,
    Effect.gen(function*() {
      const lanes = yield* LanesRepo
      const attempts = yield* Attempts
      const failing = yield* FailingEndpoints
      const rules = yield* WebhookRules

      // In one step with the end of an attempt, so that nothing starts with the breaker as it was before.
      const countResult = (
        { breaker, progress }: RunningLane,
        { ended_at: at, error }: EndedAttempt["attempt"],
        startedHeld: boolean
      ) =>
        Effect.map(
          Ref.modify(breaker, (before) => {
            const after = error === null ? afterSuccess(before) : afterFailure(before, { at, startedHeld }, rules)
            return [isHeld(before) && !isHeld(after), after]
          }),
          (hasEndedHold) => {
            progress.ended()
            if (hasEndedHold) progress.mayHaveMore = true
          }
        )

      // Each try writes the breaker of its own moment, so a late one does not replace a newer breaker with an older one.
      const settle = (running: RunningLane, ended: EndedAttempt) =>
        retrying(
          "A webhook attempt is not recorded yet",
          Effect.uninterruptible(Effect.suspend(() => {
            const { breakerEpoch, lease } = running
            return lanes.settle({
              ...ended,
              lease,
              breaker: Ref.getUnsafe(running.breaker),
              breaker_epoch: breakerEpoch
            })
          }))
        )

      const record = (running: RunningLane, ended: EndedAttempt, startedHeld: boolean) => {
        const { breaker, crowd, lease, progress, signal } = running
        const { attempt: { ended_at, error, peer }, delivery } = ended
        crowd.reached(peer?.peer_address ?? null)
        const counted = Effect.map(countResult(running, ended.attempt, startedHeld), () => signal.attemptEnded())
        const recorded = Effect.andThen(counted, settle(running, ended))
        return Effect.flatMap(recorded, (settled) => {
          if (!settled) progress.lost = true
          const disables = settled && error !== null && shouldDisable(Ref.getUnsafe(breaker), ended_at, rules)
          const disabled = disables ? failing.disable(lease, running.breakerEpoch) : Effect.void
          return Effect.map(disabled, () => {
            const wasFull = progress.isFull
            progress.underWay.delete(delivery.id)
            // Until then there is nothing to do that was not done when the attempt ended.
            if (progress.lost || wasFull || progress.underWay.size === 0) signal.attemptEnded()
          })
        })
      }

      // The attempt did not start: nothing is recorded, and the delivery stays due.
      const putOff = ({ crowd, progress, signal }: RunningLane, { id }: TakenDelivery, full: TargetsFull) =>
        Effect.flatMap(DateTime.now, (now) => {
          crowd.met(full, now)
          progress.ended()
          progress.underWay.delete(id)
          signal.attemptEnded()
          return Metric.update(putOffs, 1)
        })

      const attempt = (running: RunningLane, lane: LaneState, delivery: TakenDelivery, startedHeld: boolean) =>
        Effect.catchCause(
          Effect.matchEffect(
            attempts.make(lane, delivery, running.secretsAt, running.ownHeaders, running.lease.club_id),
            {
              onFailure: (full) => putOff(running, delivery, full),
              onSuccess: (ended) => record(running, ended, startedHeld)
            }
          ),
          (cause) => {
            // Left under way, it would keep the lane for ever: the lane is dropped, and claimed again when its lease ends.
            running.progress.lost = true
            running.signal.attemptEnded()
            return Effect.logError("A webhook attempt broke off", { endpoint_id: running.lease.endpoint_id }, cause)
          }
        )

      const allowedAt = ({ breaker, crowd, pace, progress }: RunningLane, now: DateTime.Utc) => {
        const laneConcurrency = pace.atOnce(rules.lane_concurrency)
        const { requestedOnly, slots } = allowance(Ref.getUnsafe(breaker), now, {
          inFlight: progress.sending,
          laneConcurrency
        })
        return { requestedOnly, slots: crowd.among(pace.among(slots, now), now) }
      }

      // Asks the breaker again, since an attempt may have ended during the read. If the hold began only then, the next
      // read asks for the deliveries that skip it: a delivery does not say itself whether it does. Answers how many
      // started.
      const start = (
        running: RunningLane,
        { deliveries, lane }: Option.Option.Value<TakeResult>,
        { askedFor, now }: { readonly askedFor: "all" | "requested"; readonly now: DateTime.Utc }
      ) => {
        const { requestedOnly, slots } = allowedAt(running, now)
        const startedHeld = isHeld(Ref.getUnsafe(running.breaker))
        const { pace } = running
        const allowed = requestedOnly && askedFor === "all" ? [] : pace.startable(deliveries, slots, now)
        for (const delivery of allowed) {
          running.progress.started(delivery.id)
          running.fork(attempt(running, lane, delivery, startedHeld))
        }
        pace.started(allowed, now)
        running.progress.releaseUnused()
        return allowed.length
      }

      /** False once the lease is lost. */
      const takeAndStart = Effect.fnUntraced(function*(running: RunningLane, slots: number, requestedOnly: boolean) {
        const { cursor, lease, pace, progress, signal } = running
        // When it was asked and from where on belongs to the try that is answered: statements may fail for longer than a lease.
        const { after, asked, recovers, taken } = yield* retrying(
          "A webhook lane is not read yet",
          Effect.gen(function*() {
            const asked = yield* DateTime.now
            const after = isHeld(yield* Ref.get(running.breaker)) ? null : cursor.at(asked)
            const recovers = pace.mayRecover(asked)
            const inFlight = [...progress.underWay]
            const taken = yield* lanes.take({ lease, slots, requestedOnly, recovers, inFlight, after })
            return { asked, after, recovers, taken }
          })
        )
        const now = yield* DateTime.now
        // A process that stood still for longer than its lease drops its read. Another worker may have leased the lane,
        // and its URL and secrets may have changed.
        const isStale = DateTime.isGreaterThan(now, DateTime.addDuration(asked, rules.lease))
        if (Option.isNone(taken) || isStale) return false
        const { deliveries, lane } = taken.value
        running.wakes = lane.wakes
        if (lane.breaker_epoch !== running.breakerEpoch) {
          running.breakerEpoch = lane.breaker_epoch
          yield* Ref.set(running.breaker, breakerOf(lane))
        }
        pace.renew(lane.limits)
        const last = slots > 0 && deliveries.length === slots ? deliveries.at(-1) : undefined
        const started = start(running, taken.value, { askedFor: requestedOnly ? "requested" : "all", now })
        if (last !== undefined && started === slots && !requestedOnly) {
          cursor.moveTo({ next_attempt_at: DateTime.fromDateUnsafe(last.next_attempt_at), id: last.id }, asked)
        } else cursor.reset()
        progress.mayHaveMore = last !== undefined || after !== null || started < deliveries.length
        running.hasWithheld = slots > 0 && !recovers
        // Less than asked for behind the cursor: what lies before it is looked at before the lane waits.
        if (last === undefined && after !== null) signal.readAgain()
        const isWhole = slots > 0 && !requestedOnly && recovers && after === null
        const drained = isWhole ? pace.endDrain(deliveries) : null
        if (drained !== null) yield* retrying("The end of a drain is not recorded yet", lanes.endDrain(lease, drained))
        return true
      })

      const giveBack = Effect.fnUntraced(function*({ breaker, crowd, lease, pace, wakes }: RunningLane) {
        const { hold_until } = yield* Ref.get(breaker)
        const now = yield* DateTime.now
        const paced = pace.givenBack(now)
        const crowdedUntil = crowd.among(1, now) === 0 ? crowd.resumesAt : null
        const until = latest(paced?.until ?? null, crowdedUntil)
        const notBefore = DateTime.max(DateTime.max(hold_until ?? now, until ?? now), now)
        const waits = crowdedUntil === null ? paced : { full_at: null, recovery_full_at: null, ...paced, until }
        return yield* retrying(
          "A webhook lane is not given back yet",
          lanes.release({ lease, wakes, notBefore, paced: waits })
        )
      })

      const run = Effect.fnUntraced(
        function*(claimed: ClaimedLane, dispatcher: DispatcherState, signal: LaneSignal) {
          const { breaker_epoch, club_id, endpoint_id, lease_id, wakes } = claimed
          const progress = new LaneProgress(club_id, dispatcher.capacity)
          const cursor = new LaneCursor()
          const pace = new LanePace(claimed, yield* DateTime.now)
          const crowd = new LaneCrowd(club_id, () => signal.readAgain())
          yield* Effect.addFinalizer(() =>
            Effect.sync(() => {
              crowd.forget()
              progress.cutOff()
            })
          )
          const running: RunningLane = {
            lease: { club_id, endpoint_id, lease_id },
            signal,
            progress,
            cursor,
            pace,
            crowd,
            fork: yield* forkUntilEnd,
            secretsAt: attempts.secretsOf(endpoint_id),
            ownHeaders: attempts.headersOf(endpoint_id),
            breaker: yield* Ref.make(breakerOf(claimed)),
            breakerEpoch: breaker_epoch,
            wakes,
            hasWithheld: false
          }
          const turnEnds = DateTime.addDuration(yield* DateTime.now, turn)
          while (!progress.lost) {
            const isWoken = yield* signal.reset
            // Postponed deliveries lie before the cursor.
            if (isWoken || crowd.hasPutOff) {
              crowd.hasPutOff = false
              progress.mayHaveMore = true
              cursor.reset()
            }
            const mayStart = !dispatcher.isStopping() &&
              (!dispatcher.isAtShare(club_id) || DateTime.isLessThan(yield* DateTime.now, turnEnds))
            if (mayStart && progress.mayHaveMore) {
              const { requestedOnly, slots } = allowedAt(running, yield* DateTime.now)
              const reserved = progress.reserve(slots)
              if (reserved > 0 && !(yield* takeAndStart(running, reserved, requestedOnly))) return
              // The waking change may be an enabling, which ends a hold, or other limits.
              if (isWoken && slots === 0 && (isHeld(yield* Ref.get(running.breaker)) || pace.isLimited)) {
                if (!(yield* takeAndStart(running, 0, false))) return
                progress.mayHaveMore = true
                if (allowedAt(running, yield* DateTime.now).slots > 0) continue
              }
            }
            const isWithheld = mayStart && running.hasWithheld && !progress.mayHaveMore
            const recovers = isWithheld ? pace.recoversAt(yield* DateTime.now) : null
            if (isWithheld && recovers === null) {
              progress.mayHaveMore = true
              continue
            }
            const isWaiting = mayStart && (progress.mayHaveMore || isWithheld || crowd.hasPutOff)
            const paced = isWaiting && pace.isPaced && !isWithheld ? pace.resumesAt(yield* DateTime.now) : recovers
            const resumes = isWaiting ? latest(paced, crowd.resumesAt) : paced
            // A delivery that starts only after this turn waits in the table. Other clubs may wait for the slot of the
            // lane.
            const isOver = resumes !== null && dispatcher.isAtShare(club_id) &&
              DateTime.isGreaterThanOrEqualTo(resumes, turnEnds)
            if (progress.underWay.size > 0 || (isWaiting && !isOver)) {
              yield* resumes === null ? signal.wait : waitUntil(signal, resumes)
              continue
            }
            if (yield* giveBack(running)) return
            // Something woke the lane meanwhile, or it is lost: the next read answers which.
            if (!(yield* takeAndStart(running, 0, false))) return
            progress.mayHaveMore = true
          }
        },
        Effect.scoped
      )

      return LaneRunner.of({ run })
    })
  )
}
