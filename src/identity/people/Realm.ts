import type { OrganizationId } from "../ids/ClubId.ts"

/** Where an address is looked up: among administrators, or among the students of one club. */
export type Realm =
  | { readonly kind: "admin" }
  | { readonly kind: "student"; readonly organization_id: OrganizationId }
