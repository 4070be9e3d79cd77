import { DateTime, Duration, Option } from "effect"
import { timeOf } from "../../src/platform/sql/Uuid7.ts"
import { attempted, cancel, type DeliveryState, recover, resend } from "../webhooks/engine/dispatch/DeliveryMachine.ts"
import type { Change } from "./Journal.ts"
import { type Attempt, attemptOf, type Delivery, deliveryOf } from "./Shadow.ts"

// Every change of a delivery must be one that the pure state machine makes, for a reason that exists.

const waits = [5, 300, 1800, 7200, 18_000, 36_000, 36_000].map((seconds) => seconds * 1000)
const longestRetryAfter = 36_000_000
const maxAttempts = 8
/** Milliseconds after which a delivery is neither sent nor pending. */
export const bodyAge = 30 * 86_400_000

/** Milliseconds after a fact from which its message may be dropped, even if it was assembled late. */
export const messageAge = bodyAge + 86_400_000

/** The reasons for which a delivery may change right now. */
export interface Reasons {
  readonly now: number
  readonly resent: ReadonlySet<string>
  /** Deliveries that recoveries as jobs have moved just now. */
  readonly moved: ReadonlySet<string>
  /** Start of the recovery, by endpoint. */
  readonly recovered: ReadonlyMap<string, number>
  /** Endpoints that are disabled or deleted. */
  readonly disabled: ReadonlySet<string>
  readonly deleted: ReadonlySet<string>
  readonly erased: ReadonlySet<string>
}

const plain = (state: DeliveryState) => ({
  ...state,
  next_attempt_at: state.next_attempt_at && DateTime.toEpochMillis(state.next_attempt_at),
  finished_at: state.finished_at && DateTime.toEpochMillis(state.finished_at)
})

const same = (one: DeliveryState, other: DeliveryState): boolean =>
  JSON.stringify(Object.entries(plain(one)).toSorted()) === JSON.stringify(Object.entries(plain(other)).toSorted())

export const show = (state: DeliveryState): string => JSON.stringify(plain(state))

/** True if a wait is one of the schedule's after this step. */
const isWait = (step: number, wait: number, retryAfter: number | null): boolean => {
  const base = waits[step - 1]
  if (base === undefined) return false
  const asked = Math.min((retryAfter ?? 0) * 1000, longestRetryAfter)
  // The database keeps whole seconds, rounded up.
  return wait >= Math.max(base * 0.9 - 1, asked - 1000) && wait <= Math.max(base * 1.1 + 1, asked)
}

const judgeAttempt = (was: Delivery, is: Delivery, attempt: Attempt): string | undefined => {
  const accepted = attempt.error === null
  const at = DateTime.makeUnsafe(attempt.ended)
  const next = is.state.next_attempt_at === null
    ? null
    : DateTime.toEpochMillis(is.state.next_attempt_at) - attempt.ended
  const ended = { trigger: attempt.trigger, accepted, at }
  const last = attempted(was.state, { ...ended, wait: Option.none() })
  if (same(last, is.state)) {
    const isLast = accepted || was.state.once || is.state.step >= maxAttempts || was.state.next_attempt_at === null
    return isLast ? undefined : "it ended before the eighth attempt"
  }
  const wait = next ?? waits[is.state.step - 1] ?? 0
  if (!same(attempted(was.state, { ...ended, wait: Option.some(Duration.millis(wait)) }), is.state)) {
    return `the machine says ${show(last)}`
  }
  if (is.state.step >= maxAttempts) return "it has had its eight attempts"
  if (next === null || is.state.trigger !== "schedule") return undefined
  return isWait(is.state.step, wait, attempt.retryAfter) ? undefined : `it waits ${wait} ms after step ${is.state.step}`
}

/** The problem with this change of a delivery; undefined if it is right. `attempt` was recorded with the change. */
export const judge = (
  was: Delivery,
  is: Delivery,
  attempt: Attempt | undefined,
  reasons: Reasons
): string | undefined => {
  if (is.state.attempts_count === was.state.attempts_count + 1) {
    return attempt === undefined ? "it counts an attempt that is not there" : judgeAttempt(was, is, attempt)
  }
  if (attempt !== undefined) return "an attempt was recorded that it does not count"
  if (same(was.state, is.state)) return undefined
  const moment = is.state.next_attempt_at ?? is.state.finished_at
  const at = moment ?? DateTime.makeUnsafe(reasons.now)
  const finished = is.state.finished_at ?? at
  const isOld = is.created <= reasons.now - bodyAge
  const since = reasons.recovered.get(is.endpoint)
  const options: ReadonlyArray<readonly [boolean, DeliveryState]> = [
    [reasons.resent.has(is.id), resend(was.state, at)],
    [since !== undefined && is.created >= since, recover(was.state, at)],
    // `Jobs` judges if the recovery should move it.
    [reasons.moved.has(is.id), recover(was.state, at)],
    [reasons.disabled.has(is.endpoint), cancel(was.state, "endpoint_disabled", finished)],
    [reasons.deleted.has(is.endpoint), cancel(was.state, "endpoint_deleted", finished)],
    [is.student !== null && reasons.erased.has(is.student), cancel(was.state, "student_removed", finished)],
    [isOld, cancel(was.state, "expired", finished)],
    // A delivery that was assembled late can outlive its message, which is dropped with all messages of the fact's day.
    [timeOf(is.event).epochMilliseconds <= reasons.now - messageAge, {
      ...cancel(was.state, "expired", finished),
      body_erased: true
    }]
  ]
  const fitting = options.filter(([, state]) => same(state, is.state))
  if (fitting.length === 0) return "no command of the machine does that"
  return fitting.some(([isAsked]) => isAsked) ? undefined : "nobody asked for it"
}

/** How a delivery changed, and the attempt that was recorded with it. */
export interface Transition {
  readonly was: Delivery
  readonly is: Delivery
  readonly attempt: Attempt | undefined
}

/** All changes of deliveries among these. */
export const transitionsOf = (changes: ReadonlyArray<Change>): ReadonlyArray<Transition> => {
  const attempts = new Map(changes.flatMap(({ is, was, what }) => {
    const attempt = what === "webhook_attempts" && was === undefined && is !== undefined ? attemptOf(is) : undefined
    return attempt === undefined ? [] : [[`${attempt.delivery} ${attempt.number}`, attempt]]
  }))
  return changes.flatMap((change) => {
    if (change.what !== "webhook_deliveries" || change.was === undefined || change.is === undefined) return []
    const [was, is] = [deliveryOf(change.was), deliveryOf(change.is)]
    const isAttempted = was.state.attempts_count !== is.state.attempts_count
    return [{ was, is, attempt: isAttempted ? attempts.get(`${is.id} ${is.state.attempts_count}`) : undefined }]
  })
}

/** The name of a change, for the counts. A star marks a finished delivery that still gets an attempt. */
export const nameOf = (was: DeliveryState, is: DeliveryState, attempt: Attempt | undefined): string => {
  const star = was.status !== "pending" && was.next_attempt_at !== null ? "*" : ""
  const reason = is.cancel_reason === null ? "" : ` ${is.cancel_reason}`
  return `${was.status}${star} to ${is.status}${reason}${attempt === undefined ? "" : ` by ${attempt.trigger}`}`
}
