import { Clock, Effect } from "effect"
import { SqlError } from "effect/sql"
import { type AbandonablePool, leastBusy, type Work } from "./AbandonablePool.ts"
import { boundPerKey } from "./BoundPerKey.ts"
import { cancellingWith } from "./Cancelling.ts"
import { type ReadLane, scanLimit } from "./ReadLane.ts"
import type { Replica } from "./Replica.ts"
import { laneFull, tookTooLong } from "./SqlState.ts"

/** Milliseconds. A read that was interrupted after that long has met a connection that does not answer. */
const silence = 10_000

/** Short reads of one club that are under way at a time: half of what one connection takes. */
const mostShared = 16

/**
 * Scans that may wait, of one club and of all, and those of one founder that wait or run. With more, the answer is 503. A club
 * without a scan is always let in.
 */
const waiting = { ofClub: 32, ofAll: 256 }
const mostOfOwner = 64

/** Runs a statement on the connections of a lane. */
type Run = <A>(work: Work<A>) => Effect.Effect<A, SqlError.SqlError>

interface ReadLanesOptions {
  readonly clock: Clock.Clock
  readonly lookups: AbandonablePool
  readonly shared: readonly [AbandonablePool, ...ReadonlyArray<AbandonablePool>]
  /** Runs a scan on a connection of its own. */
  readonly scan: Run
  /** The most scans that may be under way. */
  readonly scans: number
  readonly replica: Replica | undefined
}

/** The party that a read runs for, its lane, and whether it may run at the replica. */
interface Asked {
  readonly key: string | undefined
  readonly scansOf: Effect.Effect<string | undefined>
  readonly lane: ReadLane
  readonly mayReadReplica: boolean
}

const full = new SqlError.SqlError({
  reason: new SqlError.ConnectionError({ cause: laneFull, operation: "acquire" })
})

const late = new SqlError.SqlError({
  reason: new SqlError.StatementTimeoutError({ cause: tookTooLong, operation: "query" })
})

/** Ends a scan at its limit if the server does not know the limit. */
const limitedHere = <A>(
  scan: Effect.Effect<A, SqlError.SqlError>,
  clock: Clock.Clock
): Effect.Effect<A, SqlError.SqlError> =>
  Effect.provideService(
    Effect.timeoutOrElse(scan, { duration: scanLimit, orElse: () => Effect.fail(late) }),
    Clock.Clock,
    clock
  )

/** Runs a scan with its connection to itself. `isLimited`: the server knows the limit of what runs there. */
export const scanWith = (pool: AbandonablePool, clock: Clock.Clock, isLimited: boolean): Run => {
  const cancelling = cancellingWith(clock, pool.invalidate)
  return (work) =>
    pool.use((connection) => {
      const scan = cancelling(connection, work(connection))
      return isLimited ? scan : limitedHere(scan, clock)
    })
}

/** The one place that decides on which connection a read runs, and how many of a club run at a time. */
export const makeReadLanes = ({ clock, lookups, replica, scan, scans, shared }: ReadLanesOptions) => {
  const reads = boundPerKey({ places: mostShared })
  const places = Math.max(1, Math.floor(scans / 2))
  const scansPerKey = boundPerKey({ places, waiting: waiting.ofClub, inAll: waiting.ofAll })
  const scansPerOwner = boundPerKey({ places })
  const owners = boundPerKey({ places: mostOfOwner, waiting: 0 })

  // A read that is interrupted after a long silence closes its connection, which does not answer. The driver then
  // closes connections that are not shared.
  const on = (pool: AbandonablePool): Run => (work) =>
    pool.use((connection) => {
      const since = clock.currentTimeMillisUnsafe()
      return Effect.onInterrupt(
        work(connection),
        () => clock.currentTimeMillisUnsafe() - since < silence ? Effect.void : pool.invalidate(connection)
      )
    })
  const together: Run = (work) => Effect.suspend(() => on(leastBusy(shared))(work))
  const lookUp = on(lookups)

  return <A>(work: Work<A>, { key, lane, mayReadReplica, scansOf }: Asked): Effect.Effect<A, SqlError.SqlError> => {
    const here = lane === "scan" ? scan(work) : lane === "lookup" ? lookUp(work) : together(work)
    const read = mayReadReplica && replica !== undefined && lane !== "lookup" ? replica.read(work, here, lane) : here
    if (lane === "scan") {
      const ofClub = (scan: typeof read) => scansPerKey.run(key ?? "", scan, Effect.fail(full))
      // Clubs of one account have the share of one club, so that nobody fills the lane by founding more.
      return Effect.flatMap(scansOf, (owner) =>
        owner === undefined
          ? ofClub(read)
          : owners.run(owner, ofClub(scansPerOwner.run(owner, read, Effect.fail(full))), Effect.fail(full)))
    }
    return key === undefined ? read : reads.run(key, read, Effect.fail(full))
  }
}
