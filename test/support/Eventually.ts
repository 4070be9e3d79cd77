import { Effect } from "effect"
import { setImmediate } from "node:timers/promises"

const shown = (answer: unknown) => JSON.stringify(answer, (_, value) => typeof value === "bigint" ? `${value}` : value)

/** Asks until the answer is as expected; between two questions, real servers and sockets get their turn. */
export const eventually = <A, E, R>(question: Effect.Effect<A, E, R>, isExpected: (answer: A) => boolean) =>
  Effect.andThen(Effect.promise(() => setImmediate()), question).pipe(
    Effect.repeat({ until: isExpected, times: 30_000 }),
    Effect.tap((answer) =>
      isExpected(answer) ? Effect.void : Effect.die(new Error(`It never came to be: ${shown(answer)}`))
    )
  )
