import { Duration } from "effect"

/** More than a change may take to be told, with all that is asked before it. */
export const lease = Duration.minutes(2)

const firstDelay = Duration.seconds(10)
const longestDelay = Duration.hours(1)

/** How long a change or an event waits after so many attempts: 10 seconds, doubling up to an hour. */
export const delayAfter = (attempts: number): Duration.Duration =>
  Duration.min(Duration.times(firstDelay, 2 ** Math.min(attempts - 1, 20)), longestDelay)
