import { Context, Effect } from "effect"

/** Number of parts of one request that now wait for something other than the database. */
export interface Waits {
  count: number
}

/** The waits of the current request; undefined outside of requests. */
export const OutsideWaits = Context.Reference<Waits | undefined>("turma/platform/http/request/OutsideWaits", {
  defaultValue: () => undefined
})

/**
 * Runs work that waits for a model, a bucket, a payment provider, a name server or the disk. Such work has a limit of
 * its own; meanwhile the limit of `Unanswered` does not count for the request.
 */
export const waitsOutside = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(OutsideWaits, (waits) =>
    waits === undefined ? work : Effect.acquireUseRelease(
      Effect.sync(() => void (waits.count += 1)),
      () => work,
      () => Effect.sync(() => void (waits.count -= 1))
    ))
