import { Clock, Effect } from "effect"

const elapsed = Effect.fnUntraced(function*<A, E, R>(work: Effect.Effect<A, E, R>) {
  const start = yield* Clock.monotonicTimeNanos
  yield* work
  return Number((yield* Clock.monotonicTimeNanos) - start) / 1e6
})

/**
 * Does two works by turns, each first every other time, so that whatever else the machine does meets both alike.
 * Answers how many milliseconds each took, sorted; the first `warmUp` pairs are left out.
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

/** How far apart two durations are: 0 is equal, 0.5 is twice as long, 0.9 is ten times. */
export const gap = (one: number, other: number) => Math.abs(one - other) / Math.max(one, other)
