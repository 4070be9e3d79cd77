import { DateTime, type Duration, type Option } from "effect"
import { type AfterAttempt, afterAttempt } from "../../../../src/webhooks/engine/dispatch/AfterAttempt.ts"
import type { CancelReason, Trigger } from "../../../../src/webhooks/model/DeliveryStatus.ts"

// The rules of the delivery machine (contract, Delivery) as pure functions. The worker decides with `afterAttempt`. SQL
// statements make the other transitions, of many rows at once. The simulation compares every change of a row with these
// functions.

/** The columns of a delivery that decide its future. `next_attempt_at` may be set in every status. */
export interface DeliveryState extends AfterAttempt {
  readonly cancel_reason: CancelReason | null
  /** True once there is no body left to send. */
  readonly body_erased: boolean
  readonly attempts_count: number
}

/** A new delivery, due at once. */
export const created = (at: DateTime.Utc, trigger: "schedule" | "test" = "schedule"): DeliveryState => ({
  status: "pending",
  cancel_reason: null,
  body_erased: false,
  attempts_count: 0,
  step: 0,
  trigger,
  once: false,
  next_attempt_at: at,
  finished_at: null
})

/** An attempt that has ended. `trigger` is the trigger at the start of the attempt. */
export interface Ended {
  readonly trigger: Trigger
  readonly accepted: boolean
  readonly at: DateTime.Utc
  readonly wait: Option.Option<Duration.Duration>
}

/** A delivery canceled during its attempt: only a success still counts, and only if its endpoint went away. */
const lateAttempt = (state: DeliveryState, accepted: boolean): DeliveryState => {
  const counts = accepted && (state.cancel_reason === "endpoint_disabled" || state.cancel_reason === "endpoint_deleted")
  return counts ? { ...state, status: "succeeded", cancel_reason: null } : state
}

/** A request for another attempt came during this failed attempt: the other attempt stays due. */
const overtaken = (state: DeliveryState, { accepted, at, wait }: Ended): DeliveryState => {
  if (state.once) return state
  const after = afterAttempt(state, accepted, at, wait)
  const { next_attempt_at, trigger } = state
  // If the schedule has ended, the due attempt is the last one.
  return { ...state, ...after, once: after.status === "failed", next_attempt_at, trigger }
}

/** The delivery after an attempt, whatever happened to it since the attempt began. */
export const attempted = (state: DeliveryState, ended: Ended): DeliveryState => {
  const counted = { ...state, attempts_count: state.attempts_count + 1 }
  if (counted.next_attempt_at === null) return lateAttempt(counted, ended.accepted)
  if (!ended.accepted && counted.trigger !== ended.trigger) return overtaken(counted, ended)
  return { ...counted, cancel_reason: null, ...afterAttempt(counted, ended.accepted, ended.at, ended.wait) }
}

/**
 * A person asks to send it again. A pending delivery is due earlier and stays on its schedule. A finished delivery gets
 * exactly one attempt and keeps its status until then. Without a body nothing changes.
 */
export const resend = (state: DeliveryState, at: DateTime.Utc): DeliveryState => {
  if (state.body_erased) return state
  const next_attempt_at = state.next_attempt_at === null ? at : DateTime.min(state.next_attempt_at, at)
  return { ...state, trigger: "manual", once: state.once || state.status !== "pending", next_attempt_at }
}

/** A failed delivery, or one canceled with its disabled endpoint, is pending again with one attempt. Others stay. */
export const recover = (state: DeliveryState, at: DateTime.Utc): DeliveryState =>
  state.body_erased || (state.status !== "failed" && state.cancel_reason !== "endpoint_disabled") ? state : {
    ...state,
    status: "pending",
    cancel_reason: null,
    trigger: "recover",
    once: true,
    next_attempt_at: at,
    finished_at: null
  }

/** Removes the due attempt. Only a pending delivery becomes canceled. The removal of a student also erases the body. */
export const cancel = (state: DeliveryState, reason: CancelReason, at: DateTime.Utc): DeliveryState => {
  const dropped = { ...state, next_attempt_at: null, body_erased: state.body_erased || reason === "student_removed" }
  return state.status === "pending"
    ? { ...dropped, status: "canceled", cancel_reason: reason, finished_at: at }
    : dropped
}
