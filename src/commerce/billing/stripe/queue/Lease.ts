import { Duration } from "effect"
import { backOff } from "../../../../platform/jobs/BackOff.ts"

/** How long a claim lasts: more than sending a change may take. */
export const lease = Duration.minutes(2)

/** How long a change or an event waits after so many attempts: 10 seconds, doubling up to an hour. */
export const delayAfter = backOff({ first: "10 seconds", longest: "1 hour" })
