import { Duration } from "effect"

const first = Duration.seconds(10)
const longest = Duration.hours(1)

/** The back-off after this many failures in a row: 10 seconds, doubling up to an hour. */
export const retryDelay = (failures: number): Duration.Duration =>
  Duration.min(Duration.times(first, 2 ** Math.min(failures - 1, 20)), longest)
