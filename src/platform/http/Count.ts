import { Schema } from "effect"

/** A count or a duration: a whole number, zero or more. */
export const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
