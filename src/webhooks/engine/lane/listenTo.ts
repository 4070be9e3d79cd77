import { Duration, Effect, Queue, Schedule, type Scope } from "effect"
import { Notifications } from "../../../platform/sql/Connections.ts"

/**
 * Hears a channel's notifications until the scope closes, and batches those of one moment. If the connection breaks, it
 * connects again and logs `problem`.
 */
export const listenTo = (
  channel: string,
  problem: string,
  hear: (payloads: ReadonlyArray<string>) => Effect.Effect<void>
): Effect.Effect<void, never, Notifications | Scope.Scope> =>
  Effect.gen(function*() {
    const listener = yield* Notifications
    const listen = Effect.scoped(Effect.gen(function*() {
      const notifications = yield* listener.listen(channel)
      while (true) {
        const heard = yield* Queue.takeAll(notifications)
        yield* hear(heard.map(({ payload }) => payload))
      }
    }))
    yield* listen.pipe(
      Effect.tapCause(() => Effect.logWarning(problem)),
      Effect.retry(Schedule.spaced(Duration.seconds(5))),
      Effect.forkScoped
    )
  })
