import { Context, DateTime, Duration, Effect, FiberSet, Layer, Option, Ref, Schedule } from "effect"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { Disabling } from "../endpoint/Disabling.ts"
import { WebhookRules } from "../WebhookSettings.ts"
import { type Attempted, Attempts } from "./Attempts.ts"
import { allowance, type Breaker, failed, isHeld, shouldDisable, succeeded } from "./Breaker.ts"
import type { LaneCall } from "./LaneCall.ts"
import { LaneProgress } from "./LaneProgress.ts"
import { LanesRepo } from "./LanesRepo.ts"
import type { ClaimedLane, LaneState, TakenDelivery } from "./Lease.ts"
import type { Slots } from "./Slots.ts"

/** How long a lane may go on while others may be waiting for its place. */
const turn = Duration.seconds(1)

/** What the scheduler tells the lanes that it runs. */
export interface Course {
  readonly slots: Slots
  /** True once nothing new may be started. */
  stopping(): boolean
  /** True while no other lane of this club finds a place, so that others may be waiting for this one's. */
  crowded(club: ClubId): boolean
}

const breakerOf = ({ consecutive_failures, failing_since, hold_until, holds }: Breaker): Breaker => ({
  consecutive_failures,
  failing_since,
  hold_until,
  holds
})

/** For so long a lane is kept while statements fail: what was answered and is not recorded would be sent again. */
const patience = Duration.minutes(10)

// Nothing is given up because the database is away for a while.
const persistently = <A>(problem: string, statement: Effect.Effect<A>): Effect.Effect<A> =>
  Effect.catchCause(statement, (cause) =>
    Effect.andThen(
      Effect.logWarning(problem, cause),
      Effect.orDie(
        Effect.retry(Effect.delay(Effect.sandbox(statement), Duration.seconds(1)), Schedule.during(patience))
      )
    ))

/** Works on one lane that was leased: sends what is due and gives the lane back. */
export class LaneRunner extends Context.Service<LaneRunner, {
  /** Ends when the lane has been given back or its lease is lost. Who rings `call` makes it look again. */
  run(claimed: ClaimedLane, course: Course, call: LaneCall): Effect.Effect<void>
}>()("turma/webhooks/LaneRunner") {
  static readonly layerNoDeps = Layer.effect(
    LaneRunner,
    Effect.gen(function*() {
      const lanes = yield* LanesRepo
      const attempts = yield* Attempts
      const disabling = yield* Disabling
      const rules = yield* WebhookRules
      const laneConcurrency = rules.lane_concurrency

      const run = Effect.fnUntraced(function*(claimed: ClaimedLane, course: Course, call: LaneCall) {
        const { club_id, endpoint_id, lease_id } = claimed
        const lease = { club_id, endpoint_id, lease_id }
        const secretsAt = attempts.secretsOf(endpoint_id)
        const turnEnds = DateTime.addDuration(yield* DateTime.now, turn)
        const breaker = yield* Ref.make(breakerOf(claimed))
        const progress = new LaneProgress(club_id, course.slots)
        yield* Effect.addFinalizer(() => Effect.sync(() => progress.cutOff()))
        const fibers = yield* FiberSet.make()
        let { breaker_epoch: epoch, wakes } = claimed

        // In one step with the end of a post, so that nothing starts on what the breaker was before it.
        const judge = (accepted: boolean, at: DateTime.Utc, startedHeld: boolean) =>
          Ref.update(breaker, (before) => {
            progress.ended()
            const after = accepted ? succeeded(before) : failed(before, { at, startedHeld }, rules)
            if (isHeld(before) && !isHeld(after)) progress.hungry = true
            return after
          })

        // With the breaker of the moment of each try: one that is late does not write an older one over a newer one.
        const settle = (attempted: Attempted) =>
          persistently(
            "A webhook attempt is not recorded yet",
            Effect.uninterruptible(Effect.suspend(() =>
              lanes.settle({ ...attempted, lease, breaker: Ref.getUnsafe(breaker), breaker_epoch: epoch })
            ))
          )

        const attempt = Effect.fnUntraced(
          function*(lane: LaneState, delivery: TakenDelivery, startedHeld: boolean) {
            const attempted = yield* attempts.make(lane, delivery, secretsAt)
            const { ended_at, error } = attempted.attempt
            yield* judge(error === null, ended_at, startedHeld)
            yield* call.stir
            if (!(yield* settle(attempted))) progress.lost = true
            else if (error !== null && shouldDisable(yield* Ref.get(breaker), ended_at, rules)) {
              yield* disabling.disableFailing({ club_id, endpoint_id }, epoch)
            }
            progress.underWay.delete(delivery.id)
            yield* call.stir
          },
          Effect.catchCause((cause) => {
            // Left under way, it would keep the lane for ever: the lane is dropped, and taken up again when its lease ends.
            progress.lost = true
            return Effect.andThen(Effect.logError("A webhook attempt broke off", { endpoint_id }, cause), call.stir)
          })
        )

        const allowedNow = Effect.gen(function*() {
          return allowance(yield* Ref.get(breaker), yield* DateTime.now, {
            inFlight: progress.sending,
            laneConcurrency
          })
        })

        // An attempt may have ended while these were read: what the breaker says now counts.
        const start = Effect.fnUntraced(function*(lane: LaneState, deliveries: ReadonlyArray<TakenDelivery>) {
          const { requestedOnly, slots } = yield* allowedNow
          const startedHeld = isHeld(yield* Ref.get(breaker))
          const allowed = deliveries.filter(({ trigger }) => !requestedOnly || trigger !== "schedule").slice(0, slots)
          for (const delivery of allowed) {
            progress.started(delivery.id)
            yield* FiberSet.run(fibers, attempt(lane, delivery, startedHeld))
          }
          progress.settleSlots()
        })

        /** False once the lease is lost. */
        const look = Effect.fnUntraced(function*(slots: number, requestedOnly: boolean) {
          const taken = yield* persistently(
            "A webhook lane is not read yet",
            lanes.take({ lease, slots, requestedOnly, inFlight: [...progress.underWay] })
          )
          if (Option.isNone(taken)) return false
          const { deliveries, lane } = taken.value
          wakes = lane.wakes
          if (lane.breaker_epoch !== epoch) {
            epoch = lane.breaker_epoch
            yield* Ref.set(breaker, breakerOf(lane))
          }
          progress.hungry = slots > 0 && deliveries.length === slots
          yield* start(lane, deliveries)
          return true
        })

        const giveBack = Effect.gen(function*() {
          const { hold_until } = yield* Ref.get(breaker)
          const now = yield* DateTime.now
          return yield* persistently(
            "A webhook lane is not given back yet",
            lanes.release({ lease, wakes, notBefore: DateTime.max(hold_until ?? now, now) })
          )
        })

        while (!progress.lost) {
          if (yield* call.answer) progress.hungry = true
          const mayStart = !course.stopping() &&
            (!course.crowded(club_id) || DateTime.isLessThan(yield* DateTime.now, turnEnds))
          if (mayStart && progress.hungry) {
            const { requestedOnly, slots } = yield* allowedNow
            const room = progress.reserve(slots)
            if (room > 0 && !(yield* look(room, requestedOnly))) return
          }
          if (progress.underWay.size === 0 && !(mayStart && progress.hungry)) {
            if (yield* giveBack) return
            // Somebody woke the lane meanwhile, or it is lost: looking tells.
            if (!(yield* look(0, false))) return
            progress.hungry = true
            continue
          }
          yield* call.next
        }
      }, Effect.scoped)

      return LaneRunner.of({ run })
    })
  )
}
