import { Context, Duration, Effect, Latch, Layer, Queue, Schedule } from "effect"
import { Notifications } from "../../platform/sql/Connections.ts"
import { lanesChannel } from "./LaneChanges.ts"

/** Notifications that lanes were woken, by any process. One that is missed delays work until somebody looks. */
export class LaneNotifications extends Context.Service<LaneNotifications, {
  /** How many there were so far. */
  count(): number
  /** Ends with the first one after this many, at once if there was one. */
  after(count: number): Effect.Effect<void>
}>()("turma/webhooks/lane/LaneNotifications") {
  /** Listens on a connection of its own, and connects again if that breaks. */
  static readonly layer = Layer.effect(
    LaneNotifications,
    Effect.gen(function*() {
      const listener = yield* Notifications
      const latch = yield* Latch.make()
      let count = 0
      const listen = Effect.scoped(Effect.gen(function*() {
        const notifications = yield* listener.listen(lanesChannel)
        while (true) {
          yield* Queue.takeAll(notifications)
          count += 1
          yield* latch.release
        }
      }))
      yield* listen.pipe(
        Effect.tapCause(() => Effect.logWarning("Wakes of webhook lanes are found by looking for now")),
        Effect.retry(Schedule.spaced(Duration.seconds(5))),
        Effect.forkScoped
      )
      return LaneNotifications.of({
        count: () => count,
        after: (seen) => Effect.suspend(() => count > seen ? Effect.void : latch.await)
      })
    })
  )
}
