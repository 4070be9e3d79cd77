import { Effect } from "effect"

// Statements that a transaction sends in one write and that PostgreSQL runs one after another: each sees what those before
// it have done and waited for. All have ended before the first failure, in their order, is the answer.

/** Two, such as a lock and what is read under it. */
export const bothAtOnce = <A, E, R, B, E2, R2>(
  first: Effect.Effect<A, E, R>,
  second: Effect.Effect<B, E2, R2>
): Effect.Effect<readonly [A, B], E | E2, R | R2> =>
  Effect.flatMap(
    Effect.all([Effect.exit(first), Effect.exit(second)], { concurrency: "unbounded" }),
    ([one, other]) => Effect.all([one, other])
  )

/** Any number that answer alike. */
export const allAtOnce = <A, E, R>(
  statements: ReadonlyArray<Effect.Effect<A, E, R>>
): Effect.Effect<ReadonlyArray<A>, E, R> =>
  Effect.flatMap(
    Effect.forEach(statements, Effect.exit, { concurrency: "unbounded" }),
    (exits) => Effect.all(exits)
  )
