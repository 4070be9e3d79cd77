import type { PgConnection } from "@effect/sql-pg"
import { Cause, Clock, type Duration, Effect, Fiber, Option } from "effect"
import { cancelStatements, destroySocket } from "../patches/DriverConnection.ts"
import { isReadOnlyRefusal } from "./SqlState.ts"

/** What ends by itself within the first need not be canceled; what is canceled has the second to end. */
const patience = { grace: "10 millis", drain: "5 seconds" } as const

/**
 * Makes what runs a statement on a connection that several may be under way on, and that is nobody else's. Interrupted, it
 * is canceled at the server, and this ends once the connection is silent, so that nobody's next statement waits behind
 * it. One at which nobody answers is closed. `retire` gets one whose server refuses to write, as a replica does.
 */
export const cancellingWith = (
  clock: Clock.Clock,
  retire: (connection: PgConnection.PgConnection) => Effect.Effect<void> = () => Effect.void
) => {
  const stopping = new WeakSet<PgConnection.PgConnection>()

  const stop = Effect.fnUntraced(function*(connection: PgConnection.PgConnection) {
    // Who has a connection pinned has waited until nothing is under way on it.
    const silent = yield* Effect.forkDetach(Effect.scoped(connection.pin), { startImmediately: true })
    const isSilentWithin = (limit: Duration.Input) =>
      Effect.map(Effect.timeoutOption(Fiber.await(silent), limit), Option.isSome)
    if (yield* isSilentWithin(patience.grace)) return
    // Where nobody answers, to ask for the end takes as long as to wait for it.
    const asking = yield* Effect.forkDetach(cancelStatements(connection), { startImmediately: true })
    const isSilent = yield* isSilentWithin(patience.drain)
    if (!isSilent) destroySocket(connection)
    yield* Fiber.await(asking)
  }, Effect.provideService(Clock.Clock, clock))

  // Of several that are interrupted at once one cancels, and all wait.
  const stopOnce = (connection: PgConnection.PgConnection) =>
    Effect.suspend(() => {
      if (stopping.has(connection)) return Effect.asVoid(Effect.scoped(connection.pin))
      stopping.add(connection)
      return Effect.ensuring(stop(connection), Effect.sync(() => void stopping.delete(connection)))
    })

  return <A, E>(connection: PgConnection.PgConnection, statement: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.onError(statement, (cause) =>
      Cause.hasInterrupts(cause)
        ? stopOnce(connection)
        : cause.reasons.some((reason) => Cause.isFailReason(reason) && isReadOnlyRefusal(reason.error))
        ? retire(connection)
        : Effect.void)
}
