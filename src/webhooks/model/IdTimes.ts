import { DateTime, Duration } from "effect"

// An id comes a moment before or after its row's time, by a clock that may be set meanwhile.
const leeway = Duration.hours(1)

/** Lower bound of the time in ids of rows created from `at` on. A search from there skips older partitions. */
export const earliestIdTime = (at: DateTime.Utc): DateTime.Utc => DateTime.subtractDuration(at, leeway)

/** Upper bound of the time in ids of rows created up to `at`. */
export const latestIdTime = (at: DateTime.Utc): DateTime.Utc => DateTime.addDuration(at, leeway)
