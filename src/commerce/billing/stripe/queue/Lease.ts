import { Duration } from "effect"

/** How long a claim lasts: more than sending a change may take. */
export const lease = Duration.minutes(2)

const firstDelay = Duration.seconds(10)
const longestDelay = Duration.hours(1)

/** How long a change or an event waits after so many attempts: 10 seconds, doubling up to an hour. */
export const delayAfter = (attempts: number): Duration.Duration =>
  Duration.min(Duration.times(firstDelay, 2 ** Math.min(attempts - 1, 20)), longestDelay)
