import { isNearLimit } from "../../club/NearLimit.ts"

// Prices and credits of an add-on, for the question before the change. Pure; the API computes the charge.

/** The part of an amount that is for the time after a moment, in whole cents. */
export const remainingOf = (cents: number, { end, now, start }: {
  readonly start: number
  readonly end: number
  readonly now: number
}): number => {
  if (end <= start) return 0
  const used = Math.min(Math.max(now - start, 0), end - start)
  return cents - Math.floor(cents * used / (end - start))
}

/** How a resource stands. */
export type ResourceState = "absent" | "unlimited" | "fine" | "near" | "used" | "over"

/** The known use of a resource. */
export interface ResourceUse {
  readonly kind: "flag" | "metered"
  readonly granted: boolean
  readonly unlimited: boolean
  readonly allowance: number
  readonly used: number
  readonly overage: number
}

/** How a resource stands: what is used beyond an allowance is `over`, nothing left is `used`. */
export const stateOf = ({ allowance, granted, kind, overage, unlimited, used }: ResourceUse): ResourceState => {
  if (!granted) return "absent"
  if (kind === "flag") return "fine"
  if (unlimited) return "unlimited"
  if (overage > 0) return "over"
  if (used >= allowance) return "used"
  return isNearLimit(used, allowance) ? "near" : "fine"
}
