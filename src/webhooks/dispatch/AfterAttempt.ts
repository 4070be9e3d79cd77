import { DateTime, type Duration, Option } from "effect"
import type { CancelReason, DeliveryStatus, Trigger } from "../model/WebhookDeliveryId.ts"

// The rules of the delivery machine. The worker decides with `afterAttempt`; the statements make the other transitions, of
// many rows at once, and the tests hold every change of a row against the functions here.

/** What decides about a delivery's future, as its row has it (contract, Delivery). */
export interface DeliveryState {
  readonly status: DeliveryStatus
  readonly cancel_reason: CancelReason | null
  /** There is nothing left to send. */
  readonly body_erased: boolean
  readonly attempts_count: number
  /** Attempts on the ladder so far. */
  readonly rung: number
  /** What the next attempt comes from. */
  readonly trigger: Trigger
  /** The next attempt is the only one: it ends succeeded or failed. */
  readonly once: boolean
  /** Set exactly while an attempt is owed, whatever the status. */
  readonly next_attempt_at: DateTime.Utc | null
  readonly finished_at: DateTime.Utc | null
}

/** What an attempt needs to know of its delivery, as it was when the attempt was taken. */
export type TakenState = Pick<DeliveryState, "status" | "rung" | "once" | "trigger">

/** What an attempt that has ended makes of its delivery. */
export type AfterAttempt = Pick<
  DeliveryState,
  "status" | "rung" | "trigger" | "once" | "next_attempt_at" | "finished_at"
>

/** A new delivery, due at once. */
export const created = (at: DateTime.Utc, trigger: "schedule" | "test" = "schedule"): DeliveryState => ({
  status: "pending",
  cancel_reason: null,
  body_erased: false,
  attempts_count: 0,
  rung: 0,
  trigger,
  once: false,
  next_attempt_at: at,
  finished_at: null
})

/**
 * What the attempt makes of the delivery unless somebody changes that meanwhile. `wait` is that of the rung after this
 * attempt; none after the last. An attempt on the ladder is one of the eight, whoever asked for it.
 */
export const afterAttempt = (
  { once, rung, trigger }: TakenState,
  accepted: boolean,
  at: DateTime.Utc,
  wait: Option.Option<Duration.Duration>
): AfterAttempt => {
  const climbed = once ? rung : rung + 1
  if (!accepted && !once && Option.isSome(wait)) {
    const next_attempt_at = DateTime.addDuration(at, wait.value)
    return { status: "pending", rung: climbed, trigger: "schedule", once, next_attempt_at, finished_at: null }
  }
  const status = accepted ? "succeeded" : "failed"
  return { status, rung: climbed, trigger, once, next_attempt_at: null, finished_at: at }
}

/** An attempt that has ended: `trigger` and the others are of the attempt, as when it was taken. */
export interface Ended {
  readonly trigger: Trigger
  readonly accepted: boolean
  readonly at: DateTime.Utc
  readonly wait: Option.Option<Duration.Duration>
}

/** Canceled while the attempt was under way: only a success after its endpoint went away still counts. */
const lateAttempt = (state: DeliveryState, accepted: boolean): DeliveryState => {
  const counts = accepted && (state.cancel_reason === "endpoint_disabled" || state.cancel_reason === "endpoint_deleted")
  return counts ? { ...state, status: "succeeded", cancel_reason: null } : state
}

/** Somebody asked for another attempt while this one failed: that one stays owed. */
const overtaken = (state: DeliveryState, { accepted, at, wait }: Ended): DeliveryState => {
  if (state.once) return state
  const after = afterAttempt(state, accepted, at, wait)
  const { next_attempt_at, trigger } = state
  // Where the ladder has ended, the one that is owed is the last.
  return { ...state, ...after, once: after.status === "failed", next_attempt_at, trigger }
}

/** The delivery after an attempt, whatever has happened to it since that attempt was taken. */
export const attempted = (state: DeliveryState, ended: Ended): DeliveryState => {
  const counted = { ...state, attempts_count: state.attempts_count + 1 }
  if (counted.next_attempt_at === null) return lateAttempt(counted, ended.accepted)
  if (!ended.accepted && counted.trigger !== ended.trigger) return overtaken(counted, ended)
  return { ...counted, cancel_reason: null, ...afterAttempt(counted, ended.accepted, ended.at, ended.wait) }
}

/**
 * A person wants it sent again: a pending delivery's next attempt is brought forward and stays on the ladder; a finished
 * one gets exactly one attempt and keeps its status until then. Without a body nothing changes.
 */
export const resend = (state: DeliveryState, at: DateTime.Utc): DeliveryState => {
  if (state.body_erased) return state
  const next_attempt_at = state.next_attempt_at === null ? at : DateTime.min(state.next_attempt_at, at)
  return { ...state, trigger: "manual", once: state.once || state.status !== "pending", next_attempt_at }
}

/** Failed, or canceled because its endpoint was disabled: pending again, with one attempt. Others do not change. */
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

/** Nothing is owed any more; only a pending delivery is canceled by that. Removing a student erases the body too. */
export const cancel = (state: DeliveryState, reason: CancelReason, at: DateTime.Utc): DeliveryState => {
  const dropped = { ...state, next_attempt_at: null, body_erased: state.body_erased || reason === "student_removed" }
  return state.status === "pending"
    ? { ...dropped, status: "canceled", cancel_reason: reason, finished_at: at }
    : dropped
}
