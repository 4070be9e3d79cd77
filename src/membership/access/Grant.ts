import type { DateTime } from "effect"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { UserId } from "../../identity/ids/UserId.ts"
import type { CohortId, DeliveryId } from "../catalog/Delivery.ts"
import type { EnrollmentId, EnrollmentSource, RevokeReason } from "./Enrollment.ts"

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
  readonly outcome:
    | "granted"
    | "already_enrolled"
    | "delivery_unknown"
    | "cohort_of_other_delivery"
    | "student_removed"
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
