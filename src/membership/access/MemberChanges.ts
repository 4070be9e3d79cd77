import { type DateTime, Effect, Option, type Result } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { faultsDie } from "../../platform/sql/Rows.ts"
import type { CohortId } from "../catalog/Delivery.ts"
import { GrantableDeliveries } from "../catalog/GrantableDeliveries.ts"
import { type AccessChange, givesAccess, memberMoves } from "./AccessChange.ts"
import { AlreadyEnrolled, CohortOfOtherDelivery, type EnrollmentId } from "./Enrollment.ts"
import { type LockedEnrollment, makeEnrollmentChanges } from "./EnrollmentChanges.ts"
import { type EnrollmentRow, EnrollmentsRepo } from "./EnrollmentsRepo.ts"
import type { AccessCause } from "./NewGrant.ts"

/** Each purchase and each subscription has its own access to a delivery. */
const isBought = ({ source }: EnrollmentRow): boolean => source === "purchase" || source === "subscription"

/** Decides the change of an enrollment; null: nothing changes. */
type Rule<E> = (before: EnrollmentRow, now: DateTime.Utc) => Result.Result<AccessChange | null, E>

/** Changes of one enrollment by a member, each in a transaction of its own. */
export const makeMemberChanges = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const catalog = yield* GrantableDeliveries
  const repo = yield* EnrollmentsRepo
  const { apply, lock } = yield* makeEnrollmentChanges

  /** Locks first the student, then the enrollment. */
  const withLock = <E>(
    club_id: ClubId,
    id: EnrollmentId,
    use: (locked: LockedEnrollment) => Effect.Effect<EnrollmentRow, E>
  ): Effect.Effect<EnrollmentRow, E | NotFound | StudentRemoved> =>
    Effect.gen(function*() {
      const student = yield* repo.lockStudentOf(club_id, id)
      if (Option.isNone(student)) return yield* new NotFound()
      if (student.value.removed) return yield* new StudentRemoved()
      return yield* use(yield* lock(club_id, id))
    }).pipe(sql.withTransaction, faultsDie)

  const change = <E>(club_id: ClubId, id: EnrollmentId, cause: AccessCause, rule: Rule<E>) =>
    withLock(
      club_id,
      id,
      (locked) =>
        Effect.flatMap(
          Effect.fromResult(rule(locked.before, locked.now)),
          (accessChange) => apply(club_id, locked, accessChange, cause)
        )
    )

  /**
   * A change that may give access again. `AlreadyEnrolled` if the access was not bought and the student has the
   * delivery.
   */
  const changeUnlessEnrolled = <E>(club_id: ClubId, id: EnrollmentId, cause: AccessCause, rule: Rule<E>) =>
    withLock(
      club_id,
      id,
      Effect.fnUntraced(function*(locked: LockedEnrollment) {
        const { before, now } = locked
        const accessChange = yield* Effect.fromResult(rule(before, now))
        if (accessChange !== null && !isBought(before) && givesAccess(before, accessChange, now)) {
          if (yield* repo.hasAnother(club_id, before, now)) return yield* new AlreadyEnrolled()
        }
        return yield* apply(club_id, locked, accessChange, cause)
      })
    )

  const move = (club_id: ClubId, id: EnrollmentId, cohort_id: CohortId | null, cause: AccessCause) =>
    withLock(
      club_id,
      id,
      Effect.fnUntraced(function*(locked: LockedEnrollment) {
        const { before, now } = locked
        const accessChange = yield* Effect.fromResult(memberMoves(before, cohort_id, now))
        if (accessChange === null) return before
        const [terms = null] = yield* catalog.terms(club_id, [{ delivery_id: before.delivery_id, cohort_id }])
        if (terms === null) return yield* new CohortOfOtherDelivery()
        return { ...(yield* apply(club_id, locked, accessChange, cause)), cohort_name: terms.cohort_name }
      })
    )

  return { change, changeUnlessEnrolled, move }
})
