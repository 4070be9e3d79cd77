import { DateTime, Deferred, Duration, Effect, Fiber, FiberMap, Latch, Layer, Option } from "effect"
import { LanePulse } from "../lane/LanePulse.ts"
import { WebhookRules } from "../model/WebhookSettings.ts"
import { Slots } from "./AttemptCapacity.ts"
import { Attempts } from "./Attempts.ts"
import { Places } from "./LaneCapacity.ts"
import { type Course, LaneRunner } from "./LaneRunner.ts"
import { LaneCall } from "./LaneSignal.ts"
import { type Except, LanesRepo } from "./LanesRepo.ts"
import { type ClaimedLane, keyOf, type Lease } from "./Lease.ts"

/** Attempts in flight may hold up a shutdown for this long; what is cut off is sent again by another worker. */
const drain = Duration.seconds(16)

/** Lanes leased in one statement at most. */
const claims = 64

/** The least time between two looks that find nothing. */
const breath = Duration.millis(50)

/** How often a dispatcher looks by itself. */
export interface DispatcherOptions {
  /** The backstop for where neither a wake nor a due time says when to look next. */
  readonly pollEvery: Duration.Duration
}

interface Held {
  readonly lease: Lease
  readonly call: LaneCall
}

/**
 * Leases lanes that are due and runs a fiber for each. Any number of processes may run it. On closing it leases no more,
 * lets attempts in flight end and gives the lanes back.
 */
const dispatch = Effect.fnUntraced(function*({ pollEvery }: DispatcherOptions) {
  const lanes = yield* LanesRepo
  const runner = yield* LaneRunner
  const pulse = yield* LanePulse
  const rules = yield* WebhookRules
  const stop = yield* Deferred.make<void>()
  const fibers = yield* FiberMap.make<string, void, never>()
  const held = new Map<string, Held>()
  const slots = new Slots(rules.concurrency)
  const places = new Places(slots.lanes)
  const room = yield* Latch.make()
  const occupied = yield* Latch.make()
  const course: Course = {
    slots,
    stopping: () => Deferred.isDoneUnsafe(stop),
    crowded: (club) => places.hasShare(club)
  }

  const leave = (lane: ClaimedLane) =>
    Effect.suspend(() => {
      held.delete(keyOf(lane))
      places.giveBack(lane.club_id)
      return Effect.andThen(held.size === 0 ? occupied.close : Effect.void, room.open)
    })

  const start = Effect.fnUntraced(function*(lane: ClaimedLane) {
    const { club_id, endpoint_id, lease_id } = lane
    const call = new LaneCall()
    const key = keyOf(lane)
    held.set(key, { lease: { club_id, endpoint_id, lease_id }, call })
    places.take(club_id)
    yield* occupied.open
    const run = runner.run(lane, course, call).pipe(
      // Its lease ends by itself, and whoever has the lane then goes on.
      Effect.catchCause((cause) => Effect.logError("A webhook lane was dropped", { endpoint_id }, cause)),
      Effect.ensuring(leave(lane))
    )
    yield* FiberMap.run(fibers, key, run)
  })

  const except = (): Except => ({
    clubs: places.withShare(),
    endpoints: Array.from(held.values(), ({ lease }) => lease.endpoint_id)
  })

  const untilDue = Effect.gen(function*() {
    const due = yield* lanes.nextDue(except())
    const now = yield* DateTime.now
    return Option.match(due, {
      onNone: () => pollEvery,
      // A lane that is due and was not to be had is somebody else's for a moment.
      onSome: (at) =>
        Duration.clamp(DateTime.distance(now, DateTime.max(at, now)), { minimum: breath, maximum: pollEvery })
    })
  })

  const tick = Effect.gen(function*() {
    const seen = pulse.count()
    yield* room.close
    const limit = Math.min(claims, places.room)
    const found = limit > 0 ? yield* lanes.claim(limit, except()) : []
    yield* Effect.forEach(found, start, { discard: true })
    // A full claim says that more may be due.
    if (found.length > 0 && found.length === limit) return
    const isFull = places.room === 0
    yield* Effect.raceAllFirst([
      isFull ? Effect.never : pulse.after(seen),
      places.withShare().length > 0 ? room.await : Effect.never,
      Deferred.await(stop),
      Effect.sleep(isFull ? pollEvery : yield* untilDue)
    ])
  })

  const work = tick.pipe(
    Effect.catchCause((cause) =>
      Effect.andThen(Effect.logError("Leasing webhook lanes failed", cause), Effect.sleep(Duration.seconds(1)))
    ),
    Effect.repeat({ until: () => course.stopping() })
  )

  // One timer for all lanes: what came due while attempts are under way, and what nobody told of.
  const ringing = Effect.gen(function*() {
    yield* occupied.await
    const seen = pulse.count()
    yield* Effect.forEach(held.values(), ({ call }) => call.ring, { discard: true })
    yield* Effect.raceFirst(pulse.after(seen), Effect.sleep(pollEvery))
  }).pipe(Effect.forever)

  const heartbeat = Effect.gen(function*() {
    const asked = new Map(Array.from(held, ([key, { lease }]) => [key, lease]))
    const still = new Set((yield* lanes.heartbeat([...asked.values()])).map(keyOf))
    // One that was given back meanwhile is not lost.
    const lost = [...asked.keys()].filter((key) => !still.has(key) && held.has(key))
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

  yield* Effect.forkScoped(heartbeat)
  yield* Effect.forkScoped(ringing)
  yield* Effect.acquireRelease(Effect.forkDetach(work), (fiber) =>
    Effect.gen(function*() {
      yield* Deferred.succeed(stop, undefined)
      yield* Effect.forEach(held.values(), ({ call }) => call.ring)
      yield* Effect.andThen(Fiber.await(fiber), FiberMap.awaitEmpty(fibers)).pipe(
        Effect.interruptible,
        Effect.timeoutOrElse({
          duration: drain,
          orElse: () => Effect.logWarning("Webhook attempts in flight are left for another worker")
        })
      )
    }))
})

/** The dispatcher as a layer, on the sender that the caller provides. */
export const WebhookDispatcher = {
  layerNoDeps: (options: DispatcherOptions) => Layer.effectDiscard(dispatch(options)),
  layer: (options: DispatcherOptions) =>
    Layer.effectDiscard(dispatch(options)).pipe(
      Layer.provide(LaneRunner.layerNoDeps),
      Layer.provide([LanesRepo.layer, Attempts.layer])
    )
}
