import { Context, DateTime, Deferred, Duration, Effect, Fiber, FiberMap, Layer, Option, type Scope } from "effect"
import { makeSignal } from "../../../platform/jobs/Signal.ts"
import { WorkWatch } from "../../../platform/jobs/WorkWatch.ts"
import { WebhookRules } from "../../model/WebhookSettings.ts"
import { LaneNotifications } from "../lane/LaneNotifications.ts"
import { AttemptCapacity } from "./AttemptCapacity.ts"
import { Attempts } from "./Attempts.ts"
import { type DispatcherState, LaneRunner } from "./LaneRunner.ts"
import { LanesRepo, waitingLanes } from "./LanesRepo.ts"
import { type ClaimedLane, keyOf } from "./Lease.ts"
import { LeasedLanes } from "./LeasedLanes.ts"

/** Attempts in flight may delay a shutdown for this long. Another worker sends those that it cuts off again. */
const shutdownGrace = Duration.seconds(16)

/** Lanes claimed in one statement at most. */
const claimSize = 64

/** The least time between two claims that find nothing. */
const shortestPause = Duration.millis(50)

/** How often a dispatcher looks by itself. */
export interface DispatcherOptions {
  /** The backstop for where neither a wake nor a due time nor the watch says when to look next. */
  readonly pollEvery: Duration.Duration
}

/** The fibers of lanes, by `keyOf` their lease. */
type LaneFibers = FiberMap.FiberMap<string, void, never>

/** The state of one run of the dispatcher. */
interface DispatcherRun extends DispatcherOptions {
  readonly lanes: LeasedLanes
  readonly fibers: LaneFibers
}

/**
 * Sends what is due. Any number of processes may run it. It keeps only the lanes that it has leased: a lane's breaker is in the
 * lane's row, and in a `Ref` of the lane's fiber.
 */
