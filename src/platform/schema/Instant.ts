import { Schema } from "effect"

/** A point in time in a row: the driver's `Date`, a `DateTime.Utc` in the service. */
export const Instant = Schema.DateTimeUtcFromDate

/** A point in time that may be missing. */
export const InstantOrNull = Schema.NullOr(Instant)
