import { Context, Effect, Latch, Layer } from "effect"
import { lanesChannel } from "./LaneChanges.ts"
import { listenTo } from "./listenTo.ts"

/** Notifications that a process woke lanes. A missed one delays work until the next look. */
export class LaneNotifications extends Context.Service<LaneNotifications, {
  /** Number of notifications so far. */
  count(): number
  /** Ends with the first one after this many, at once if there was one. */
  after(count: number): Effect.Effect<void>
}>()("turma/webhooks/engine/lane/LaneNotifications") {
  /** Listens on a connection of its own, and connects again if that breaks. */
  static readonly layer = Layer.effect(
    LaneNotifications,
    Effect.gen(function*() {
      const latch = yield* Latch.make()
      let count = 0
      yield* listenTo(lanesChannel, "Wakes of webhook lanes are found by looking for now", () =>
        Effect.suspend(() => {
          count += 1
          return Effect.asVoid(latch.release)
        }))
      return LaneNotifications.of({
        count: () => count,
        after: (seen) => Effect.suspend(() => count > seen ? Effect.void : latch.await)
      })
    })
  )
}
