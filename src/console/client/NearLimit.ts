/** The share of an allowance from which the console warns that it ends soon. */
const nearLimitShare = 0.8

/** Whether so much of an allowance is used that it ends soon. */
export const isNearLimit = (used: number, allowance: number): boolean => used >= allowance * nearLimitShare
