/** The share of an allowance from which the console warns that it ends soon. */
const nearLimitShare = 0.8

/** True if an allowance is nearly used up. */
export const isNearLimit = (used: number, allowance: number): boolean => used >= allowance * nearLimitShare
