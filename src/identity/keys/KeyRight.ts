import type { Role } from "../people/Role.ts"

// Where two roles meet: what both may do, and no more.

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
 * As which role a key acts: its own, or any but the owner's where its scopes alone say what it may, and never more than
 * whoever it acts for may today.
 */
export const roleOfKey = (own: Role | null, makersToday: Role): Role => meet(own ?? "admin", makersToday)
