import { Context, type DateTime, type Effect } from "effect"
import type { UserId } from "../auth/User.ts"
import type { CohortId, DeliveryId } from "../catalog/Delivery.ts"
import type { ClubId } from "../clubs/Club.ts"
import type { NotFound } from "../http/errors.ts"
import type { StudentRemoved } from "../students/Student.ts"
import type { StudentId } from "../students/Student.ts"
import type {
  AccessEvent,
  AlreadyEnrolled,
  CohortOfOtherDelivery,
  DeliveryUnknown,
  Enrollment,
  EnrollmentId,
  EnrollmentNotActive,
  EnrollmentNotRevoked,
  EnrollmentSource,
  ExpiresAtNotEarlier,
  ExpiresAtNotLater,
  RevokeReason
} from "./Enrollment.ts"

/** Who or what a change of access comes from. The history keeps it. */
export interface Cause {
  readonly actor_user_id?: UserId | undefined
  /** The id of an `inbound_events` row. */
  readonly platform_event_id?: string | undefined
  /** What a person gave as the reason, at most 500 characters. */
  readonly reason?: string | undefined
}

/** An access that is to be given. */
export interface NewGrant {
  readonly student_id: StudentId
  readonly delivery_id: DeliveryId
  readonly cohort_id: CohortId | null
  readonly source: EnrollmentSource
  /** With the source `purchase` or `subscription`: whose access it is. Each has its own, once for a delivery. */
  readonly purchase_id?: string | undefined
  readonly subscription_id?: string | undefined
  /** Now, or the start of the cohort if that is later, unless it is given. */
  readonly starts_at?: DateTime.Utc | undefined
  /** Null is for ever. Where it is not given: `access_days`, the delivery's own days, or the end of the cohort. */
  readonly expires_at?: DateTime.Utc | null | undefined
  readonly access_days?: number | null | undefined
}

/** What became of a `NewGrant`. */
export interface Granted {
  /** Null where nothing was given: the student has the delivery, or it cannot be granted any more. */
  readonly enrollment_id: EnrollmentId | null
  readonly outcome: "granted" | "already_enrolled" | "delivery_unknown" | "cohort_of_other_delivery"
}

/** An access of a purchase or a subscription, as the transaction that holds it sees it. */
export interface HeldEnrollment {
  readonly id: EnrollmentId
  readonly student_id: StudentId
  readonly delivery_id: DeliveryId
  readonly starts_at: DateTime.Utc
  readonly expires_at: DateTime.Utc | null
  readonly revoked_at: DateTime.Utc | null
  readonly revoke_reason: RevokeReason | null
}

/**
 * Access of students to deliveries and its history. Every change is one transaction with its history and its event
 * (`access.granted`, `revoked`, `extended`, `shortened`, `restored`, `moved`). `NotFound`: this club has no such student
 * or enrollment. A removed student's access changes no more: `StudentRemoved`.
 */
export class Enrollments extends Context.Service<Enrollments, {
  // For members.
  grant(
    club_id: ClubId,
    grant: NewGrant,
    cause: Cause
  ): Effect.Effect<Enrollment, AlreadyEnrolled | CohortOfOtherDelivery | DeliveryUnknown | NotFound | StudentRemoved>
  revoke(
    club_id: ClubId,
    id: EnrollmentId,
    cause: Cause
  ): Effect.Effect<Enrollment, EnrollmentNotActive | NotFound | StudentRemoved>
  restore(
    club_id: ClubId,
    id: EnrollmentId,
    cause: Cause
  ): Effect.Effect<Enrollment, EnrollmentNotRevoked | NotFound | StudentRemoved>
  /** Null: it does not end any more. An access that is over begins again. */
  extend(
    club_id: ClubId,
    id: EnrollmentId,
    expires_at: DateTime.Utc | null,
    cause: Cause
  ): Effect.Effect<Enrollment, EnrollmentNotActive | ExpiresAtNotLater | NotFound | StudentRemoved>
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

  /** Many grants in a few statements; what became of each, in the same order. Grants of the same place count once. */
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
}>()("turma/access/Enrollments") {}
