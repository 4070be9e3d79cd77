import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { NotFound } from "../../platform/http/errors.ts"
import type { CohortId } from "../catalog/Delivery.ts"
import { makeChanges } from "./AccessChanges.ts"
import { memberExtends, memberRestores, memberRevokes, memberShortens } from "./Change.ts"
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
import type { Cause, Granted, HeldEnrollment, NewGrant } from "./Grant.ts"
import { makeGrants } from "./Grants.ts"
import { GrantsRepo } from "./GrantsRepo.ts"
import { statusAt } from "./Period.ts"

const isGone = (error: { readonly _tag: string; readonly reason?: { readonly _tag: string } }) =>
  error._tag === "SqlError" && error.reason?._tag === "ConstraintError"

/**
 * Access of students to deliveries and its history. Every change is one transaction with its history and its event
 * (`access.granted`, `revoked`, `extended`, `shortened`, `restored`, `moved`). `NotFound`: this club has no such student
 * or enrollment. A removed student's access changes no more: `StudentRemoved`.
 */
export class Enrollments extends Context.Service<Enrollments, {
  // For members.
  get(club_id: ClubId, id: EnrollmentId): Effect.Effect<Enrollment, NotFound>
  /** `ExpiresAtNotLater`: it would be over, or end before it starts. */
  grant(
    club_id: ClubId,
    grant: NewGrant,
    cause: Cause
  ): Effect.Effect<
    Enrollment,
    AlreadyEnrolled | CohortOfOtherDelivery | DeliveryUnknown | ExpiresAtNotLater | NotFound | StudentRemoved
  >
  revoke(
    club_id: ClubId,
    id: EnrollmentId,
    cause: Cause
  ): Effect.Effect<Enrollment, EnrollmentNotActive | NotFound | StudentRemoved>
  /** `AlreadyEnrolled`: it was not bought, and the student has its delivery by another enrollment. */
  restore(
    club_id: ClubId,
    id: EnrollmentId,
    cause: Cause
  ): Effect.Effect<Enrollment, AlreadyEnrolled | EnrollmentNotRevoked | NotFound | StudentRemoved>
  /** Null: it does not end any more. An access that is over begins again, unless it is `AlreadyEnrolled` as above. */
  extend(
    club_id: ClubId,
    id: EnrollmentId,
    expires_at: DateTime.Utc | null,
    cause: Cause
  ): Effect.Effect<Enrollment, AlreadyEnrolled | EnrollmentNotActive | ExpiresAtNotLater | NotFound | StudentRemoved>
  shorten(
    club_id: ClubId,
    id: EnrollmentId,
    expires_at: DateTime.Utc,
    cause: Cause
  ): Effect.Effect<Enrollment, EnrollmentNotActive | ExpiresAtNotEarlier | NotFound | StudentRemoved>
  /** Null: to no cohort. Moving to the same cohort changes nothing. */
  move(
    club_id: ClubId,
    id: EnrollmentId,
    cohort_id: CohortId | null,
    cause: Cause
  ): Effect.Effect<Enrollment, CohortOfOtherDelivery | EnrollmentNotActive | NotFound | StudentRemoved>
  /** Newest first; at most 500 of each. */
  ofStudent(club_id: ClubId, student_id: StudentId): Effect.Effect<{
    readonly enrollments: ReadonlyArray<Enrollment>
    readonly access_events: ReadonlyArray<AccessEvent>
  }>

  // For other features. All of these join the caller's transaction, which has locked the rows of these students
  // (`for no key update`), so that changes of one student's access come one after another.

