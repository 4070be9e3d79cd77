import { Schema } from "effect"

/** An administrator account, whichever clubs it belongs to. */
export const UserId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type
