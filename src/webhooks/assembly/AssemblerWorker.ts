import { type Cause, Deferred, Duration, Effect, Fiber, Layer } from "effect"
import { Assembler, batch } from "./Assembler.ts"

/** How long a batch in flight may hold up a shutdown. One that is cut off is rolled back and assembled by another. */
const drain = Duration.seconds(10)

/**
 * Assembles what is due for as long as the layer lives, asking every so often whether there is anything. Any number of
 * processes may run it. It ends between two batches.
 */
export const assemblerLayer = (
  { pollEvery = "250 millis" }: { readonly pollEvery?: Duration.Input } = {}
): Layer.Layer<never, never, Assembler> =>
  Layer.effectDiscard(Effect.gen(function*() {
    const { assemble } = yield* Assembler
    const stop = yield* Deferred.make<void>()
    const idle = Effect.raceFirst(Effect.sleep(pollEvery), Deferred.await(stop))
    const failed = (cause: Cause.Cause<never>) => Effect.as(Effect.logError("Assembly of events failed", cause), 0)

    const work = Effect.gen(function*() {
      while (!(yield* Deferred.isDone(stop))) {
        const taken = yield* Effect.catchCause(assemble(), failed)
        if (taken < batch) yield* idle
      }
    })

    yield* Effect.acquireRelease(
      Effect.forkDetach(work),
      (fiber) =>
        Deferred.succeed(stop, undefined).pipe(
          Effect.andThen(Effect.interruptible(Fiber.await(fiber))),
          Effect.timeoutOrElse({
            duration: drain,
            orElse: () => Effect.andThen(Effect.logWarning("An assembly is cut off"), Fiber.interrupt(fiber))
          })
        )
    )
  }))
