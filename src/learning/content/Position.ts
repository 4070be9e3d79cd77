import { Schema } from "effect"

/** The place of something in its list: from 1 on, with gaps after deletions and moves. */
export const Position = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))
