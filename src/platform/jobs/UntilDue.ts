import { type Duration, Effect } from "effect"
import { makeSignal, type Signal } from "./Signal.ts"
import type { WorkQueue } from "./WorkQueue.ts"
import { WorkWatch } from "./WorkWatch.ts"

interface Waiting {
  /** How often a worker looks for itself if no watch does so for all. */
  readonly pollEvery: Duration.Input
  /** Of work that comes in this process, if there is one. */
  readonly signal?: Signal
}

/** The wait of an idle worker until there may be work in its queue, for as long as the scope lives. */
export const untilDue = Effect.fnUntraced(function*(queue: WorkQueue, { pollEvery, signal: given }: Waiting) {
  const watch = yield* WorkWatch
  const signal = given ?? (yield* makeSignal)
  if (watch === undefined) return Effect.raceFirst(Effect.sleep(pollEvery), signal.next)
  yield* watch.watch(queue, signal)
  return signal.next
})
