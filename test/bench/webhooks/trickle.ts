import { Effect, FiberSet } from "effect"

/** Milliseconds since 1970 with a fraction, the same clock in every process. */
export const preciseNow = (): number => performance.timeOrigin + performance.now()

interface Rate {
  readonly perSecond: number
  readonly seconds: number
}

/**
 * Runs an effect at an even rate, even if earlier runs have not ended, and ends with the last of them. Answers the
 * start and the result of each run, in the order of the starts.
 */
export const atRate = Effect.fn("atRate")(function*<A, E, R>(
  one: Effect.Effect<A, E, R>,
  { perSecond, seconds }: Rate
) {
  const begun: Array<{ readonly at: number; readonly result: A }> = []
  const fibers = yield* FiberSet.make<void, E>()
  const start = preciseNow()
  for (let count = 0; count < perSecond * seconds; count++) {
    const early = start + count * 1000 / perSecond - preciseNow()
    if (early > 1) yield* Effect.sleep(early)
    const at = preciseNow()
    yield* FiberSet.run(fibers, Effect.map(one, (result) => void begun.push({ at, result })))
  }
  yield* Effect.raceFirst(FiberSet.join(fibers), FiberSet.awaitEmpty(fibers))
  return begun
}, Effect.scoped)
