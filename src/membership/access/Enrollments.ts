import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { StudentLocks } from "../../identity/students/StudentLocks.ts"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { faultsDie } from "../../platform/sql/Rows.ts"
import type { CohortId } from "../catalog/Delivery.ts"
import { memberExtends, memberRestores, memberRevokes, memberShortens } from "./AccessChange.ts"
import {
  type AccessEvent,
  type AlreadyEnrolled,
  type CohortOfOtherDelivery,
  type DeliveryUnknown,
  Enrollment,
  type EnrollmentId,
  type EnrollmentNotActive,
  type EnrollmentNotRevoked,
  type ExpiresAtNotEarlier,
  type ExpiresAtNotLater,
  type RevokeReason
} from "./Enrollment.ts"
import { type EnrollmentRow, EnrollmentsRepo } from "./EnrollmentsRepo.ts"
import { type FreeReceiver, makeGrants } from "./Grants.ts"
import { GrantsRepo } from "./GrantsRepo.ts"
import { makeMemberChanges } from "./MemberChanges.ts"
import type { AccessCause, GrantResult, NewGrant, SaleEnrollment } from "./NewGrant.ts"
import { statusAt } from "./Period.ts"
import { makeSaleChanges } from "./SaleChanges.ts"

const isConstraintError = (error: unknown) => SqlError.isSqlError(error) && error.reason._tag === "ConstraintError"

/**
 * Access of students to deliveries and its history. Every change is one transaction with its history and its event
 * (`access.granted`, `revoked`, `extended`, `shortened`, `restored`, `moved`). `NotFound`: this club has no such student
 * or enrollment. The access of a removed student does not change: `StudentRemoved`.
 */
export class Enrollments extends Context.Service<Enrollments, {
  // For members.
  get(club_id: ClubId, id: EnrollmentId): Effect.Effect<Enrollment, NotFound>
  /** `ExpiresAtNotLater`: it would have expired already, or end before it starts. */
  grant(
    club_id: ClubId,
    grant: NewGrant,
    cause: AccessCause
  ): Effect.Effect<
    Enrollment,
    AlreadyEnrolled | CohortOfOtherDelivery | DeliveryUnknown | ExpiresAtNotLater | NotFound | StudentRemoved
  >
  revoke(
    club_id: ClubId,
    id: EnrollmentId,
    cause: AccessCause
  ): Effect.Effect<Enrollment, EnrollmentNotActive | NotFound | StudentRemoved>
  /** `AlreadyEnrolled`: it was not bought, and the student has its delivery by another enrollment. */
  restore(
    club_id: ClubId,
    id: EnrollmentId,
    cause: AccessCause
  ): Effect.Effect<Enrollment, AlreadyEnrolled | EnrollmentNotRevoked | NotFound | StudentRemoved>
  /** Null: never ends. An expired access begins again, unless it is `AlreadyEnrolled` as above. */
  extend(
    club_id: ClubId,
    id: EnrollmentId,
    expires_at: DateTime.Utc | null,
    cause: AccessCause
  ): Effect.Effect<Enrollment, AlreadyEnrolled | EnrollmentNotActive | ExpiresAtNotLater | NotFound | StudentRemoved>
  shorten(
    club_id: ClubId,
    id: EnrollmentId,
    expires_at: DateTime.Utc,
    cause: AccessCause
  ): Effect.Effect<Enrollment, EnrollmentNotActive | ExpiresAtNotEarlier | NotFound | StudentRemoved>
  /** Null: to no cohort. Moving to the same cohort changes nothing. */
  move(
    club_id: ClubId,
    id: EnrollmentId,
    cohort_id: CohortId | null,
    cause: AccessCause
  ): Effect.Effect<Enrollment, CohortOfOtherDelivery | EnrollmentNotActive | NotFound | StudentRemoved>
  /** Newest first; at most 500 of each. */
  ofStudent(club_id: ClubId, student_id: StudentId): Effect.Effect<{
    readonly enrollments: ReadonlyArray<Enrollment>
    readonly access_events: ReadonlyArray<AccessEvent>
  }>

  // For other features. Each of these runs in the caller's transaction, which has locked the rows of these students
  // (`for no key update`). So changes of one student's access come one after another.

