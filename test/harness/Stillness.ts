import { PgClient } from "@effect/sql-pg"
import { Clock, Context, Duration, Effect, Latch, Layer, Scheduler } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, type SqlError } from "effect/sql"
import { countingScheduler, turn } from "./CountingScheduler.ts"
import { PostgresLayer } from "./Postgres.ts"

/** Idle turns that prove rest: work of one turn counts in the next, and a third turn finds work that both missed. */
const calmTurns = 3

interface Sleeper {
  readonly at: number
  readonly latch: Latch.Latch
}

/**
 * Sleepers that wake on request, all at once after a leap of the clock. A plain `TestClock` wakes them one after
 * another while it moves. How far each then gets before an answer of the database differs from run to run.
 */
const sleepersOf = () => {
  const sleepers = new Set<Sleeper>()
  const over = (clock: Clock.Clock): Clock.Clock => ({
    ...clock,
    sleep: (duration) =>
      Effect.suspend(() => {
        if (Duration.toMillis(duration) <= 0) return Effect.yieldNow
        const sleeper = { at: clock.currentTimeMillisUnsafe() + Duration.toMillis(duration), latch: Latch.makeUnsafe() }
        sleepers.add(sleeper)
        return Effect.ensuring(sleeper.latch.await, Effect.sync(() => void sleepers.delete(sleeper)))
      })
  })
  /** Wakes due sleepers; true if there were any. */
  const wake = (now: number): boolean => {
    const due = [...sleepers].filter(({ at }) => at <= now)
    for (const sleeper of due) {
      sleepers.delete(sleeper)
      sleeper.latch.openUnsafe()
    }
    return due.length > 0
  }
  return { over, wake }
}

/**
 * Knows when all work of layers built with `driven` rests, and no statement is under way. Every fiber then waits for
 * time, the network or another fiber, even on a busy machine. Statements that wait for a lock are under way.
 */
export class Stillness extends Context.Service<Stillness, {
  /** Wakes the sleepers until now, and ends once nothing runs. */
  readonly still: Effect.Effect<void>
  /** Number of statements sent so far, including those that begin and end transactions. */
  readonly sent: () => number
  readonly scheduler: Scheduler.Scheduler
  /** The clock with sleepers that `still` wakes. */
  over(clock: Clock.Clock): Clock.Clock
}>()("test/Stillness") {
  /** Counts the statements of this database. Each is late by `lag` turns of the event loop. */
  static readonly layer = (
    { database = PostgresLayer, lag = 0 }: { readonly database?: typeof PostgresLayer; readonly lag?: number } = {}
  ) =>
    Layer.effectContext(Effect.gen(function*() {
      const pool = yield* SqlClient.SqlClient
      const { left, scheduler } = countingScheduler()
      const { over, wake } = sleepersOf()
      let open = 0
      let sent = 0
      const counted = <A, E, R>(work: Effect.Effect<A, E, R>) =>
        Effect.suspend(() => {
          open += 1
          return Effect.ensuring(
            work,
            Effect.sync(() => {
              open -= 1
            })
          )
        })
      const late = lag === 0 ? Effect.void : Effect.repeat(turn, { times: lag - 1 })
      const through = (
        run: <A>(
          work: (connection: SqlConnection.Connection) => Effect.Effect<A, SqlError.SqlError>
        ) => Effect.Effect<A, SqlError.SqlError>
      ): SqlConnection.Connection => {
        const send: typeof run = (work) =>
          run((connection) => {
            sent += 1
            return work(connection)
          })
        return {
          execute: (sql, params, transform) => send((c) => c.execute(sql, params, transform)),
          executeRaw: (sql, params) => send((c) => c.executeRaw(sql, params)),
          executeValues: (sql, params) => send((c) => c.executeValues(sql, params)),
          executeValuesUnprepared: (sql, params) => send((c) => c.executeValuesUnprepared(sql, params)),
          executeUnprepared: (sql, params, transform) => send((c) => c.executeUnprepared(sql, params, transform)),
          executeStream: () => {
            throw new Error("Streams are not counted")
          }
        }
      }
      const sql = yield* SqlClient.make({
        acquirer: Effect
          .succeed(through((work) => counted(Effect.andThen(late, Effect.scoped(Effect.flatMap(pool.reserve, work)))))),
        transactionAcquirer: Effect.map(counted(pool.reserve), (connection) =>
          through((work) => counted(Effect.andThen(late, work(connection))))),
        compiler: PgClient.makeCompiler(),
        driver: "pg",
        spanAttributes: []
      })
      const calm = Effect.gen(function*() {
        for (let turns = 0; turns < calmTurns;) {
          yield* turn
          turns = left.tasks === 0 && open === 0 ? turns + 1 : 0
        }
      })
      const still = Effect.clockWith((clock) =>
        Effect.repeat(calm, {
          while: () =>
            wake(clock.currentTimeMillisUnsafe())
        })
      )
      return Context.make(Stillness, Stillness.of({ still, sent: () => sent, scheduler, over }))
        .pipe(Context.add(SqlClient.SqlClient, sql))
    })).pipe(Layer.provide(Reactivity.layer), Layer.provideMerge(database))

  /** The layer with all its fibers counted, on a clock whose sleepers `still` wakes. */
  static readonly driven = <A, E, R>(layer: Layer.Layer<A, E, R>): Layer.Layer<A, E, R | Stillness> =>
    Layer.unwrap(Effect.gen(function*() {
      const { over, scheduler } = yield* Stillness
      const clock = over(yield* Clock.Clock)
      return Layer.provide(layer, [
        Layer.succeed(Scheduler.Scheduler, scheduler),
        Layer.succeed(Clock.Clock, clock)
      ])
    }))
}
