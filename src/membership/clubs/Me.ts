import { Schema } from "effect"
import { OrganizationId } from "../../identity/ids/ClubId.ts"
import { UserId } from "../../identity/ids/UserId.ts"
import { PersonName } from "../../identity/people/PersonName.ts"
import { Role } from "../../identity/people/Role.ts"
import { field } from "../../platform/http/Field.ts"

/** One of the clubs that a person belongs to. */
export const Organization = Schema.Struct({
  organization_id: OrganizationId.pipe(field("The club's public id: what stands for `clubId` in paths")),
  name: Schema.String.pipe(field("The club's name", "Flauta Fácil")),
  role: Role.pipe(field("The person's rights there: an owner or admin may do everything, a viewer only reads")),
  slug: Schema.String.pipe(field("The club's short name for addresses", "flauta-facil"))
})

/** The administrator account (contract, Me). */
export const Me = Schema.Struct({
  id: UserId.pipe(field("Names the account, in every club it belongs to")),
  name: Schema.String.pipe(field("The person's name", "Ana Souza")),
  email: Schema.String.annotate({ format: "email" })
    .pipe(field("The address that the account signs in with", "ana@school.example")),
  verified: Schema.Boolean.pipe(field("True once a mailed link has proven the address")),
  organizations: Schema.Array(Organization).pipe(field("The clubs that the person belongs to; empty before the first"))
}).annotate({ identifier: "Me", description: "The administrator who asks, and their clubs" })
export type Me = typeof Me.Type

/** The name of 1 to 200 characters. */
export const MePatch = Schema.Struct({
  name: Schema.optionalKey(PersonName)
    .pipe(field("The person's name, of 1 to 200 characters; unchanged without it", "Ana Souza"))
})
