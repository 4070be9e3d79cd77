import { Schema } from "effect"

/** Names a key of a club. Only its token opens anything. */
export const ClubKeyId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("ClubKeyId"))
export type ClubKeyId = typeof ClubKeyId.Type
