/** The share of an allowance from which the console warns that it ends soon. */
const nearShare = 0.8

/** Whether so much of an allowance is used that it ends soon. */
export const isNear = (used: number, allowance: number): boolean => used >= allowance * nearShare
