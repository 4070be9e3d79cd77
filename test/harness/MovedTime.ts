import { DateTime, Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { ClockGuard } from "../../src/platform/jobs/ClockGuard.ts"
import { DatabaseTime } from "../../src/platform/sql/DatabaseTime.ts"

/** A database whose clock moves with the test's. */
const MovedTimeLayer = Layer.succeed(DatabaseTime, { ask: () => DateTime.now, isOurs: false })

/** The guard of the clock on such a database. It never finds a difference. */
export const MovedGuardLayer = Layer.fresh(ClockGuard.layer).pipe(Layer.provideMerge(MovedTimeLayer))

let ahead = Duration.zero

/** A database whose clock moves with the test's, except during `whileAhead`. For one test at a time. */
export const StayingTimeLayer = Layer.succeed(DatabaseTime, {
  ask: () => Effect.map(DateTime.now, DateTime.subtractDuration(ahead)),
  isOurs: false
})

/** Runs `work` with our clock this much ahead, or behind. Then the clock is right again. */
export const whileAhead = <A, E, R>(by: Duration.Input, work: Effect.Effect<A, E, R>) => {
  const set = Effect.fnUntraced(function*(to: Duration.Duration) {
    const right = DateTime.subtractDuration(yield* DateTime.now, ahead)
    ahead = to
    yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.addDuration(right, to)))
  })
  return Effect.acquireUseRelease(set(Duration.fromInputUnsafe(by)), () => work, () => set(Duration.zero))
}
