import { brandedId } from "../../platform/schema/brandedId.ts"

/** The internal id. It is in every key of the club's tables and never leaves the service. */
export const ClubId = brandedId("ClubId")
export type ClubId = typeof ClubId.Type

/** The public id: `{clubId}` in paths, `organization_id` in bodies. A random UUID, so that it reveals nothing. */
export const OrganizationId = brandedId("OrganizationId")
export type OrganizationId = typeof OrganizationId.Type
