import { Schema } from "effect"

/** How many there are of something, or how long it took: a whole number, never below zero. */
export const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
