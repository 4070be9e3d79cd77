import { type Duration, Effect, Layer } from "effect"
import { repeatedly } from "../../platform/jobs/Repeatedly.ts"
import { Listeners } from "./Listeners.ts"

/**
 * Deletes listeners that nobody polls any more, for the first time after one interval: where the service was away, those
 * that listened come back first. Behind the `ClockGuard` of `Listeners`.
 */
export const listenerSweepLayer = ({ every }: { readonly every: Duration.Input }) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const { removeUnpolled } = yield* Listeners
    yield* repeatedly(removeUnpolled, {
      startAfter: every,
      every,
      onFailure: "Listeners that nobody polls are not looked for"
    })
  }))
