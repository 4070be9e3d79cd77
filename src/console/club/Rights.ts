// The rights of a role, as in the API. The API decides, and this foretells its answer. Pure.

/** The roles of members, as the contract's. */
export type Role = "owner" | "admin" | "editor" | "support" | "viewer"

/** The things that members do with a club. */
export type Right =
  /** Webhooks, keys, members, billing, the ladder, imports and removals. */
  | "administer"
  /** Content, community and comments. */
  | "teach"
  /** Students and their access, the support inbox. */
  | "support"
  /** Everything that any member reads. */
  | "read"

const rights: Readonly<Record<Role, ReadonlyArray<Right>>> = {
  owner: ["administer", "teach", "support", "read"],
  admin: ["administer", "teach", "support", "read"],
  editor: ["teach", "read"],
  support: ["support", "read"],
  viewer: ["read"]
}

/** True if somebody in this role may do this. A role that is not known yet reads. */
export const may = (role: string, right: Right): boolean =>
  (Object.entries(rights).find(([name]) => name === role)?.[1] ?? ["read"]).includes(right)
