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

/** A failed attempt as the ladder sees it. */
export interface Failure {
  /** Attempts on the ladder so far, this one included: 1 after the first. */
  readonly rung: number
  readonly retryAfter: Option.Option<Duration.Duration>
}

/** Attempts on the ladder: 8 in the contract. */
export const maxAttempts = ({ retry_schedule }: Pick<RetryRules, "retry_schedule">): number => retry_schedule.length + 1

/**
 * The wait after the attempt on this rung, in whole milliseconds; none after the last. `random` is in [0, 1).
 * `Retry-After` is a floor: it lengthens a wait, up to its own limit, and jitter never goes below it.
 */
export const waitAfter = (
  rung: number,
  retryAfter: Option.Option<Duration.Duration>,
  random: number,
  { retry_after_max, retry_jitter, retry_schedule }: RetryRules
): Option.Option<Duration.Duration> =>
  Option.map(Option.fromUndefinedOr(retry_schedule[rung - 1]), (wait) => {
    const jittered = Duration.millis(Math.round(Duration.toMillis(wait) * (1 + retry_jitter * (2 * random - 1))))
    return Option.match(retryAfter, {
      onNone: () => jittered,
      onSome: (asked) => Duration.max(jittered, Duration.min(asked, retry_after_max))
    })
  })

const stepOf = (rules: RetryRules) => (_now: number, { retryAfter, rung }: Failure) =>
  Effect.flatMap(Random.next, (random) =>
    Option.match(waitAfter(rung, retryAfter, random, rules), {
      onNone: () => Cause.done(Duration.zero),
      onSome: (wait) => Effect.succeed<[Duration.Duration, Duration.Duration]>([wait, wait])
    }))

/**
 * The ladder as a schedule over failed attempts, with waits as output and delay. It keeps nothing between steps, so a
 * delivery resumes it at any rung, in any process. Randomness is Effect's `Random`.
 */
export const retrySchedule = (rules: RetryRules): Schedule.Schedule<Duration.Duration, Failure> =>
  Schedule.fromStep(Effect.succeed(stepOf(rules)))

type Step = (
  now: number,
  failure: Failure
) => Pull.Pull<[Duration.Duration, Duration.Duration], never, Duration.Duration>

// One step function for each set of rules, and a process has one set.
const steps = new WeakMap<RetryRules, Step>()

const stepFor = (rules: RetryRules): Effect.Effect<Step> => {
  const known = steps.get(rules)
  if (known !== undefined) return Effect.succeed(known)
  return Effect.map(Schedule.toStep(retrySchedule(rules)), (step) => {
    steps.set(rules, step)
    return step
  })
}

/** One step of the schedule: how long to wait after this failed attempt; none where it was the last. */
export const nextWait = (failure: Failure, rules: RetryRules): Effect.Effect<Option.Option<Duration.Duration>> =>
  stepFor(rules).pipe(
    // The ladder does not look at the time.
    Effect.flatMap((step) => step(0, failure)),
    Effect.map(([wait]) => Option.some(wait)),
    Pull.catchDone(() => Effect.succeed(Option.none()))
  )
