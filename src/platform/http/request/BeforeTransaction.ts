import { Cause, Context, Effect, type Exit, Option } from "effect"

type Known = Context.Context<never>
type Postpone = (work: Effect.Effect<Known>) => Effect.Effect<never>

/** Rolls the transaction back, does the work and begins again; `None` outside of such a transaction. */
const Postponing = Context.Reference<Option.Option<Postpone>>("turma/platform/http/request/Postponing", {
  defaultValue: Option.none
})

/**
 * Runs long work, or work that waits for others (a name server, a lock), outside of the transaction of a request with
 * an `Idempotency-Key`. The transaction rolls back, the work runs, and the request begins again. It then gets the
 * result, a failure too, at this same place. So call it first in a service's method. `key` names the result: one of a
 * kind in a request. Without the header the work runs here and now.
 */
export const beforeTransaction = Effect.fnUntraced(function*<I, A, E>(
  key: Context.Key<I, Exit.Exit<A, E>>,
  work: Effect.Effect<A, E>
) {
  const known = yield* Effect.serviceOption(key)
  if (Option.isSome(known)) return yield* known.value
  const postponing = yield* Postponing
  if (Option.isNone(postponing)) return yield* work
  return yield* postponing.value(Effect.map(Effect.exit(work), (exit) => Context.make(key, exit)))
})

/**
 * Runs a transaction that may meet `beforeTransaction`: it is then rolled back, its connection given back, the work done
 * and the transaction begun again.
 */
export const restartable = <A, E, R>(transaction: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    let postponed: Option.Option<Effect.Effect<Known>> = Option.none()
    // An interruption rolls back and is not an error in a trace.
    const postpone: Postpone = (work) =>
      Effect.suspend(() => {
        postponed = Option.some(work)
        return Effect.interrupt
      })
    return transaction.pipe(
      Effect.provideService(Postponing, Option.some(postpone)),
      Effect.catchCause((cause) =>
        Option.isSome(postponed) && Cause.hasInterruptsOnly(cause)
          ? Effect.flatMap(
            postponed.value,
            (known) => restartable(Effect.provideContext(transaction, known))
          )
          : Effect.failCause(cause)
      )
    )
  })
