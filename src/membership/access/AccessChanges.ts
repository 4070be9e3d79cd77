import { DateTime, Effect, Option, type Result } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { Events } from "../../events/Events.ts"
import type { Fact } from "../../events/Fact.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { Catalog } from "../catalog/Catalog.ts"
import type { CohortId } from "../catalog/Delivery.ts"
import { endedAt, isGiven, memberMoves, restored, revoked, type Step } from "./Change.ts"
import { AlreadyEnrolled, CohortOfOtherDelivery, type EnrollmentId, type RevokeReason } from "./Enrollment.ts"
import { type EnrollmentRow, EnrollmentsRepo } from "./EnrollmentsRepo.ts"
import type { Cause } from "./Grant.ts"

/** The event of a change, with what only this moment knows. */
const factOf = (before: EnrollmentRow, { kind }: Step): Fact => {
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

/** A purchase and a subscription have each their own access to a delivery. */
const isBought = ({ source }: EnrollmentRow): boolean => source === "purchase" || source === "subscription"

/** What is judged, once nobody else can change it. */
interface Held {
  readonly before: EnrollmentRow
  readonly now: DateTime.Utc
}

/** What happens to one enrollment. Each change is written with its history and its event. */
export const makeChanges = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const catalog = yield* Catalog
  const events = yield* Events
  const repo = yield* EnrollmentsRepo

  /** Time is read when the lock is there, so the history of an enrollment is in the order of time. */
  const hold = Effect.fnUntraced(function*(club_id: ClubId, id: EnrollmentId) {
    const before = yield* repo.lock(club_id, id)
    if (Option.isNone(before)) return yield* new NotFound()
    const held: Held = { before: before.value, now: yield* DateTime.now }
    return held
  })

  const take = Effect.fnUntraced(
    function*(club_id: ClubId, { before, now }: Held, step: Step | null, cause: Cause) {
      if (step === null) return before
      yield* repo.write(club_id, before.id, step, cause, now)
      yield* events.record(club_id, factOf(before, step))
      return { ...before, ...step.state }
    }
  )

  /** A change by a member, in a transaction of its own: first the student is locked, then the enrollment. */
  const byMember = <E>(
    club_id: ClubId,
    id: EnrollmentId,
    change: (held: Held) => Effect.Effect<EnrollmentRow, E>
  ): Effect.Effect<EnrollmentRow, E | NotFound | StudentRemoved> =>
    Effect.gen(function*() {
      const student = yield* repo.lockStudentOf(club_id, id)
      if (Option.isNone(student)) return yield* new NotFound()
      if (student.value.removed) return yield* new StudentRemoved()
      return yield* change(yield* hold(club_id, id))
    }).pipe(sql.withTransaction, Effect.catchIf(SqlError.isSqlError, Effect.die))

  const judged = <E>(
    club_id: ClubId,
    id: EnrollmentId,
    cause: Cause,
    judge: (before: EnrollmentRow, now: DateTime.Utc) => Result.Result<Step | null, E>
  ) =>
    byMember(
      club_id,
      id,
      (held) =>
        Effect.flatMap(Effect.fromResult(judge(held.before, held.now)), (step) => take(club_id, held, step, cause))
    )

  /** The same for what can give the student a delivery again: they have it once, but for what they bought. */
  const givenBack = <E>(
    club_id: ClubId,
    id: EnrollmentId,
    cause: Cause,
    judge: (before: EnrollmentRow, now: DateTime.Utc) => Result.Result<Step | null, E>
  ) =>
    byMember(
      club_id,
      id,
      Effect.fnUntraced(function*(held: Held) {
        const { before, now } = held
        const step = yield* Effect.fromResult(judge(before, now))
        if (step !== null && !isBought(before) && isGiven(before, step, now)) {
          if (yield* repo.hasAnother(club_id, before, now)) return yield* new AlreadyEnrolled()
        }
        return yield* take(club_id, held, step, cause)
      })
    )

  const move = (club_id: ClubId, id: EnrollmentId, cohort_id: CohortId | null, cause: Cause) =>
    byMember(
      club_id,
      id,
      Effect.fnUntraced(function*(held: Held) {
        const step = yield* Effect.fromResult(memberMoves(held.before, cohort_id, held.now))
        if (step === null) return held.before
        const [terms = null] = yield* catalog.terms(club_id, [{ delivery_id: held.before.delivery_id, cohort_id }])
        if (terms === null) return yield* new CohortOfOtherDelivery()
        return { ...(yield* take(club_id, held, step, cause)), cohort_name: terms.cohort_name }
      })
    )

  /** A change by another feature, in its transaction, which has locked the student. It names what it has read. */
  const byFeature = (
    club_id: ClubId,
    id: EnrollmentId,
    cause: Cause,
    change: (held: Held) => Step | null
  ): Effect.Effect<void> =>
    hold(club_id, id).pipe(
      Effect.flatMap((held) => take(club_id, held, change(held), cause)),
      Effect.asVoid,
      Effect.orDie
    )

  const revokeForSale = (club_id: ClubId, id: EnrollmentId, reason: RevokeReason, cause: Cause) =>
    byFeature(club_id, id, cause, ({ before, now }) => revoked(before, reason, now))

  const restoreForSale = (club_id: ClubId, id: EnrollmentId, cause: Cause) =>
    byFeature(club_id, id, cause, ({ before }) => restored(before))

  const endAt = (club_id: ClubId, id: EnrollmentId, expires_at: DateTime.Utc | null, cause: Cause) =>
    byFeature(club_id, id, cause, ({ before }) => endedAt(before, expires_at))

  const noteExtension = (club_id: ClubId, id: EnrollmentId, previous: DateTime.Utc, cause: Cause) =>
    hold(club_id, id).pipe(
      Effect.flatMap(({ before, now }) =>
        take(club_id, { before: { ...before, expires_at: previous }, now }, { kind: "extended", state: before }, cause)
      ),
      Effect.asVoid,
      Effect.orDie
    )

  return { judged, givenBack, move, revokeForSale, restoreForSale, endAt, noteExtension }
})
