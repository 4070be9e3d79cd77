import { Clock, Effect } from "effect"

const elapsed = Effect.fnUntraced(function*<A, E, R>(work: Effect.Effect<A, E, R>) {
  const start = yield* Clock.monotonicTimeNanos
  yield* work
  return Number((yield* Clock.monotonicTimeNanos) - start) / 1e6
})

/**
 * Runs two works in turns. Each comes first every other time, so other load on the machine affects both alike. Answers
 * the milliseconds that each took, sorted, without the first `warmUp` pairs.
 */
export const timedPairs = Effect.fn("timedPairs")(function*<E, R>(
  pairs: number,
  one: (pair: number) => Effect.Effect<unknown, E, R>,
  other: (pair: number) => Effect.Effect<unknown, E, R>,
  warmUp = 5
) {
  const times: { readonly one: Array<number>; readonly other: Array<number> } = { one: [], other: [] }
  for (let pair = 0; pair < warmUp + pairs; pair++) {
    const swap = pair % 2 === 1
    const first = yield* elapsed(swap ? other(pair) : one(pair))
    const second = yield* elapsed(swap ? one(pair) : other(pair))
    if (pair < warmUp) continue
    times.one.push(swap ? second : first)
    times.other.push(swap ? first : second)
  }
  return { one: times.one.toSorted((a, b) => a - b), other: times.other.toSorted((a, b) => a - b) }
})

/** The difference of two durations: 0 is equal, 0.5 is twice as long, 0.9 is ten times as long. */
export const gap = (one: number, other: number) => Math.abs(one - other) / Math.max(one, other)
