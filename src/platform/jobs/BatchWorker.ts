import { type Cause, Deferred, type Duration, Effect } from "effect"
import { ClockGuard } from "./ClockGuard.ts"
import { workLoop } from "./WorkLoop.ts"

interface Batches {
  /** Does one batch and says how much was in it. */
  readonly tick: Effect.Effect<number>
  /** A batch of this size says that more is waiting: the next one follows at once. */
  readonly full: number
  /** Ends when there may be something to do again. */
  readonly idle: Effect.Effect<void>
  /**
   * The longest pause after a batch in which there was something: more may have come due meanwhile. Else `idle` is
   * waited for.
   */
  readonly pollEvery?: Duration.Input
  /** How long the batch in hand may hold up the end. */
  readonly shutdownGrace: Duration.Input
  /** The log line for a batch that dies; the next one still runs. */
  readonly onFailure: string
  /** The log line if `shutdownGrace` was not enough. */
  readonly onCutOff: string
}

/**
 * Works batch by batch for as long as the scope lives, and ends between two: closing it waits for the current batch, up
 * to `shutdownGrace`. While our clock differs from the database's it begins no batch: leases and postponed work would get wrong
 * times.
 */
export const batchWorker = Effect.fnUntraced(function*(
  { shutdownGrace, full, idle, onCutOff, onFailure, pollEvery, tick }: Batches
) {
  const guard = yield* ClockGuard
  const failed = (cause: Cause.Cause<never>) => Effect.as(Effect.logError(onFailure, cause), 0)

  const work = Effect.fnUntraced(function*(stop: Deferred.Deferred<void>) {
    const pause = Effect.raceFirst(idle, Deferred.await(stop))
    const shortPause = pollEvery === undefined ? pause : Effect.raceFirst(pause, Effect.sleep(pollEvery))
    while (!(yield* Deferred.isDone(stop))) {
      const done = yield* Effect.catchCause(guard.work(tick, 0), failed)
      if (done < full) yield* done > 0 ? shortPause : pause
    }
  })

  yield* workLoop({ work, shutdownGrace, onCutOff })
})
