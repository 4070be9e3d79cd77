import { Context, Effect, Latch } from "effect"

/** Of a process that goes on. */
export const makeShutdown = () => {
  const latch = Latch.makeUnsafe()
  let hasBegun = false
  return {
    /** Whether the process is on its way out: it begins no wait any more. */
    hasBegun: () => hasBegun,
    /** From now on requests that only wait are to end. */
    begin: Effect.suspend(() => {
      hasBegun = true
      return Effect.asVoid(latch.open)
    }),
    /** Ends when that has begun. */
    begun: latch.await
  }
}

/** Whether this process got the signal to stop, for requests that wait for something to happen. */
export const Shutdown = Context.Reference<ReturnType<typeof makeShutdown>>("turma/platform/processes/Shutdown", {
  defaultValue: makeShutdown
})
