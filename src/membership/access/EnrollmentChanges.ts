import { DateTime, Effect, Option } from "effect"
import { Events } from "../../events/Events.ts"
import type { Fact } from "../../events/Fact.ts"
import { concerns } from "../../identity/audit/NewAuditEntry.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { NotFound } from "../../platform/http/errors.ts"
import type { AccessChange } from "./AccessChange.ts"
import type { EnrollmentId } from "./Enrollment.ts"
import { type EnrollmentRow, EnrollmentsRepo } from "./EnrollmentsRepo.ts"
import type { AccessCause } from "./NewGrant.ts"

/** The event of a change, with the previous values, which are lost afterwards. */
const factOf = (before: EnrollmentRow, { kind }: AccessChange): Fact => {
  const { cohort_id, cohort_name, expires_at: previous_expires_at, id: enrollment_id, student_id } = before
  const about = { student_id, enrollment_id }
  switch (kind) {
    case "extended":
      return { type: "access.extended", ...about, previous_expires_at }
    case "shortened":
      return { type: "access.shortened", ...about, previous_expires_at }
    case "moved": {
      const previous_cohort = cohort_id === null || cohort_name === null ? null : { id: cohort_id, name: cohort_name }
      return { type: "access.moved", ...about, previous_cohort }
    }
    case "revoked":
      return { type: "access.revoked", ...about }
    case "restored":
      return { type: "access.restored", ...about }
  }
}

/** An enrollment that is locked, and the time of the lock. */
export interface LockedEnrollment {
  readonly before: EnrollmentRow
  readonly now: DateTime.Utc
}

/** Locks an enrollment and writes a change of it, in the caller's transaction, which has locked the student. */
export const makeEnrollmentChanges = Effect.gen(function*() {
  const events = yield* Events
  const repo = yield* EnrollmentsRepo

  /** Reads the time after taking the lock, so that an enrollment's history is in the order of time. */
  const lock = Effect.fnUntraced(function*(club_id: ClubId, id: EnrollmentId) {
    const before = yield* repo.lock(club_id, id)
    if (Option.isNone(before)) return yield* new NotFound()
    yield* concerns(before.value.student_id)
    const locked: LockedEnrollment = { before: before.value, now: yield* DateTime.now }
    return locked
  })

  /** Writes the change with its history and its event, and answers the enrollment after it. Null changes nothing. */
  const apply = Effect.fnUntraced(function*(
    club_id: ClubId,
    { before, now }: LockedEnrollment,
    change: AccessChange | null,
    cause: AccessCause
  ) {
    if (change === null) return before
    yield* repo.write(club_id, before.id, change, cause, now)
    yield* events.record(club_id, factOf(before, change))
    return { ...before, ...change.state }
  })

  return { lock, apply }
})