export class WebhookDispatcher extends Context.Service<WebhookDispatcher, {
  /**
   * Leases due lanes and runs a fiber for each, until the scope closes. Then it stops leasing, lets attempts in flight
   * end and releases the lanes.
   */
  dispatch(options: DispatcherOptions): Effect.Effect<void, never, Scope.Scope>
}>()("turma/webhooks/engine/dispatch/WebhookDispatcher") {
  static readonly layerNoDeps = Layer.effect(
    WebhookDispatcher,
    Effect.gen(function*() {
      const repo = yield* LanesRepo
      const notifications = yield* LaneNotifications
      const rules = yield* WebhookRules
      const runner = yield* LaneRunner
      const watch = yield* WorkWatch

      const makeStart = ({ fibers, lanes }: DispatcherRun, state: DispatcherState) =>
        Effect.fnUntraced(function*(lane: ClaimedLane) {
          const signal = yield* lanes.add(lane)
          const { endpoint_id } = lane
          const run = runner.run(lane, state, signal).pipe(
            // Its lease ends by itself, and then another worker claims the lane.
            Effect.catchCause((cause) => Effect.logError("A webhook lane was dropped", { endpoint_id }, cause)),
            Effect.ensuring(lanes.remove(lane))
          )
          yield* FiberMap.run(fibers, keyOf(lane), run)
        })

      // Claims once and starts what it has claimed, and then waits until there may be more.
      const makeTick = Effect.fnUntraced(function*(
        { lanes, pollEvery }: DispatcherRun,
        { start, stopped }: {
          readonly start: (lane: ClaimedLane) => Effect.Effect<void>
          readonly stopped: Effect.Effect<void>
        }
      ) {
        const signal = yield* makeSignal
        yield* watch?.watch(waitingLanes, signal) ?? Effect.void

        // Chooses the next wait. While no lane is leased here, the watch finds lanes that come due.
        const whatIsNext = Effect.gen(function*() {
          const isWatched = watch !== undefined && lanes.isEmpty
          const due = yield* repo.nextDue(lanes.except)
          const now = yield* DateTime.now
          const pause = Option.match(due, {
            onNone: () => isWatched ? Duration.infinity : pollEvery,
            // Another worker has locked a due lane for a moment if it was not claimed.
            onSome: (at) =>
              Duration.clamp(DateTime.distance(now, DateTime.max(at, now)), {
                minimum: shortestPause,
                maximum: isWatched ? Duration.infinity : pollEvery
              })
          })
          return isWatched ? Effect.raceFirst(signal.next, Effect.sleep(pause)) : Effect.sleep(pause)
        })

        return Effect.gen(function*() {
          const seen = notifications.count()
          yield* lanes.resetGivenBack
          const limit = Math.min(claimSize, lanes.claimLimit)
          const claimed = limit > 0 ? yield* repo.claim(limit, lanes.except) : []
          yield* Effect.forEach(claimed, start, { discard: true })
          // A full claim says that more may be due.
          if (claimed.length > 0 && claimed.length === limit) return
          const isFull = lanes.claimLimit === 0
          yield* Effect.raceAllFirst([
            isFull ? Effect.never : notifications.after(seen),
            lanes.isAnyAtShare ? lanes.whenGivenBack : Effect.never,
            stopped,
            isFull ? Effect.sleep(pollEvery) : yield* whatIsNext
          ])
        })
      })

      // One timer for all lanes: for what came due while attempts are under way, and for wakes that were missed.
      const waking = ({ lanes, pollEvery }: DispatcherRun) =>
        Effect.gen(function*() {
          yield* lanes.whenOccupied
          const seen = notifications.count()
          yield* lanes.wakeAll
          yield* Effect.raceFirst(notifications.after(seen), Effect.sleep(pollEvery))
        }).pipe(Effect.forever)

      const heartbeat = ({ fibers, lanes }: DispatcherRun) =>
        Effect.gen(function*() {
          const leases = lanes.leases
          const extended = new Set((yield* repo.heartbeat([...leases.values()])).map(keyOf))
          // A lane that was released meanwhile is not lost.
          const lost = [...leases.keys()].filter((key) => !extended.has(key) && lanes.has(key))
          if (lost.length === 0) return
          yield* Effect.logWarning("Leases of webhook lanes were lost; what was under way there may be sent again", {
            lanes: lost.length
          })
          yield* Effect.forEach(lost, (key) => FiberMap.remove(fibers, key), { discard: true })
        }).pipe(
          Effect.catchCause((cause) => Effect.logWarning("Leases of webhook lanes were not extended", cause)),
          Effect.delay(Duration.times(rules.lease, 1 / 3)),
          Effect.forever
        )

      const dispatch = Effect.fnUntraced(function*(options: DispatcherOptions) {
        const stop = yield* Deferred.make<void>()
        const fibers: LaneFibers = yield* FiberMap.make<string, void, never>()
        const capacity = new AttemptCapacity(rules.concurrency)
        const lanes = new LeasedLanes(capacity.lanes)
        const run: DispatcherRun = { ...options, lanes, fibers }
        const isStopping = () => Deferred.isDoneUnsafe(stop)
        const start = makeStart(run, { capacity, isStopping, isAtShare: lanes.isAtShare })
        const tick = yield* makeTick(run, { start, stopped: Deferred.await(stop) })

        const claiming = tick.pipe(
          Effect.catchCause((cause) =>
            Effect.andThen(Effect.logError("Leasing webhook lanes failed", cause), Effect.sleep(Duration.seconds(1)))
          ),
          Effect.repeat({ until: isStopping })
        )

        yield* Effect.forkScoped(heartbeat(run))
        yield* Effect.forkScoped(waking(run))
        yield* Effect.acquireRelease(Effect.forkDetach(claiming), (fiber) =>
          Effect.gen(function*() {
            yield* Deferred.succeed(stop, undefined)
            yield* lanes.wakeAll
            yield* Effect.andThen(Fiber.await(fiber), FiberMap.awaitEmpty(fibers)).pipe(
              Effect.interruptible,
              Effect.timeoutOrElse({
                duration: shutdownGrace,
                orElse: () => Effect.logWarning("Webhook attempts in flight wait for another worker")
              })
            )
          }))
      })

      return WebhookDispatcher.of({ dispatch })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide(LaneRunner.layerNoDeps),
    Layer.provide([LanesRepo.layer, Attempts.layer])
  )
}

/** Dispatches for as long as the layer lives. */
export const webhookDispatcherLayer = (options: DispatcherOptions) =>
  Layer.effectDiscard(WebhookDispatcher.use(({ dispatch }) => dispatch(options)))
