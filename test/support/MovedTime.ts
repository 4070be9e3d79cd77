import { DateTime, Layer } from "effect"
import { DatabaseTime } from "../../src/sql/DatabaseTime.ts"
import { ClockGuard } from "../../src/workers/ClockGuard.ts"

/** A database whose clock moves along with the test's. */
export const MovedTimeLayer = Layer.succeed(DatabaseTime, { ask: () => DateTime.now, isOurs: false })

/** The guard of the clock on such a database, which then has no doubts. */
export const MovedGuardLayer = Layer.fresh(ClockGuard.layer).pipe(Layer.provideMerge(MovedTimeLayer))
