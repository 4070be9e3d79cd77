import { Schema } from "effect"

/** How many things there are, or how long something took: a whole number, never below zero. */
export const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
