import { Cause, Effect, Schema } from "effect"
import { SqlError } from "effect/sql"

/** Another transaction changed the student's address after it was read and before the student was locked. */
export class ConcurrentAddressChange
  extends Schema.TaggedError<ConcurrentAddressChange>()("ConcurrentAddressChange", {})
{}

/** Another transaction removed the student after they were read and before they were locked. */
export class RemovedMeanwhile extends Schema.TaggedError<RemovedMeanwhile>()("RemovedMeanwhile", {}) {}

const faultsOf = ({ reasons }: Cause.Cause<unknown>): ReadonlyArray<unknown> =>
  reasons.map((reason) =>
    Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined
  )

/** Most faults of the database are defects here, and some of these are only the reason of a fault. */
const isDeadlock = (cause: Cause.Cause<unknown>): boolean =>
  faultsOf(cause).some((fault) => (SqlError.isSqlError(fault) ? fault.reason : fault) instanceof SqlError.DeadlockError)

const isConcurrentAddressChange = (cause: Cause.Cause<unknown>): boolean =>
  faultsOf(cause).some((fault) => fault instanceof ConcurrentAddressChange)

const isRemovedMeanwhile = (cause: Cause.Cause<unknown>): boolean =>
  faultsOf(cause).some((fault) => fault instanceof RemovedMeanwhile)

/**
 * The most repetitions of a transaction after deadlocks. The other transaction waits for the lock, and a repetition may
 * take the lock before the other one wakes up. Then the two meet once more.
 */
const mostDeadlocks = 5

/**
 * Repeats a transaction up to five times after deadlocks, and after each concurrent change of the address. Repeats it
 * once after a removal, which the next attempt finds. The repetitions for changes of the address end, since the other
 * transaction has committed each time.
 */
export const retryConflicts = <A, E, R>(transaction: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  transaction.pipe(
    Effect.sandbox,
    Effect.retry({ times: mostDeadlocks, while: isDeadlock }),
    Effect.retry({ times: 1, while: isRemovedMeanwhile }),
    Effect.retry({ while: isConcurrentAddressChange }),
    Effect.catch(Effect.failCause)
  )
