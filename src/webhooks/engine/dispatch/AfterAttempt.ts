import { DateTime, type Duration, Option } from "effect"
import type { DeliveryStatus, Trigger } from "../../model/DeliveryStatus.ts"

/** The fields of a delivery's row that decide about its next attempt, as they were when a worker took it. */
export interface TakenState {
  readonly status: DeliveryStatus
  /** Attempts of the retry schedule so far. */
  readonly step: number
  /** The cause of the attempt. */
  readonly trigger: Trigger
  /** The attempt is the only one: it ends succeeded or failed. */
  readonly once: boolean
}

/** The new state of a delivery after an attempt. */
export interface AfterAttempt extends TakenState {
  /** Null unless another attempt follows. */
  readonly next_attempt_at: DateTime.Utc | null
  readonly finished_at: DateTime.Utc | null
}

/**
 * The delivery's state after the attempt, unless something changes the delivery meanwhile. `wait` follows this step of
 * the retry schedule; `None` after the last. An attempt of the schedule is one of the eight, even if a person asked for
 * it.
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
