import { type DateTime, Result } from "effect"
import type { CohortId } from "../catalog/Delivery.ts"
import {
  type AccessEventKind,
  endsInThePast,
  EnrollmentNotActive,
  EnrollmentNotRevoked,
  ExpiresAtNotEarlier,
  ExpiresAtNotLater,
  type RevokeReason
} from "./Enrollment.ts"
import { type AccessStatus, endingAfterStart, isLater, isLive, isPeriod, type Period, statusAt } from "./Period.ts"

/** All of an enrollment that changes, with its start. */
export interface AccessState extends Period {
  readonly revoked_at: DateTime.Utc | null
  readonly revoke_reason: RevokeReason | null
  readonly cohort_id: CohortId | null
  /** Whether the history has the end that `expires_at` made. */
  readonly lapse_noted: boolean
}

/** A change: what the history says of it, and what the enrollment is then. */
export interface Step {
  readonly kind: Exclude<AccessEventKind, "expired" | "granted">
  readonly state: AccessState
}

/** In which states a member may do what. A sale and a removal do it in any. */
export const memberMay = {
  revoke: ["active", "scheduled"],
  restore: ["revoked"],
  extend: ["active", "scheduled", "expired"],
  shorten: ["active", "scheduled"],
  move: ["active", "scheduled"]
} as const satisfies Record<string, ReadonlyArray<AccessStatus>>

const may = (what: keyof typeof memberMay, state: AccessState, now: DateTime.Utc): boolean => {
  const states: ReadonlyArray<AccessStatus> = memberMay[what]
  return states.includes(statusAt(state, now))
}

/** Whether the student has by this what they did not have. */
export const isGiven = (before: AccessState, { state }: Step, now: DateTime.Utc): boolean =>
  isLive(state, now) && !isLive(before, now)

/** Takes the access away; null where it is taken away. */
export const revoked = (state: AccessState, revoke_reason: RevokeReason, now: DateTime.Utc): Step | null =>
  state.revoked_at === null ? { kind: "revoked", state: { ...state, revoked_at: now, revoke_reason } } : null

/** Gives it back as it was; null where it is not taken away. */
export const restored = (state: AccessState): Step | null =>
  state.revoked_at === null ? null : { kind: "restored", state: { ...state, revoked_at: null, revoke_reason: null } }

/** Ends it then, or as soon after its start as can be; null where it ends then already. A later end is yet to be noted. */
export const endedAt = (state: AccessState, wanted: DateTime.Utc | null): Step | null => {
  const expires_at = endingAfterStart({ starts_at: state.starts_at, expires_at: wanted })
  if (isLater(expires_at, state.expires_at)) {
    return { kind: "extended", state: { ...state, expires_at, lapse_noted: false } }
  }
  return isLater(state.expires_at, expires_at) ? { kind: "shortened", state: { ...state, expires_at } } : null
}

/** Puts it into another cohort, with the same start and end; null where it is in that one. */
export const moved = (state: AccessState, cohort_id: CohortId | null): Step | null =>
  state.cohort_id === cohort_id ? null : { kind: "moved", state: { ...state, cohort_id } }

/** A member takes the access away. */
export const memberRevokes = (state: AccessState, now: DateTime.Utc): Result.Result<Step | null, EnrollmentNotActive> =>
  may("revoke", state, now) ? Result.succeed(revoked(state, "manual", now)) : Result.fail(new EnrollmentNotActive())

/** A member gives it back, whoever took it. */
export const memberRestores = (
  state: AccessState,
  now: DateTime.Utc
): Result.Result<Step | null, EnrollmentNotRevoked> =>
  may("restore", state, now) ? Result.succeed(restored(state)) : Result.fail(new EnrollmentNotRevoked())

/** A member makes it end later, in the future, or never; one that is over begins again. */
export const memberExtends = (
  state: AccessState,
  expires_at: DateTime.Utc | null,
  now: DateTime.Utc
): Result.Result<Step | null, EnrollmentNotActive | ExpiresAtNotLater> => {
  if (!may("extend", state, now)) return Result.fail(new EnrollmentNotActive())
  if (!isLater(expires_at, now)) return Result.fail(new ExpiresAtNotLater({ error: { message: endsInThePast } }))
  return isLater(expires_at, state.expires_at)
    ? Result.succeed(endedAt(state, expires_at))
    : Result.fail(new ExpiresAtNotLater())
}

/** A member makes it end earlier, after its start; in the past, it is over. */
export const memberShortens = (
  state: AccessState,
  expires_at: DateTime.Utc,
  now: DateTime.Utc
): Result.Result<Step | null, EnrollmentNotActive | ExpiresAtNotEarlier> => {
  if (!may("shorten", state, now)) return Result.fail(new EnrollmentNotActive())
  return isLater(state.expires_at, expires_at) && isPeriod({ starts_at: state.starts_at, expires_at })
    ? Result.succeed(endedAt(state, expires_at))
    : Result.fail(new ExpiresAtNotEarlier())
}

/** A member puts it into another cohort of its delivery. */
export const memberMoves = (
  state: AccessState,
  cohort_id: CohortId | null,
  now: DateTime.Utc
): Result.Result<Step | null, EnrollmentNotActive> =>
  may("move", state, now) ? Result.succeed(moved(state, cohort_id)) : Result.fail(new EnrollmentNotActive())
