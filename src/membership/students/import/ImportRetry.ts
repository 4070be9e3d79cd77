import { backOff } from "../../../platform/jobs/BackOff.ts"

/** The number of tries of a whole chunk. After that each failure splits it in half, until the failing row is found. */
export const maxWholeAttempts = 5

/** 1 second after the first failure, then four times as long each time, at most 5 minutes. */
export const delayAfter = backOff({ first: "1 second", longest: "5 minutes", factor: 4 })
