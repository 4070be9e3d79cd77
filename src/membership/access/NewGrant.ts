import type { DateTime } from "effect"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { UserId } from "../../identity/ids/UserId.ts"
import type { QueuedWork } from "../../platform/jobs/QueuedWork.ts"
import type { CohortId, DeliveryId } from "../catalog/Delivery.ts"
import type { EnrollmentId, EnrollmentSource, RevokeReason } from "./Enrollment.ts"

/** The cause of a change of access, for the history. */
export interface AccessCause {
  readonly actor_user_id?: UserId | undefined
  /** The id of an `inbound_events` row. */
  readonly platform_event_id?: string | undefined
  /** The reason that a person gave, at most 500 characters. */
  readonly reason?: string | undefined
}

/** An access to grant. */
export interface NewGrant {
  readonly student_id: StudentId
  readonly delivery_id: DeliveryId
  readonly cohort_id: CohortId | null
  readonly source: EnrollmentSource
  /**
   * With the source `purchase` or `subscription`: the sale that the access belongs to. A sale has one access to a
   * delivery.
   */
  readonly purchase_id?: string | undefined
  readonly subscription_id?: string | undefined
  /** By default now, or the start of the cohort if that is later. */
  readonly starts_at?: DateTime.Utc | undefined
  /** Null: never. By default after `access_days`, then after the delivery's own days, then at the end of the cohort. */
  readonly expires_at?: DateTime.Utc | null | undefined
  readonly access_days?: number | null | undefined
  /**
   * The `inbound_events` row that the grant follows from. It replaces the cause's if one call grants for several
   * events.
   */
  readonly platform_event_id?: string | undefined
  /** The queued work that the grant follows from, if it is not the work of the current fiber. */
  readonly work?: QueuedWork | undefined
}

/** The result of a `NewGrant`. */
export interface GrantResult {
  /** Null if nothing was granted: the student has the delivery, or the delivery can no longer be granted. */
  readonly enrollment_id: EnrollmentId | null
  readonly outcome:
    | "granted"
    | "already_enrolled"
    | "delivery_unknown"
    | "cohort_of_other_delivery"
    | "student_removed"
}

/** An access of a purchase or a subscription, locked by the caller's transaction. */
export interface SaleEnrollment {
  readonly id: EnrollmentId
  readonly student_id: StudentId
  readonly delivery_id: DeliveryId
  readonly starts_at: DateTime.Utc
  readonly expires_at: DateTime.Utc | null
  readonly revoked_at: DateTime.Utc | null
  readonly revoke_reason: RevokeReason | null
}
