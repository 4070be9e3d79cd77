import { backOff } from "../../../platform/jobs/BackOff.ts"

/** How often a chunk is tried whole. After that it is split in half at each failure, until the row that fails is found. */
export const maxWholeAttempts = 5

/** 1 second after the first failure, then four times as long each time, at most 5 minutes. */
export const delayAfter = backOff({ first: "1 second", longest: "5 minutes", factor: 4 })
