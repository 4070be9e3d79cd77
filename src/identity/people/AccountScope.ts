import type { OrganizationId } from "../ids/ClubId.ts"

/** Where an address names at most one account: among administrators, or among the students of one club. */
export type AccountScope =
  | { readonly kind: "admin" }
  | { readonly kind: "student"; readonly organization_id: OrganizationId }