  /**
   * Many grants in a few statements; what became of each, in the same order. Grants of the same place count once. One that
   * would end before it starts ends right after its start.
   */
  grantAll(club_id: ClubId, grants: ReadonlyArray<NewGrant>, cause: Cause): Effect.Effect<ReadonlyArray<Granted>>
  /** Every free delivery of the club, for students who were just born. */
  grantFree(club_id: ClubId, students: ReadonlyArray<StudentId>): Effect.Effect<void>
  /** Locks the enrollments of a sale until the transaction ends. */
  ofSale(
    club_id: ClubId,
    sale: { readonly purchase_id: string } | { readonly subscription_id: string }
  ): Effect.Effect<ReadonlyArray<HeldEnrollment>>
  /** Whatever it is, unless it is revoked: then nothing happens. */
  revokeForSale(
    club_id: ClubId,
    id: EnrollmentId,
    reason: Exclude<RevokeReason, "manual" | "student_removed">,
    cause: Cause
  ): Effect.Effect<void>
  /** What a refund took away, a chargeback took away, or the other way round: no change of access and no event. */
  correctReason(club_id: ClubId, id: EnrollmentId, reason: "refund" | "chargeback"): Effect.Effect<void>
  /** Nothing where it is not revoked. */
  restoreForSale(club_id: ClubId, id: EnrollmentId, cause: Cause): Effect.Effect<void>
  /**
   * Makes the access end then: `access.extended` if that is later than before, `access.shortened` if it is earlier,
   * nothing if it is the same. An end before the start ends it at its start. Revoked ones too.
   */
  endAt(club_id: ClubId, id: EnrollmentId, expires_at: DateTime.Utc | null, cause: Cause): Effect.Effect<void>
  /**
   * An extension that was told of late: the end stays as it is, and `access.extended` goes out with this earlier end as
   * the previous one.
   */
  noteExtension(club_id: ClubId, id: EnrollmentId, previous_expires_at: DateTime.Utc, cause: Cause): Effect.Effect<void>
}>()("turma/access/Enrollments") {
  static readonly layerNoDeps = Layer.effect(
    Enrollments,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* EnrollmentsRepo
      const { grantAll, grantFree, grantOne } = yield* makeGrants
      const { givenBack, judged, move, ...forSales } = yield* makeChanges

      const shown = (row: EnrollmentRow) =>
        Effect.map(DateTime.now, (now) => new Enrollment({ ...row, active: statusAt(row, now) === "active" }))

      const get = Effect.fn("Enrollments.get")(function*(club_id: ClubId, id: EnrollmentId) {
        const row = yield* repo.find(club_id, id)
        return Option.isNone(row) ? yield* new NotFound() : yield* shown(row.value)
      })

      const grant = Effect.fn("Enrollments.grant")(
        function*(club_id: ClubId, grant: NewGrant, cause: Cause) {
          const student = yield* repo.lockStudent(club_id, grant.student_id)
          if (Option.isNone(student)) return yield* new NotFound()
          if (student.value.removed) return yield* new StudentRemoved()
          return yield* get(club_id, yield* grantOne(club_id, grant, cause))
        },
        sql.withTransaction,
        // What is granted was deleted between looking and granting: the second look says so.
        Effect.retry({ times: 1, while: isGone }),
        Effect.catchTag("SqlError", Effect.die)
      )

      const ofStudent = Effect.fn("Enrollments.ofStudent")(function*(club_id: ClubId, student_id: StudentId) {
        const [rows, access_events] = yield* Effect.all([
          repo.ofStudent(club_id, student_id),
          repo.historyOf(club_id, student_id)
        ], { concurrency: "unbounded" })
        return { enrollments: yield* Effect.forEach(rows, shown), access_events }
      })

      return Enrollments.of({
        grant,
        get,
        ofStudent,
        grantAll,
        grantFree,
        ofSale: Effect.fn("Enrollments.ofSale")(repo.lockSale),
        revoke: Effect.fn("Enrollments.revoke")((club_id, id, cause) =>
          Effect.flatMap(judged(club_id, id, cause, memberRevokes), shown)
        ),
        restore: Effect.fn("Enrollments.restore")((club_id, id, cause) =>
          Effect.flatMap(givenBack(club_id, id, cause, memberRestores), shown)
        ),
        extend: Effect.fn("Enrollments.extend")((club_id, id, expires_at, cause) =>
          Effect.flatMap(givenBack(club_id, id, cause, (before, now) => memberExtends(before, expires_at, now)), shown)
        ),
        shorten: Effect.fn("Enrollments.shorten")((club_id, id, expires_at, cause) =>
          Effect.flatMap(judged(club_id, id, cause, (before, now) => memberShortens(before, expires_at, now)), shown)
        ),
        move: Effect.fn("Enrollments.move")((club_id, id, cohort_id, cause) =>
          Effect.flatMap(move(club_id, id, cohort_id, cause), shown)
        ),
        revokeForSale: Effect.fn("Enrollments.revokeForSale")(forSales.revokeForSale),
        correctReason: Effect.fn("Enrollments.correctReason")(repo.correctReason),
        restoreForSale: Effect.fn("Enrollments.restoreForSale")(forSales.restoreForSale),
        endAt: Effect.fn("Enrollments.endAt")(forSales.endAt),
        noteExtension: Effect.fn("Enrollments.noteExtension")(forSales.noteExtension)
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([EnrollmentsRepo.layer, GrantsRepo.layer, NodeCrypto.layerSecureRandom])
  )
}
