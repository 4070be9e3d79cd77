import { backOff } from "../../platform/jobs/BackOff.ts"

/** How long something waits after so many failures in a row: 10 seconds, doubling up to an hour. */
export const delayAfter = backOff({ first: "10 seconds", longest: "1 hour" })
