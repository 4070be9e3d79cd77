import { Schema } from "effect"

/** Where something stands in its list: from 1 on, with gaps where something was deleted or moved. */
export const Position = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))
