import type { Role } from "../people/Role.ts"

// The roles that each role includes: the lower of two has the rights that both have.

const below: Record<Role, ReadonlyArray<Role>> = {
  owner: ["owner", "admin", "editor", "support", "viewer"],
  admin: ["admin", "editor", "support", "viewer"],
  editor: ["editor", "viewer"],
  support: ["support", "viewer"],
  viewer: ["viewer"]
}

/** The highest role that gives nothing that either of the two does not give (http-surface, Rulings: roles). */
export const meet = (one: Role, other: Role): Role => below[one].find((role) => below[other].includes(role)) ?? "viewer"

/**
 * The role of a key. It is its own role, or any except the owner's if its scopes alone state its rights. It is never
 * above today's role of the member that it acts for.
 */
export const roleOfKey = (own: Role | null, makersToday: Role): Role => meet(own ?? "admin", makersToday)
