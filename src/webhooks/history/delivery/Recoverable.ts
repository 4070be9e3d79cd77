import { DateTime } from "effect"
import type { Recoverable } from "./Delivery.ts"

type OfBatches = Omit<Recoverable, "capped">
type Counted = Omit<OfBatches, "left_out" | "total"> & OfBatches["left_out"]

/** The counts of one batch, in the form of the answer. */
export const recoverableOf = (
  { endpoint_disabled, expired, failed, newest_created_at, oldest_created_at, payload_purged, student_removed }: Counted
): OfBatches => ({
  total: failed + endpoint_disabled,
  failed,
  endpoint_disabled,
  left_out: { student_removed, expired, payload_purged },
  oldest_created_at,
  newest_created_at
})

const bounded = (bound: typeof DateTime.max, one: DateTime.Utc | null, other: DateTime.Utc | null) =>
  one === null || other === null ? one ?? other : bound(one, other)

/** Two batches as one. */
export const together = (one: OfBatches, other: OfBatches): OfBatches => ({
  total: one.total + other.total,
  failed: one.failed + other.failed,
  endpoint_disabled: one.endpoint_disabled + other.endpoint_disabled,
  left_out: {
    student_removed: one.left_out.student_removed + other.left_out.student_removed,
    expired: one.left_out.expired + other.left_out.expired,
    payload_purged: one.left_out.payload_purged + other.left_out.payload_purged
  },
  oldest_created_at: bounded(DateTime.min, one.oldest_created_at, other.oldest_created_at),
  newest_created_at: bounded(DateTime.max, one.newest_created_at, other.newest_created_at)
})
