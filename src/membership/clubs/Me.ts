import { Schema } from "effect"
import { OrganizationId } from "../../identity/ids/ClubId.ts"
import { UserId } from "../../identity/ids/UserId.ts"
import { PersonName } from "../../identity/people/PersonName.ts"
import { Role } from "../../identity/people/Role.ts"

/** One of the clubs that a person belongs to. */
export const Organization = Schema.Struct({
  organization_id: OrganizationId,
  name: Schema.String,
  role: Role,
  slug: Schema.String
})

/** The administrator account (contract, Me). */
export const Me = Schema.Struct({
  id: UserId,
  name: Schema.String,
  email: Schema.String,
  verified: Schema.Boolean,
  organizations: Schema.Array(Organization)
}).annotate({ identifier: "Me" })
export type Me = typeof Me.Type

/** The name of 1 to 200 characters. */
export const MePatch = Schema.Struct({ name: Schema.optionalKey(PersonName) })
