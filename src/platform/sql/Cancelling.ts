import type { PgConnection } from "@effect/sql-pg"
import { Cause, Clock, type Duration, Effect, Fiber, Option } from "effect"
import { cancelStatements, destroySocket } from "../patches/DriverConnection.ts"
import { isReadOnlyRefusal } from "./SqlState.ts"

/** A statement that ends within the first time is not canceled; a canceled one has the second time to end. */
const patience = { grace: "10 millis", silence: "5 seconds" } as const

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
    // A pinned connection means that nothing runs on it any longer.
    const silent = yield* Effect.forkDetach(Effect.scoped(connection.pin), { startImmediately: true })
    const isSilentWithin = (limit: Duration.Input) =>
      Effect.map(Effect.timeoutOption(Fiber.await(silent), limit), Option.isSome)
    if (yield* isSilentWithin(patience.grace)) return
    // If the server does not answer, the request to cancel takes as long as the wait for the statement.
    const asking = yield* Effect.forkDetach(cancelStatements(connection), { startImmediately: true })
    const isSilent = yield* isSilentWithin(patience.silence)
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
