import { type Duration, Effect, Schedule, type Scope } from "effect"

interface Rounds {
  /** From the end of a round to the beginning of the next. */
  readonly every: Duration.Input
  /** The wait before the first round; by default it begins at once. */
  readonly startAfter?: Duration.Input
  /** The log line for a round that dies; the next one still runs. */
  readonly onFailure: string
  /** How serious a failure is; an error unless said otherwise. */
  readonly level?: "Error" | "Warn"
}

/** Runs work again and again beside everything else, for as long as the scope lives. */
export const repeatedly = <R>(
  work: Effect.Effect<unknown, never, R>,
  { every, level = "Error", onFailure, startAfter }: Rounds
): Effect.Effect<void, never, R | Scope.Scope> =>
  work.pipe(
    Effect.catchCause((cause) => Effect.logWithLevel(level)(onFailure, cause)),
    Effect.repeat(Schedule.spaced(every)),
    (rounds) => startAfter === undefined ? rounds : Effect.delay(rounds, startAfter),
    Effect.forkScoped,
    Effect.asVoid
  )
