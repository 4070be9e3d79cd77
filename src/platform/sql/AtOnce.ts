import { Effect } from "effect"

/**
 * Two statements of a transaction, such as a lock and what is read under it, in one write. PostgreSQL runs them one after
 * another: the second sees what the first has done and waited for. Both have ended before this does; where both fail, the
 * failure is the first one's.
 */
export const bothAtOnce = <A, E, R, B, E2, R2>(
  first: Effect.Effect<A, E, R>,
  second: Effect.Effect<B, E2, R2>
): Effect.Effect<readonly [A, B], E | E2, R | R2> =>
  Effect.flatMap(
    Effect.all([Effect.exit(first), Effect.exit(second)], { concurrency: "unbounded" }),
    ([one, other]) => Effect.all([one, other])
  )

/**
 * The same for any number of statements with one type of answer. It fails with the failure of the first statement that
 * failed, in their order.
 */
export const allAtOnce = <A, E, R>(
  statements: ReadonlyArray<Effect.Effect<A, E, R>>
): Effect.Effect<ReadonlyArray<A>, E, R> =>
  Effect.flatMap(
    Effect.forEach(statements, Effect.exit, { concurrency: "unbounded" }),
    (exits) => Effect.all(exits)
  )
