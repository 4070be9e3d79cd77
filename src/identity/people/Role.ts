import { Schema } from "effect"

/** owner > admin > {editor, support} > viewer; owner and admin are the club administration permission. */
export const Role = Schema.Literals(["owner", "admin", "editor", "support", "viewer"])
export type Role = typeof Role.Type
