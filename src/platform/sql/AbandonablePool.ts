import type { PgConnection, PgPool } from "@effect/sql-pg"
import { type Clock, Effect, type Scope } from "effect"
import { SqlError } from "effect/sql"
import { destroySocket } from "../patches/DriverConnection.ts"

/** Work on a connection. */
export type Work<A> = (connection: PgConnection.PgConnection) => Effect.Effect<A, SqlError.SqlError>

export interface AbandonablePool {
  /** Lends a connection for as long as the work takes. */
  use<A>(work: Work<A>): Effect.Effect<A, SqlError.SqlError>
  /** Lends a connection for as long as the scope is open, to nobody else. */
  readonly reserve: Effect.Effect<PgConnection.PgConnection, SqlError.SqlError, Scope.Scope>
  /**
   * The same from a pool that lends each connection to one borrower at a time. Statements that the borrower issues
   * together are sent together.
   */
  readonly lease: Effect.Effect<PgConnection.PgConnection, SqlError.SqlError, Scope.Scope>
  /** The connection is closed once nobody has it any more. */
  invalidate(connection: PgConnection.PgConnection): Effect.Effect<void>
  /** Whatever is being asked of a connection fails now, and whatever will be fails then. */
  abandon(): void
  /** Work under way, or waiting for a connection. */
  readonly busy: () => number
  /** The connections that somebody has. */
  readonly inUse: () => ReadonlyArray<PgConnection.PgConnection>
  /** Room for work at a time. */
  readonly places: number
  /** Work that has a place. In a pool with shared connections, several share one connection. */
  readonly taken: () => number
  /** Number of callers that wait for a free place. */
  readonly waiting: () => number
  /** Number of such waits that have ended, and their time together. */
  readonly waits: () => { readonly count: number; readonly seconds: number }
}

const abandoned = () =>
  new SqlError.SqlError({
    reason: new SqlError.ConnectionError({ cause: new Error("The database did not answer"), operation: "acquire" })
  })

/** Counts and times the waits for a place. A caller that finds a free place is not timed. */
const makeWaits = (clock: Clock.Clock) => {
  let waiting = 0
  let count = 0
  let nanos = 0n
  return {
    begin: () => {
      waiting += 1
      return clock.monotonicTimeNanosUnsafe()
    },
    end: (since: bigint) => {
      waiting -= 1
      count += 1
      nanos += clock.monotonicTimeNanosUnsafe() - since
    },
    waiting: () => waiting,
    ended: () => ({ count, seconds: Number(nanos) / 1e9 })
  }
}

/** A pool of so many places. A caller can give up its place even if the other end does not answer. */
export const abandonable = (pool: PgPool.PgPool, places: number, clock: Clock.Clock): AbandonablePool => {
  const inUse = new Map<PgConnection.PgConnection, number>()
  const waits = makeWaits(clock)
  let isAbandoned = false
  let asked = 0
  let taken = 0
  // A caller that is still waiting for its connection has its place, also while that connection opens.
  const waitsSince = () => asked >= places ? waits.begin() : undefined
  const enter = (connection: PgConnection.PgConnection) => {
    taken += 1
    inUse.set(connection, (inUse.get(connection) ?? 0) + 1)
    if (isAbandoned) destroySocket(connection)
  }
  const leave = (connection: PgConnection.PgConnection) => {
    taken -= 1
    const users = (inUse.get(connection) ?? 1) - 1
    if (users === 0) inUse.delete(connection)
    else inUse.set(connection, users)
  }
  const unlessAbandoned = <A, R>(work: () => Effect.Effect<A, SqlError.SqlError, R>) =>
    Effect.suspend(() => isAbandoned ? Effect.fail(abandoned()) : work())
  const untilClosed = (take: PgPool.PgPool["get"]) =>
    unlessAbandoned(() =>
      Effect.uninterruptibleMask((restore) =>
        Effect.suspend(() => {
          const since = waitsSince()
          asked += 1
          const taking = Effect.onError(restore(take), () => Effect.sync(() => asked -= 1))
          const timed = since === undefined ? taking : Effect.onExit(taking, () => Effect.sync(() => waits.end(since)))
          return Effect.flatMap(timed, (connection) => {
            enter(connection)
            const end = Effect.sync(() => {
              asked -= 1
              leave(connection)
            })
            return Effect.as(Effect.addFinalizer(() => end), connection)
          })
        })
      )
    )
  return {
    use: (work) =>
      unlessAbandoned(() => {
        let used: PgConnection.PgConnection | undefined
        let since = waitsSince()
        const endWait = () => {
          if (since === undefined) return
          waits.end(since)
          since = undefined
        }
        asked += 1
        return Effect.ensuring(
          pool.use((connection) => {
            endWait()
            used = connection
            enter(connection)
            return work(connection)
          }),
          Effect.sync(() => {
            asked -= 1
            endWait()
            if (used !== undefined) leave(used)
          })
        )
      }),
    reserve: untilClosed(pool.reserve),
    lease: untilClosed(pool.get),
    invalidate: pool.invalidate,
    abandon: () => {
      isAbandoned = true
      for (const connection of inUse.keys()) destroySocket(connection)
    },
    busy: () => asked,
    inUse: () => [...inUse.keys()],
    places,
    taken: () => taken,
    waiting: waits.waiting,
    waits: waits.ended
  }
}

/** Of these pools the one with the least to do. */
export const leastBusy = (pools: readonly [AbandonablePool, ...ReadonlyArray<AbandonablePool>]): AbandonablePool =>
  pools.reduce((least, pool) => pool.busy() < least.busy() ? pool : least)
