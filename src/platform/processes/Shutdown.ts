import { Context, Effect, Latch } from "effect"

/** Of a process that goes on. */
export const makeShutdown = () => {
  const latch = Latch.makeUnsafe()
  let hasBegun = false
  return {
    /** True if the process is stopping. It then begins no wait. */
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

/** True if this process got the signal to stop, for requests that wait for something to happen. */
export const Shutdown = Context.Reference<ReturnType<typeof makeShutdown>>("turma/platform/processes/Shutdown", {
  defaultValue: makeShutdown
})
