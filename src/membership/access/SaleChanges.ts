import { type DateTime, Effect } from "effect"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { type AccessChange, endedAt, restored, revoked } from "./AccessChange.ts"
import type { EnrollmentId, RevokeReason } from "./Enrollment.ts"
import { type LockedEnrollment, makeEnrollmentChanges } from "./EnrollmentChanges.ts"
import type { AccessCause } from "./NewGrant.ts"

/** Changes of one enrollment by a sale, in the caller's transaction, which has locked the student. */
export const makeSaleChanges = Effect.gen(function*() {
  const { apply, lock } = yield* makeEnrollmentChanges

  /** The caller has read the enrollment, so a missing one is a defect. */
  const change = (
    club_id: ClubId,
    id: EnrollmentId,
    cause: AccessCause,
    rule: (locked: LockedEnrollment) => AccessChange | null
  ): Effect.Effect<void> =>
    lock(club_id, id).pipe(
      Effect.flatMap((locked) => apply(club_id, locked, rule(locked), cause)),
      Effect.asVoid,
      Effect.orDie
    )

  const revokeForSale = (club_id: ClubId, id: EnrollmentId, reason: RevokeReason, cause: AccessCause) =>
    change(club_id, id, cause, ({ before, now }) => revoked(before, reason, now))

  const restoreForSale = (club_id: ClubId, id: EnrollmentId, cause: AccessCause) =>
    change(club_id, id, cause, ({ before }) => restored(before))

  const endAt = (club_id: ClubId, id: EnrollmentId, expires_at: DateTime.Utc | null, cause: AccessCause) =>
    change(club_id, id, cause, ({ before }) => endedAt(before, expires_at))

  const noteExtension = (club_id: ClubId, id: EnrollmentId, previous: DateTime.Utc, cause: AccessCause) =>
    lock(club_id, id).pipe(
      Effect.flatMap(({ before, now }) => {
        const earlier = { before: { ...before, expires_at: previous }, now }
        return apply(club_id, earlier, { kind: "extended", state: before }, cause)
      }),
      Effect.asVoid,
      Effect.orDie
    )

  return { revokeForSale, restoreForSale, endAt, noteExtension }
})
