import { Effect } from "effect"
import { setImmediate } from "node:timers/promises"

const shown = (answer: unknown) => JSON.stringify(answer, (_, value) => typeof value === "bigint" ? `${value}` : value)

/**
 * Asks until the answer is as expected. Between two questions, real servers and sockets get a turn. The number of
 * questions says nothing about their progress, so only the test's own timeout ends it. It then logs the last answer.
 */
export const eventually = <A, E, R>(question: Effect.Effect<A, E, R>, isExpected: (answer: A) => boolean) => {
  let last: A | undefined
  return Effect.andThen(Effect.promise(() => setImmediate()), question).pipe(
    Effect.tap((answer) =>
      Effect.sync(() => {
        last = answer
      })
    ),
    Effect.repeat({ until: isExpected }),
    Effect.onInterrupt(() => Effect.logError(`It never came to be: ${shown(last)}`))
  )
}
