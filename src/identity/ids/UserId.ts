import { brandedId } from "../../platform/schema/brandedId.ts"

/** An administrator account, whichever clubs it belongs to. */
export const UserId = brandedId("UserId")
export type UserId = typeof UserId.Type
