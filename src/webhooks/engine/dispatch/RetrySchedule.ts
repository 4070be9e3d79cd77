import { Cause, Duration, Effect, Option, Pull, Random, Schedule } from "effect"

/** The contract's constants (Delivery behavior 3 and 4). */
export interface RetryRules {
  /** The wait after attempt 1, 2 and so on; one more attempt follows the last. */
  readonly retry_schedule: ReadonlyArray<Duration.Duration>
  /** Each wait varies by this share of it, up and down. */
  readonly retry_jitter: number
  /** The longest `Retry-After` that is honored. */
  readonly retry_after_max: Duration.Duration
}

/** A failed attempt of the schedule. */
export interface FailedAttempt {
  /** Attempts of the schedule so far, this one included: 1 after the first. */
  readonly step: number
  readonly retryAfter: Option.Option<Duration.Duration>
}

/**
 * The schedule of a delivery's attempts. Its input is a failed attempt; output and delay are the wait after it, in whole
 * milliseconds. It ends with the last attempt. `Retry-After` is a floor: it lengthens a wait, up to its own limit, and
 * jitter never goes below it.
 *
 * The schedule keeps nothing between steps, so a delivery resumes at any step, in any process. Randomness is Effect's
 * `Random`.
 */
export const retrySchedule = (
  { retry_after_max, retry_jitter, retry_schedule }: RetryRules
): Schedule.Schedule<Duration.Duration, FailedAttempt> =>
  Schedule.fromStep(Effect.succeed((_now: number, { retryAfter, step }: FailedAttempt) => {
    const nominal = retry_schedule[step - 1]
    if (nominal === undefined) return Cause.done(Duration.zero)
    return Effect.map(Random.next, (random): [Duration.Duration, Duration.Duration] => {
      const jittered = Duration.millis(Math.round(Duration.toMillis(nominal) * (1 + retry_jitter * (2 * random - 1))))
      const wait = Option.match(retryAfter, {
        onNone: () => jittered,
        onSome: (asked) => Duration.max(jittered, Duration.min(asked, retry_after_max))
      })
      return [wait, wait]
    })
  }))

/** Takes one step of the schedule: the wait after a failed attempt. `None` after the last. */
export type NextWait = (failed: FailedAttempt) => Effect.Effect<Option.Option<Duration.Duration>>

/** Made once for each set of rules, not for each attempt. */
export const makeNextWait = (rules: RetryRules): Effect.Effect<NextWait> =>
  Effect.map(Schedule.toStep(retrySchedule(rules)), (step) => (failed) =>
    // The waits do not depend on the time.
    step(0, failed).pipe(
      Effect.map(([wait]) => Option.some(wait)),
      Pull.catchDone(() => Effect.succeed(Option.none()))
    ))
