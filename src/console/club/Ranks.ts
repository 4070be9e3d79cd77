import type { Role } from "./Rights.ts"

// The roles that each role may give and take, as in the API. Pure.

const ranks: Readonly<Record<Role, number>> = { owner: 3, admin: 2, editor: 1, support: 1, viewer: 0 }

const rankOf = (role: string): number => Object.entries(ranks).find(([name]) => name === role)?.[1] ?? -1

/** True if a member in this role may give or take that role. Nobody may above their own. */
export const mayGive = (own: string, other: string): boolean =>
  rankOf(own) >= ranks.admin && rankOf(own) >= rankOf(other)
