/** From which share of an allowance on it is said that it ends soon. */
const nearShare = 0.8

/** Whether so much of an allowance is used that it ends soon. */
export const isNear = (used: number, allowance: number): boolean => used >= allowance * nearShare
