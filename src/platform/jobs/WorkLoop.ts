import { Deferred, type Duration, Effect, Fiber } from "effect"

interface WorkLoop {
  /** Takes no new work once `stop` completes, and ends when no work is in progress any longer. */
  readonly work: (stop: Deferred.Deferred<void>) => Effect.Effect<void>
  /** How long what is in hand may hold up the end. */
  readonly shutdownGrace: Duration.Input
  /** The log line if `shutdownGrace` was not enough. */
  readonly onCutOff: string
}

/** Runs work for as long as the scope lives. Closing the scope stops it, waits for what is in hand and then cuts it off. */
export const workLoop = Effect.fnUntraced(function*({ shutdownGrace, onCutOff, work }: WorkLoop) {
  const stop = yield* Deferred.make<void>()
  yield* Effect.acquireRelease(
    Effect.forkDetach(work(stop)),
    (fiber) =>
      Deferred.succeed(stop, undefined).pipe(
        Effect.andThen(Effect.interruptible(Fiber.await(fiber))),
        Effect.timeoutOrElse({
          duration: shutdownGrace,
          orElse: () => Effect.andThen(Effect.logWarning(onCutOff), Fiber.interrupt(fiber))
        })
      )
  )
})
