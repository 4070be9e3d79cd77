import { brandedId } from "../../platform/schema/brandedId.ts"

/** Names a key of a club. Only its token opens anything. */
export const ClubKeyId = brandedId("ClubKeyId")
export type ClubKeyId = typeof ClubKeyId.Type
