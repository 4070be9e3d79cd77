import { brandedId } from "../../platform/schema/brandedId.ts"

/** An administrator account, in any number of clubs. */
export const UserId = brandedId("UserId")
export type UserId = typeof UserId.Type
