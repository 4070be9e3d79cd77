import type { OrganizationId } from "../../membership/clubs/Club.ts"

/** Where an address is looked up: among administrators, or among the students of one club. */
export type Realm =
  | { readonly kind: "admin" }
  | { readonly kind: "student"; readonly organization_id: OrganizationId }
