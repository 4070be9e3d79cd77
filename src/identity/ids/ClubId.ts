import { Schema } from "effect"

/** The internal id. It is in every key of the club's tables and never leaves the service. */
export const ClubId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("ClubId"))
export type ClubId = typeof ClubId.Type

/** The public id: `{clubId}` in paths, `organization_id` in bodies. A random UUID, so it tells nothing. */
export const OrganizationId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("OrganizationId"))
export type OrganizationId = typeof OrganizationId.Type
