import { backOff } from "../../../platform/jobs/BackOff.ts"

/** The back-off after so many failures in a row: 10 seconds, doubling up to an hour. */
export const retryDelay = backOff({ first: "10 seconds", longest: "1 hour" })
