import { DateTime, type Duration, Option } from "effect"
import type { DeliveryStatus, Trigger } from "../../model/DeliveryStatus.ts"

/** What decides about the next attempt of a delivery, as its row had it when this attempt was taken. */
export interface TakenState {
  readonly status: DeliveryStatus
  /** Attempts of the retry schedule so far. */
  readonly step: number
  /** What the attempt comes from. */
  readonly trigger: Trigger
  /** The attempt is the only one: it ends succeeded or failed. */
  readonly once: boolean
}

/** What an attempt that has ended makes of its delivery. */
export interface AfterAttempt extends TakenState {
  /** Null unless another attempt follows. */
  readonly next_attempt_at: DateTime.Utc | null
  readonly finished_at: DateTime.Utc | null
}

/**
 * What the attempt makes of the delivery unless the delivery is changed meanwhile. `wait` follows this step of the retry
 * schedule; none after the last. An attempt of the schedule is one of the eight, also where a person asked for it.
 */
export const afterAttempt = (
  { once, step, trigger }: TakenState,
  accepted: boolean,
  at: DateTime.Utc,
  wait: Option.Option<Duration.Duration>
): AfterAttempt => {
  const reached = once ? step : step + 1
  if (!accepted && !once && Option.isSome(wait)) {
    const next_attempt_at = DateTime.addDuration(at, wait.value)
    return { status: "pending", step: reached, trigger: "schedule", once, next_attempt_at, finished_at: null }
  }
  const status = accepted ? "succeeded" : "failed"
  return { status, step: reached, trigger, once, next_attempt_at: null, finished_at: at }
}
