import { DateTime, Duration } from "effect"

// An id is made a moment before or after its row's time, by a clock that may be set meanwhile.
const leeway = Duration.hours(1)

/** Ids of rows of this moment or later are not older than the answer. A search from there skips older partitions. */
export const earliestIdTime = (at: DateTime.Utc): DateTime.Utc => DateTime.subtractDuration(at, leeway)

/** Ids of rows of this moment or earlier are older than the answer. */
export const latestIdTime = (at: DateTime.Utc): DateTime.Utc => DateTime.addDuration(at, leeway)
