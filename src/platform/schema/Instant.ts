import { Schema } from "effect"

/** A moment in a row: the driver's `Date`, a `DateTime.Utc` in the service. */
export const Instant = Schema.DateTimeUtcFromDate

/** A moment that may be missing. */
export const InstantOrNull = Schema.NullOr(Instant)