  /**
   * Many grants in a few statements; the result of each, in the same order. Of grants of the same delivery to the same
   * student or sale the first counts. One that would end before it starts ends right after its start.
   */
  grantAll(
    club_id: ClubId,
    grants: ReadonlyArray<NewGrant>,
    cause: AccessCause
  ): Effect.Effect<ReadonlyArray<GrantResult>>
  /** Grants every free delivery of the club to students who were just created. */
  grantFree(club_id: ClubId, students: ReadonlyArray<FreeReceiver>): Effect.Effect<void>
  /** Locks the enrollments of a sale until the transaction ends. */
  ofSale(
    club_id: ClubId,
    sale: { readonly purchase_id: string } | { readonly subscription_id: string }
  ): Effect.Effect<ReadonlyArray<SaleEnrollment>>
  /** In every state. Does nothing to a revoked access. */
  revokeForSale(
    club_id: ClubId,
    id: EnrollmentId,
    reason: Exclude<RevokeReason, "manual" | "student_removed">,
    cause: AccessCause
  ): Effect.Effect<void>
  /** Changes the reason of a revocation from refund to chargeback or back. No change of access and no event. */
  correctReason(club_id: ClubId, id: EnrollmentId, reason: "refund" | "chargeback"): Effect.Effect<void>
  /** Does nothing to an access that is not revoked. */
  restoreForSale(club_id: ClubId, id: EnrollmentId, cause: AccessCause): Effect.Effect<void>
  /**
   * Makes the access end then: `access.extended` if that is later than before, `access.shortened` if it is earlier,
   * nothing if it is the same. An end before the start ends it right after its start. Also in revoked enrollments.
   */
  endAt(club_id: ClubId, id: EnrollmentId, expires_at: DateTime.Utc | null, cause: AccessCause): Effect.Effect<void>
  /**
   * Records an extension that was reported late: the end stays as it is, and `access.extended` goes out with this earlier
   * end as the previous one.
   */
  noteExtension(
    club_id: ClubId,
    id: EnrollmentId,
    previous_expires_at: DateTime.Utc,
    cause: AccessCause
  ): Effect.Effect<void>
}>()("turma/membership/access/Enrollments") {
  static readonly layer = Layer.effect(
    Enrollments,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* EnrollmentsRepo
      const students = yield* StudentLocks
      const { grantAll, grantFree, grantOne } = yield* makeGrants
      const members = yield* makeMemberChanges
      const sales = yield* makeSaleChanges

      const toEnrollment = (row: EnrollmentRow) =>
        Effect.map(DateTime.now, (now) => new Enrollment({ ...row, active: statusAt(row, now) === "active" }))

      const get = Effect.fn("Enrollments.get")(function*(club_id: ClubId, id: EnrollmentId) {
        const row = yield* repo.find(club_id, id)
        return Option.isNone(row) ? yield* new NotFound() : yield* toEnrollment(row.value)
      })

      const grant = Effect.fn("Enrollments.grant")(
        function*(club_id: ClubId, grant: NewGrant, cause: AccessCause) {
          yield* students.lock(club_id, grant.student_id)
          return yield* get(club_id, yield* grantOne(club_id, grant, cause))
        },
        sql.withTransaction,
        // The delivery or cohort was deleted after it was read: the second attempt fails with the right error.
        Effect.retry({ times: 1, while: isConstraintError }),
        faultsDie
      )

      const ofStudent = Effect.fn("Enrollments.ofStudent")(function*(club_id: ClubId, student_id: StudentId) {
        const [rows, access_events] = yield* Effect.all([
          repo.ofStudent(club_id, student_id),
          repo.historyOf(club_id, student_id)
        ], { concurrency: "unbounded" })
        return { enrollments: yield* Effect.forEach(rows, toEnrollment), access_events }
      })

      return Enrollments.of({
        grant,
        get,
        ofStudent,
        grantAll,
        grantFree,
        ofSale: Effect.fn("Enrollments.ofSale")(repo.lockSale),
        revoke: Effect.fn("Enrollments.revoke")((club_id, id, cause) =>
          Effect.flatMap(members.change(club_id, id, cause, memberRevokes), toEnrollment)
        ),
        restore: Effect.fn("Enrollments.restore")((club_id, id, cause) =>
          Effect.flatMap(members.changeUnlessEnrolled(club_id, id, cause, memberRestores), toEnrollment)
        ),
        extend: Effect.fn("Enrollments.extend")((club_id, id, expires_at, cause) =>
          Effect.flatMap(
            members.changeUnlessEnrolled(club_id, id, cause, (before, now) => memberExtends(before, expires_at, now)),
            toEnrollment
          )
        ),
        shorten: Effect.fn("Enrollments.shorten")((club_id, id, expires_at, cause) =>
          Effect.flatMap(
            members.change(club_id, id, cause, (before, now) => memberShortens(before, expires_at, now)),
            toEnrollment
          )
        ),
        move: Effect.fn("Enrollments.move")((club_id, id, cohort_id, cause) =>
          Effect.flatMap(members.move(club_id, id, cohort_id, cause), toEnrollment)
        ),
        revokeForSale: Effect.fn("Enrollments.revokeForSale")(sales.revokeForSale),
        correctReason: Effect.fn("Enrollments.correctReason")(repo.correctReason),
        restoreForSale: Effect.fn("Enrollments.restoreForSale")(sales.restoreForSale),
        endAt: Effect.fn("Enrollments.endAt")(sales.endAt),
        noteExtension: Effect.fn("Enrollments.noteExtension")(sales.noteExtension)
      })
    })
  ).pipe(Layer.provide([EnrollmentsRepo.layer, GrantsRepo.layer, NodeCrypto.layerSecureRandom, StudentLocks.layer]))
}
