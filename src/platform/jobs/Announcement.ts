import { Effect } from "effect"
import { makeSignal, type Signal } from "./Signal.ts"
import type { WorkQueue } from "./WorkQueue.ts"
import { WorkWatch } from "./WorkWatch.ts"

/**
 * The effect that a service runs after the commit of queued work: workers begin at once, in any process. Take it while
 * layers are built, since a request does not carry the watch.
 */
export const announcementOf = (queue: WorkQueue): Effect.Effect<Effect.Effect<void>> =>
  Effect.map(WorkWatch, (watch) => watch?.announce(queue) ?? Effect.void)

/** A signal for the worker of this process that is an announcement where nobody here has ever waited for it. */
export const announcedSignal = Effect.fnUntraced(function*(queue: WorkQueue) {
  const announce = yield* announcementOf(queue)
  const { next, notify } = yield* makeSignal
  let isHeard = false
  const signal: Signal = {
    notify: Effect.suspend(() => isHeard ? notify : Effect.andThen(notify, announce)),
    next: Effect.suspend(() => {
      isHeard = true
      return next
    })
  }
  return signal
})
