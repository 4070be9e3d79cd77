import { DateTime, Duration } from "effect"

/** The circuit breaker of an endpoint (contract, Circuit breaker of an endpoint), as its lane's row has it. */
export interface Breaker {
  /** Failed attempts since the last accepted one. */
  readonly consecutive_failures: number
  /** Holds since the last accepted attempt; 0 is the normal state. */
  readonly holds: number
  /** From when one attempt may probe; null in the normal state. */
  readonly hold_until: DateTime.Utc | null
  /** The end of the first failed attempt since the last accepted one. Null without a failure since then. */
  readonly failing_since: DateTime.Utc | null
}

/** The contract's constants (Limits), each greater than zero. */
export interface BreakerRules {
  /** Failures in a row after which an endpoint is held. */
  readonly hold_after: number
  /** The first hold. */
  readonly hold_base: Duration.Duration
  /** The longest hold. */
  readonly hold_max: Duration.Duration
  /** How long an endpoint may accept nothing before it is disabled. */
  readonly disable_after: Duration.Duration
}

/** How a breaker starts, and how any accepted attempt or enabling leaves it. */
export const normalBreaker: Breaker = { consecutive_failures: 0, holds: 0, hold_until: null, failing_since: null }

/** True if attempts go one at a time. */
export const isHeld = ({ holds }: Breaker): boolean => holds > 0

/** After any 2xx. */
export const afterSuccess = (_breaker: Breaker): Breaker => normalBreaker

/** The first hold is the base; each further one is twice as long, up to the longest. */
const holdUntil = (holds: number, at: DateTime.Utc, { hold_base, hold_max }: BreakerRules): DateTime.Utc =>
  DateTime.addDuration(
    at,
    Duration.millis(Math.min(Duration.toMillis(hold_base) * 2 ** (holds - 1), Duration.toMillis(hold_max)))
  )

/**
 * The breaker after an attempt that failed at `at`. While held, only a probe holds again: an attempt that started while
 * held. Attempts that were under way when the hold began only add to the count of failures.
 */
export const afterFailure = (
  breaker: Breaker,
  { at, startedHeld }: { readonly at: DateTime.Utc; readonly startedHeld: boolean },
  rules: BreakerRules
): Breaker => {
  const consecutive_failures = breaker.consecutive_failures + 1
  const failing_since = breaker.failing_since ?? at
  const holdsAgain = isHeld(breaker) ? startedHeld : consecutive_failures >= rules.hold_after
  if (!holdsAgain) return { ...breaker, consecutive_failures, failing_since }
  const holds = breaker.holds + 1
  return { consecutive_failures, holds, hold_until: holdUntil(holds, at, rules), failing_since }
}

/**
 * True if an endpoint whose attempt has just failed is disabled. The time counts from its first failed attempt since the
 * last accepted one, so an endpoint without one is never disabled.
 */
export const shouldDisable = (
  { failing_since }: Breaker,
  at: DateTime.Utc,
  { disable_after }: Pick<BreakerRules, "disable_after">
): boolean =>
  failing_since !== null && DateTime.isLessThanOrEqualTo(DateTime.addDuration(failing_since, disable_after), at)

/** Number of attempts that may start now, and if only those that a person asked for. */
export const allowance = (
  breaker: Breaker,
  now: DateTime.Utc,
  { inFlight, laneConcurrency }: { readonly inFlight: number; readonly laneConcurrency: number }
): { readonly requestedOnly: boolean; readonly slots: number } => {
  if (!isHeld(breaker)) return { requestedOnly: false, slots: Math.max(0, laneConcurrency - inFlight) }
  const mayProbe = breaker.hold_until === null || DateTime.isLessThanOrEqualTo(breaker.hold_until, now)
  return { requestedOnly: !mayProbe, slots: inFlight > 0 ? 0 : 1 }
}
