import { type DateTime, Result } from "effect"
import { saying } from "../../platform/http/ApiError.ts"
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

/** The part of an enrollment that changes, with its start. */
export interface AccessState extends Period {
  readonly revoked_at: DateTime.Utc | null
  readonly revoke_reason: RevokeReason | null
  readonly cohort_id: CohortId | null
  /** True if the history has recorded the end at `expires_at`. */
  readonly lapse_noted: boolean
}

/** A change: its kind in the history, and the state of the enrollment after it. */
export interface AccessChange {
  readonly kind: Exclude<AccessEventKind, "expired" | "granted">
  readonly state: AccessState
}

/** The states in which a member may do this. Sales and removals may in every state. */
const allowedStates = {
  revoke: ["active", "scheduled"],
  restore: ["revoked"],
  extend: ["active", "scheduled", "expired"],
  shorten: ["active", "scheduled"],
  move: ["active", "scheduled"]
} as const satisfies Record<string, ReadonlyArray<AccessStatus>>

const isAllowed = (action: keyof typeof allowedStates, state: AccessState, now: DateTime.Utc): boolean => {
  const states: ReadonlyArray<AccessStatus> = allowedStates[action]
  return states.includes(statusAt(state, now))
}

/** True if the student had no access by this enrollment before the change and has it now. */
export const givesAccess = (before: AccessState, { state }: AccessChange, now: DateTime.Utc): boolean =>
  isLive(state, now) && !isLive(before, now)

/** Revokes the access; null if it is already revoked. */
export const revoked = (state: AccessState, revoke_reason: RevokeReason, now: DateTime.Utc): AccessChange | null =>
  state.revoked_at === null ? { kind: "revoked", state: { ...state, revoked_at: now, revoke_reason } } : null

/** Restores the access as it was; null if it is not revoked. */
export const restored = (state: AccessState): AccessChange | null =>
  state.revoked_at === null ? null : { kind: "restored", state: { ...state, revoked_at: null, revoke_reason: null } }

/**
 * Ends the access then, or right after its start; null if it already ends then. A later end is not in the history yet.
 */
export const endedAt = (state: AccessState, wanted: DateTime.Utc | null): AccessChange | null => {
  const expires_at = endingAfterStart({ starts_at: state.starts_at, expires_at: wanted })
  if (isLater(expires_at, state.expires_at)) {
    return { kind: "extended", state: { ...state, expires_at, lapse_noted: false } }
  }
  return isLater(state.expires_at, expires_at) ? { kind: "shortened", state: { ...state, expires_at } } : null
}

/** Moves the access to another cohort, with the same start and end; null if it is already in that one. */
export const moved = (state: AccessState, cohort_id: CohortId | null): AccessChange | null =>
  state.cohort_id === cohort_id ? null : { kind: "moved", state: { ...state, cohort_id } }

/** A member revokes the access. */
export const memberRevokes = (
  state: AccessState,
  now: DateTime.Utc
): Result.Result<AccessChange | null, EnrollmentNotActive> =>
  isAllowed("revoke", state, now)
    ? Result.succeed(revoked(state, "manual", now))
    : Result.fail(new EnrollmentNotActive())

/** A member restores the access, no matter which actor revoked it. */
export const memberRestores = (
  state: AccessState,
  now: DateTime.Utc
): Result.Result<AccessChange | null, EnrollmentNotRevoked> =>
  isAllowed("restore", state, now) ? Result.succeed(restored(state)) : Result.fail(new EnrollmentNotRevoked())

/** A member makes the access end later, in the future, or never; an expired one begins again. */
export const memberExtends = (
  state: AccessState,
  expires_at: DateTime.Utc | null,
  now: DateTime.Utc
): Result.Result<AccessChange | null, EnrollmentNotActive | ExpiresAtNotLater> => {
  if (!isAllowed("extend", state, now)) return Result.fail(new EnrollmentNotActive())
  if (!isLater(expires_at, now)) return Result.fail(new ExpiresAtNotLater(saying(endsInThePast)))
  return isLater(expires_at, state.expires_at)
    ? Result.succeed(endedAt(state, expires_at))
    : Result.fail(new ExpiresAtNotLater())
}

/** A member makes the access end earlier, after its start. With an end in the past it has expired. */
export const memberShortens = (
  state: AccessState,
  expires_at: DateTime.Utc,
  now: DateTime.Utc
): Result.Result<AccessChange | null, EnrollmentNotActive | ExpiresAtNotEarlier> => {
  if (!isAllowed("shorten", state, now)) return Result.fail(new EnrollmentNotActive())
  return isLater(state.expires_at, expires_at) && isPeriod({ starts_at: state.starts_at, expires_at })
    ? Result.succeed(endedAt(state, expires_at))
    : Result.fail(new ExpiresAtNotEarlier())
}

/** A member moves the access to another cohort of its delivery. */
export const memberMoves = (
  state: AccessState,
  cohort_id: CohortId | null,
  now: DateTime.Utc
): Result.Result<AccessChange | null, EnrollmentNotActive> =>
  isAllowed("move", state, now) ? Result.succeed(moved(state, cohort_id)) : Result.fail(new EnrollmentNotActive())
