import { Context, Deferred, Duration, Effect, Layer, RcRef } from "effect"
import { waitsOutside } from "../../../platform/http/request/OutsideWaits.ts"
import { Shutdown } from "../../../platform/processes/Shutdown.ts"
import { type Awaited, FeedRepo } from "./FeedRepo.ts"

/** How often the feeds that are waited for are looked at. */
const lookEvery = Duration.seconds(1)

interface Waiting extends Awaited {
  readonly end: Deferred.Deferred<void>
}

/**
 * Lets readers of feeds wait for the next event. A wait has no connection to the database: one statement a second looks
 * for all waits of a process. So a waiting reader costs the assembly nothing.
 */
export class FeedWaits extends Context.Service<FeedWaits, {
  /** Ends when the feed has an event behind the position, at the end of this time, or when the process stops. */
  wait(awaited: Awaited, atMost: Duration.Duration): Effect.Effect<void>
}>()("turma/webhooks/events/feed/FeedWaits") {
  static readonly layerNoDeps = Layer.effect(
    FeedWaits,
    Effect.gen(function*() {
      const repo = yield* FeedRepo
      const shutdown = yield* Shutdown
      const all = new Set<Waiting>()

      const look = Effect.gen(function*() {
        if (all.size === 0) return
        const waiting = [...all]
        const clubs = new Set(yield* repo.further(waiting))
        for (const { club_id, end } of waiting) {
          if (clubs.has(club_id)) Deferred.doneUnsafe(end, Effect.void)
        }
      })

      const watching = yield* RcRef.make({
        idleTimeToLive: lookEvery,
        acquire: Effect.sleep(lookEvery).pipe(
          Effect.andThen(look),
          Effect.catchCause((cause) => Effect.logWarning("Feeds of events were not looked at", cause)),
          Effect.forever,
          Effect.forkScoped
        )
      })

      const enter = (awaited: Awaited) =>
        Effect.acquireRelease(
          Effect.sync(() => {
            const waiting: Waiting = { ...awaited, end: Deferred.makeUnsafe() }
            all.add(waiting)
            return waiting
          }),
          (waiting) => Effect.sync(() => void all.delete(waiting))
        )

      const wait = Effect.fn("FeedWaits.wait")(function*(awaited: Awaited, atMost: Duration.Duration) {
        if (shutdown.hasBegun()) return
        yield* RcRef.get(watching)
        const { end } = yield* enter(awaited)
        yield* waitsOutside(Effect.raceAllFirst([Deferred.await(end), shutdown.begun, Effect.sleep(atMost)]))
      }, Effect.scoped)

      return FeedWaits.of({ wait })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(FeedRepo.layer))
}
