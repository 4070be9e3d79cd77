import { DateTime, Deferred, Duration, Effect, Fiber, FiberMap, Layer, Option } from "effect"
import { makeSignal } from "../../platform/jobs/Signal.ts"
import { WorkWatch } from "../../platform/jobs/WorkWatch.ts"
import { LaneNotifications } from "../lane/LaneNotifications.ts"
import { WebhookRules } from "../model/WebhookSettings.ts"
import { AttemptCapacity } from "./AttemptCapacity.ts"
import { Attempts } from "./Attempts.ts"
import { HeldLanes } from "./HeldLanes.ts"
import { type DispatcherState, LaneRunner } from "./LaneRunner.ts"
import { LanesRepo, waitingLanes } from "./LanesRepo.ts"
import { type ClaimedLane, keyOf } from "./Lease.ts"

/** Attempts in flight may hold up a shutdown for this long; what is cut off is sent again by another worker. */
const drain = Duration.seconds(16)

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

const makeStart = Effect.fnUntraced(function*(held: HeldLanes, fibers: LaneFibers, state: DispatcherState) {
  const runner = yield* LaneRunner
  return Effect.fnUntraced(function*(lane: ClaimedLane) {
    const signal = yield* held.add(lane)
    const { endpoint_id } = lane
    const run = runner.run(lane, state, signal).pipe(
      // Its lease ends by itself, and then another worker claims the lane.
      Effect.catchCause((cause) => Effect.logError("A webhook lane was dropped", { endpoint_id }, cause)),
      Effect.ensuring(held.remove(lane))
    )
    yield* FiberMap.run(fibers, keyOf(lane), run)
  })
})

/** Claims once and starts what it has claimed, and then waits until there may be more. */
const makeTick = Effect.fnUntraced(function*(
  held: HeldLanes,
  { pollEvery, start, stopped }: DispatcherOptions & {
    readonly start: (lane: ClaimedLane) => Effect.Effect<void>
    readonly stopped: Effect.Effect<void>
  }
) {
  const lanes = yield* LanesRepo
  const notifications = yield* LaneNotifications
  const watch = yield* WorkWatch
  const signal = yield* makeSignal
  yield* watch?.watch(waitingLanes, signal) ?? Effect.void

  // Says what to wait for. While nothing is held, what is due later is found by the watch.
  const whatIsNext = Effect.gen(function*() {
    const isWatched = watch !== undefined && held.isEmpty
    const due = yield* lanes.nextDue(held.except)
    const now = yield* DateTime.now
    const pause = Option.match(due, {
      onNone: () => isWatched ? Duration.infinity : pollEvery,
      // A lane that is due and was not claimed is locked by another worker for a moment.
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
    yield* held.resetGivenBack
    const limit = Math.min(claimSize, held.claimLimit)
    const claimed = limit > 0 ? yield* lanes.claim(limit, held.except) : []
    yield* Effect.forEach(claimed, start, { discard: true })
    // A full claim says that more may be due.
    if (claimed.length > 0 && claimed.length === limit) return
    const isFull = held.claimLimit === 0
    yield* Effect.raceAllFirst([
      isFull ? Effect.never : notifications.after(seen),
      held.isAnyAtShare ? held.whenGivenBack : Effect.never,
      stopped,
      isFull ? Effect.sleep(pollEvery) : yield* whatIsNext
    ])
  })
})

// One timer for all lanes: for what came due while attempts are under way, and for wakes that were missed.
const makeWaking = Effect.fnUntraced(function*(held: HeldLanes, { pollEvery }: DispatcherOptions) {
  const notifications = yield* LaneNotifications
  return Effect.gen(function*() {
    yield* held.whenOccupied
    const seen = notifications.count()
    yield* held.wakeAll
    yield* Effect.raceFirst(notifications.after(seen), Effect.sleep(pollEvery))
  }).pipe(Effect.forever)
})

const makeHeartbeat = Effect.fnUntraced(function*(held: HeldLanes, fibers: LaneFibers) {
  const lanes = yield* LanesRepo
  const { lease } = yield* WebhookRules
  return Effect.gen(function*() {
    const leases = held.leases
    const extended = new Set((yield* lanes.heartbeat([...leases.values()])).map(keyOf))
    // A lane that was given back meanwhile is not lost.
    const lost = [...leases.keys()].filter((key) => !extended.has(key) && held.has(key))
    if (lost.length === 0) return
    yield* Effect.logWarning("Leases of webhook lanes were lost; what was under way there may be sent again", {
      lanes: lost.length
    })
    yield* Effect.forEach(lost, (key) => FiberMap.remove(fibers, key), { discard: true })
  }).pipe(
    Effect.catchCause((cause) => Effect.logWarning("Leases of webhook lanes were not extended", cause)),
    Effect.delay(Duration.times(lease, 1 / 3)),
    Effect.forever
  )
})

/**
 * Claims lanes that are due and runs a fiber for each. Any number of processes may run it. On closing it claims no more,
 * lets attempts in flight end and gives the lanes back.
 */
const dispatch = Effect.fnUntraced(function*(options: DispatcherOptions) {
  const rules = yield* WebhookRules
  const stop = yield* Deferred.make<void>()
  const fibers: LaneFibers = yield* FiberMap.make<string, void, never>()
  const capacity = new AttemptCapacity(rules.concurrency)
  const held = new HeldLanes(capacity.lanes)
  const isStopping = () => Deferred.isDoneUnsafe(stop)
  const start = yield* makeStart(held, fibers, { capacity, isStopping, isAtShare: held.isAtShare })
  const tick = yield* makeTick(held, { ...options, start, stopped: Deferred.await(stop) })

  const claiming = tick.pipe(
    Effect.catchCause((cause) =>
      Effect.andThen(Effect.logError("Leasing webhook lanes failed", cause), Effect.sleep(Duration.seconds(1)))
    ),
    Effect.repeat({ until: isStopping })
  )

  yield* Effect.forkScoped(yield* makeHeartbeat(held, fibers))
  yield* Effect.forkScoped(yield* makeWaking(held, options))
  yield* Effect.acquireRelease(Effect.forkDetach(claiming), (fiber) =>
    Effect.gen(function*() {
      yield* Deferred.succeed(stop, undefined)
      yield* held.wakeAll
      yield* Effect.andThen(Fiber.await(fiber), FiberMap.awaitEmpty(fibers)).pipe(
        Effect.interruptible,
        Effect.timeoutOrElse({
          duration: drain,
          orElse: () => Effect.logWarning("Webhook attempts in flight are left for another worker")
        })
      )
    }))
})

/** The dispatcher, on the services that the caller provides. */
export const webhookDispatcherLayerNoDeps = (options: DispatcherOptions) => Layer.effectDiscard(dispatch(options))

/** The dispatcher, on the sender that the caller provides. */
export const webhookDispatcherLayer = (options: DispatcherOptions) =>
  webhookDispatcherLayerNoDeps(options).pipe(
    Layer.provide(LaneRunner.layerNoDeps),
    Layer.provide([LanesRepo.layer, Attempts.layer])
  )
